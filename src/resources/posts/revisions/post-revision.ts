import { noSeo, type Post } from '../post.ts'
import { type RevisedField, revised } from '../post-fields.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { lineDiff } from './line-diff.ts'
import type { PostDiff } from './post-revision-schema.ts'

/** What a revision stores of a post beside its content. */
export type PostSnapshot = Omit<Post, 'id' | 'version' | 'content' | 'updatedAt' | 'hasPendingEdit'>

/** A snapshot with the hash of the content in place of the content. */
type HashedSnapshot = PostSnapshot & { readonly content: string }

/** A past version of a post: its representation, and when it was moved to the trash. */
export interface PastPost {
  readonly body: PostBody
  readonly deletedAt: Post['deletedAt']
}

/** The fields that differ from the version before; none for the first version. */
export function changedFields(before: HashedSnapshot | undefined, after: HashedSnapshot): RevisedField[] {
  if (!before) return []
  return revised.filter(({ name }) => !isSame(before[name], after[name])).map(({ shownAs }) => shownAs)
}

/** The difference between two versions of a post, or the whole post if `before` is missing. */
export async function diffOf(before: PastPost | undefined, after: PastPost): Promise<PostDiff> {
  const fields = revised.map(({ shownAs }) => shownAs).filter((field) => field !== 'content')
  const values = fields.map((field) => ({ field, before: readField(before, field), after: readField(after, field) }))
  return {
    id: after.body.id,
    version: after.body.version,
    against: before?.body.version ?? null,
    fields: values.filter((each) => !isSame(each.before, each.after)),
    content: (await lineDiff(before?.body.content ?? '', after.body.content)) ?? null,
  }
}

function readField(post: PastPost | undefined, field: RevisedField): unknown {
  if (!post) return field === 'tags' || field === 'aliases' ? [] : field === 'seo' ? noSeo : null
  return field === 'deletedAt' ? post.deletedAt : post.body[field]
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
