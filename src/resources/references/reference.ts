import type { AuthorId, CategoryId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'

/** An author or category that posts name. */
export type Reference = { readonly kind: 'author'; readonly id: AuthorId } | { readonly kind: 'category'; readonly id: CategoryId }

/** Their tables. */
export const referenceTables = { author: 'authors', category: 'categories' } as const

/** What the snapshots of revisions and pending edits call them. */
export const snapshotFields = { author: 'authorId', category: 'categoryId' } as const

/** 409 for an author or category that posts name. The text mentions the trash because those posts are in no list. */
export function inUse(kind: Reference['kind']): Problem {
  const detail = `Posts name this ${kind}; they may be in the trash. Say with reassign_to which ${kind} they get instead.`
  return new Problem('in_use', detail)
}
