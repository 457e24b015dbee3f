import type { Agent } from '../agent.ts'
import { publishPost, schedulePost } from './publishing-tools.ts'
import { findPosts, listTerms, readPost, whoami } from './reading-tools.ts'
import { checkPost, history, previewLink } from './reviewing-tools.ts'
import type { Tool } from './tool.ts'
import { undo } from './undo-tool.ts'
import { draftPost, editPost, registerMedia, setFields } from './writing-tools.ts'

/** Every tool, in the order in which agents see them. There is none that deletes. */
const allTools: readonly Tool[] = [
  whoami,
  findPosts,
  readPost,
  history,
  checkPost,
  listTerms,
  previewLink,
  draftPost,
  editPost,
  setFields,
  registerMedia,
  undo,
  publishPost,
  schedulePost,
]

/** The tools that the scopes of a key allow. What a key may not do, it does not see. */
export function toolsFor({ scopes: held }: Pick<Agent, 'scopes'>): readonly Tool[] {
  const hasOneOf = (wanted: Tool['anyScope']) => wanted.length === 0 || wanted.some((scope) => held.includes(scope))
  return allTools.filter(({ scopes, anyScope }) => scopes.every((scope) => held.includes(scope)) && hasOneOf(anyScope))
}
