import type { IdOf, Kind, PostId, ProjectId } from '../../values/ids.ts'

/** The events of each kind, in the log and in webhooks. */
export const newsOf = {
  post: [
    'post.created',
    'post.updated',
    'post.published',
    'post.scheduled',
    'post.unpublished',
    'post.archived',
    'post.deleted',
    'post.restored',
  ],
  author: ['author.created', 'author.updated', 'author.deleted'],
  category: ['category.created', 'category.updated', 'category.deleted'],
  media: ['media.created', 'media.updated', 'media.deleted'],
} as const satisfies { readonly [K in Kind]: readonly `${K}.${string}`[] }

export type News<K extends Kind = Kind> = (typeof newsOf)[K][number]

/** A change of a resource. `publicBefore` and `publicAfter` say whether a public key could see it before and after. */
export type Change = { readonly [K in Kind]: ChangeOf<K> }[Kind] | PendingEditChange | SettingsChange

/** A change of a post's pending edit, known by the id of its post. It has no event, and no public key can see it (ADR 57). */
interface PendingEditChange {
  readonly kind: 'pending_edit'
  readonly id: PostId
  /** Of the pending edit. */
  readonly version: number
  readonly news: readonly []
  readonly publicBefore: false
  readonly publicAfter: false
}

/** A change of a project's settings, which decide where posts are and what feeds say. It has no event of its own (ADR 47). Notes alone are not public. */
interface SettingsChange {
  readonly kind: 'project'
  readonly id: ProjectId
  readonly version: 1
  readonly news: readonly []
  readonly publicBefore: boolean
  readonly publicAfter: boolean
}

interface ChangeOf<K extends Kind> {
  readonly kind: K
  readonly id: IdOf<K>
  /** The resource's version after the change. */
  readonly version: number
  /** Empty for a change without an event, such as erasing a resource in the trash. */
  readonly news: readonly News<K>[]
  readonly publicBefore: boolean
  readonly publicAfter: boolean
}
