import type { AuthorId, CategoryId, MediaId, PostId } from '../../values/ids.ts'

/** What can be heard of: the events of the contract (§6.4). */
export type PostNews =
  | 'post.created'
  | 'post.updated'
  | 'post.published'
  | 'post.scheduled'
  | 'post.unpublished'
  | 'post.archived'
  | 'post.deleted'
  | 'post.restored'

type Of<K extends string> = `${K}.created` | `${K}.updated` | `${K}.deleted`

/** One change of content, as the log keeps it. `public…` says whether a public key could see the resource before, and can see it after. */
export type Change =
  | ChangeOf<'post', PostId, PostNews>
  | ChangeOf<'author', AuthorId>
  | ChangeOf<'category', CategoryId>
  | ChangeOf<'media', MediaId>

interface ChangeOf<K extends string, I, N extends string = Of<K>> {
  readonly kind: K
  readonly id: I
  /** The resource's version after the change. */
  readonly version: number
  /** Empty for a change that nobody is told of, such as the erasure of what was in the trash. */
  readonly news: readonly N[]
  readonly publicBefore: boolean
  readonly publicAfter: boolean
}
