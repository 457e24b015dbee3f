import { validatorOf } from '../actions/validation/validate.ts'
import { AuthorCreate } from '../resources/authors/author-schema.ts'
import { CategoryCreate } from '../resources/categories/category-schema.ts'
import { MediaCreate } from '../resources/media/media-schema.ts'
import type { NamedTag, PostEdits } from '../resources/posts/post.ts'
import { PostCreate } from '../resources/posts/post-schema.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Fault } from '../values/problems.ts'
import { fitAliases } from './source-limits.ts'
import type { SourceFault, SourceKind, SourceMedia, SourcePicture, SourcePost } from './source-post.ts'

/** A post to import; serialisable. */
export type ImportPost = Omit<SourcePost, 'updated'>

/** Posts and pictures that one transaction imports, in the order of the source. */
export interface ImportBatch {
  readonly source: SourceKind
  readonly posts: readonly ImportPost[]
  /** Those that stand in the source by themselves. */
  readonly pictures: readonly SourceMedia[]
  /** The source wins where both sides have changed. */
  readonly force: boolean
}

/** The author and the category of a post: the first that its source names. */
export interface PostReferences {
  readonly authorId: AuthorId | null
  readonly categoryId: CategoryId | null
}

/** Makes the check of what is read against the schemas of the API: what to import, or its faults. */
export function importChecker(): (item: SourcePost | SourcePicture) => ImportPost | SourcePicture | SourceFault {
  const checkPost = validatorOf(PostCreate)
  const checkAuthor = validatorOf(AuthorCreate)
  const checkCategory = validatorOf(CategoryCreate)
  const checkMedia = validatorOf(MediaCreate)
  const checkAsset = ({ key, ...asset }: SourceMedia) => checkMedia(asset)
  return (item) => {
    if (item.kind === 'picture') {
      const check = checkAsset(item.media)
      return check.ok ? item : toFault(item.path, check.faults)
    }
    const post = item
    const { title, content, excerpt, slug, tags, seo } = post
    const checks = [
      checkPost({ title, content, excerpt, tags, seo, ...(slug !== null && { slug }) }),
      ...post.authors.map(({ key, ...author }) => checkAuthor(author)),
      ...post.categories.map((name) => checkCategory({ name })),
      ...post.media.map(checkAsset),
    ]
    const faults = checks.flatMap((check) => (check.ok ? [] : check.faults))
    return faults.length > 0 ? toFault(post.path, faults) : forImport(post)
  }
}

/** What a post of the source becomes once it is compared with what is here. */
export interface Matches {
  readonly references: PostReferences
  readonly tags: readonly NamedTag[]
  /** Those that no other post has. */
  readonly aliases: readonly string[]
}

/** The edits that make a post what its source says now. A draft has no dates. */
export function editsOf(post: ImportPost, { references, tags, aliases }: Matches, now: Instant): PostEdits & { readonly title: string } {
  const { title, content, excerpt, seo } = post
  return { title: title.trim(), content, excerpt, tags, aliases, seo, ...references, ...stateOf(post, now) }
}

function stateOf({ status, date }: ImportPost, now: Instant): Pick<PostEdits, 'status' | 'publishedAt' | 'scheduledFor'> {
  if (status === 'draft' || date === null) return { status }
  if (date <= now) return { status, publishedAt: date }
  return status === 'archived' ? { status } : { status: 'scheduled', scheduledFor: date }
}

function toFault(path: string, faults: readonly Fault[]): SourceFault {
  return { kind: 'fault', path, line: null, message: faults.map(({ detail }) => detail).join(' ') }
}

/** By name: a source may give its posts more fields. */
function forImport(post: SourcePost): ImportPost {
  const { kind, path, hash, title, content, excerpt, slug, date, status, authors, categories, tags, seo, media, losses = {} } = post
  const notes = [...post.notes]
  const aliases = fitAliases(post.aliases, (sentence) => notes.push(sentence))
  return { kind, path, hash, title, content, excerpt, slug, date, status, authors, categories, tags, seo, aliases, media, notes, losses }
}
