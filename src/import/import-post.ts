import { validatorOf } from '../actions/validation/validate.ts'
import { AuthorCreate } from '../resources/authors/author-schema.ts'
import { CategoryCreate } from '../resources/categories/category-schema.ts'
import type { PostEdits } from '../resources/posts/post.ts'
import { PostCreate } from '../resources/posts/post-schema.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Fault } from '../values/problems.ts'
import type { SourceFault, SourceKind, SourcePost } from './source-post.ts'

/** A post to import; serialisable. */
export type ImportPost = Omit<SourcePost, 'updated' | 'aliases'>

/** Posts that one transaction imports, in the order of the source. */
export interface ImportBatch {
  readonly source: SourceKind
  readonly posts: readonly ImportPost[]
  /** The source wins where both sides have changed. */
  readonly force: boolean
}

/** The author and the category of a post: the first that its source names. */
export interface PostReferences {
  readonly authorId: AuthorId | null
  readonly categoryId: CategoryId | null
}

/** Makes the check of posts against the schemas of the API: the post to import, or its faults. */
export function importChecker(): (post: SourcePost) => ImportPost | SourceFault {
  const checkPost = validatorOf(PostCreate)
  const checkAuthor = validatorOf(AuthorCreate)
  const checkCategory = validatorOf(CategoryCreate)
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

/** The edits that make a post what its source says now. A draft has no dates. */
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

/** By name: a source may give its posts more fields. */
function forImport(post: SourcePost): ImportPost {
  const { kind, path, hash, title, content, excerpt, slug, date, draft, authors, categories, tags, seo, notes, losses = {} } = post
  return { kind, path, hash, title, content, excerpt, slug, date, draft, authors, categories, tags, seo, notes, losses }
}
