import type { AuthorId, CategoryId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'

/** What a post can name and cannot do without while it does. */
export type Reference = { readonly kind: 'author'; readonly id: AuthorId } | { readonly kind: 'category'; readonly id: CategoryId }

/** 409 for what posts name. Posts in the trash count: they are in no list, so the text mentions them. */
export function inUse(kind: Reference['kind']): Problem {
  const detail = `Posts name this ${kind}; they may be in the trash. Say with reassign_to which ${kind} they get instead.`
  return new Problem('in_use', detail)
}
