import { checkerOf } from '../actions/validation/validate.ts'
import { AuthorCreate } from '../resources/authors/author-schema.ts'
import { CategoryCreate } from '../resources/categories/category-schema.ts'
import type { PostEdits } from '../resources/posts/post.ts'
import { PostCreate } from '../resources/posts/post-schema.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Fault } from '../values/problems.ts'
import type { SourceFault, SourcePost } from './source-post.ts'

/** What of a post its import works with; serialisable. */
export type ImportPost = Omit<SourcePost, 'updated' | 'aliases' | 'origin'>

/** What the first author and the first category of a post are here. */
export interface PostReferences {
  readonly authorId: AuthorId | null
  readonly categoryId: CategoryId | null
}

/** Makes the check of what was read against the schemas that hold for everybody: the post for its import, or what is at fault. */
export function importChecker(): (post: SourcePost) => ImportPost | SourceFault {
  const checkPost = checkerOf(PostCreate)
  const checkAuthor = checkerOf(AuthorCreate)
  const checkCategory = checkerOf(CategoryCreate)
  return (post) => {
    const { title, content, excerpt, slug, tags, seo } = post
    const checks = [
      checkPost({ title, content, excerpt, tags, seo, ...(slug !== null && { slug }) }),
      ...post.authors.map(({ key, ...author }) => checkAuthor(author)),
      ...post.categories.map((name) => checkCategory({ name })),
    ]
    const faults = checks.flatMap((check) => (check.ok ? [] : check.faults))
    return faults.length > 0 ? toFault(post.path, faults) : forImport(post)
  }
}

/** What a post is to be like here, by what its source says of it at this moment. A draft has no dates (contract §4.5). */
export function editsOf(post: ImportPost, references: PostReferences, now: Instant): PostEdits & { readonly title: string } {
  const { title, content, excerpt, tags, seo } = post
  return { title: title.trim(), content, excerpt, tags, seo, ...references, ...stateOf(post, now) }
}

function stateOf({ draft, date }: ImportPost, now: Instant): Pick<PostEdits, 'status' | 'publishedAt' | 'scheduledFor'> {
  if (draft) return { status: 'draft' }
  if (date === null) return { status: 'published' }
  return date > now ? { status: 'scheduled', scheduledFor: date } : { status: 'published', publishedAt: date }
}

function toFault(path: string, faults: readonly Fault[]): SourceFault {
  return { kind: 'fault', path, line: null, message: faults.map(({ detail }) => detail).join(' ') }
}

function forImport({ updated, aliases, origin, ...post }: SourcePost): ImportPost {
  return post
}
