import type { Agent } from '../agent.ts'
import { findPosts, listTerms, readPost, whoami } from './reading-tools.ts'
import type { Tool } from './tool.ts'

/** Every tool, in the order in which agents see them. There is none that deletes. */
export const allTools: readonly Tool[] = [whoami, findPosts, readPost, listTerms]

/** The tools that the scopes of a key allow. What a key may not do, it does not see. */
export function toolsFor({ scopes }: Pick<Agent, 'scopes'>): readonly Tool[] {
  return allTools.filter((tool) => tool.scopes.every((scope) => scopes.includes(scope)))
}
