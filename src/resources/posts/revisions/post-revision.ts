import type { Post, PostEdits } from '../post.ts'

/** A post as a revision keeps it, its content aside. */
export type PostSnapshot = Omit<Post, 'id' | 'version' | 'content' | 'createdAt' | 'updatedAt'>

/** What can be told of a change; author and category by the names that they have in a post's representation. */
export const revisedFields = [
  'title',
  'slug',
  'content',
  'excerpt',
  'status',
  'publishedAt',
  'scheduledFor',
  'author',
  'category',
  'tags',
  'seo',
  'deletedAt',
] as const
export type RevisedField = (typeof revisedFields)[number]

/** A snapshot with what tells whether its content is the same as another's. */
export interface Kept {
  readonly snapshot: PostSnapshot
  readonly contentHash: string
}

/** The fields in which a version differs from the one before it; none for the first. */
export function changedFields(before: Kept | undefined, after: Kept): readonly RevisedField[] {
  if (!before) return []
  return revisedFields.filter((field) => JSON.stringify(seenAs(before, field)) !== JSON.stringify(seenAs(after, field)))
}

/** What goes back to how it was: never the status, the slug or a date (contract §4.9). Author and category are those that are still there. */
export function restoringEdits(
  { title, excerpt, tags, seo }: PostSnapshot,
  content: string,
  references: Required<Pick<PostEdits, 'authorId' | 'categoryId'>>,
): PostEdits {
  return { title, content, excerpt, tags, seo, ...references }
}

function seenAs({ snapshot, contentHash }: Kept, field: RevisedField): unknown {
  switch (field) {
    case 'content':
      return contentHash
    case 'author':
      return snapshot.authorId
    case 'category':
      return snapshot.categoryId
    case 'seo':
      return [snapshot.seo.title, snapshot.seo.description, snapshot.seo.canonicalUrl, snapshot.seo.ogImage]
    default:
      return snapshot[field]
  }
}
