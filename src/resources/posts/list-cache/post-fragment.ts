import { fold } from '../../../values/case-fold.ts'
import type { AuthorId, CategoryId, PostId, ProjectId } from '../../../values/ids.ts'
import { Post } from '../post-schema.ts'

/**
 * The JSON of a post as bytes, but for its author and category, who may change without it. One version of a post has the same part always, so
 * a part holds as long as the version does.
 */
export interface PostPart {
  readonly projectId: ProjectId
  readonly id: PostId
  readonly authorId: AuthorId | null
  readonly categoryId: CategoryId | null
  readonly version: number
  readonly updatedAt: string
  /** The same in milliseconds. */
  readonly updatedAtMs: number
  /** From its beginning to its author; none where it was made without content. */
  readonly whole: Uint8Array | undefined
  /** The same in two pieces with the content left out. */
  readonly beforeContent: Uint8Array
  readonly afterContent: Uint8Array
  /** From behind its category to its end. */
  readonly tail: Uint8Array
  readonly cost: number
}

/** The bytes of a post's JSON in pieces that stand one after the other. */
export type PostPieces = readonly Uint8Array[]

type Field = keyof Post

/** What the views of a part, its keys and its place in a map take beside its bytes, about. */
const overheadBytes = 900

const fields = Object.keys(Post.properties) as readonly Field[]
const beforeContent = fields.slice(0, fields.indexOf('content'))
const afterContent = fields.slice(fields.indexOf('content') + 1, fields.indexOf('author'))
const afterCategory = fields.slice(fields.indexOf('category') + 1)

export function toPart(projectId: ProjectId, post: Post, withContent: boolean): PostPart {
  const first = `{${members(post, beforeContent).slice(1)}`
  const content = withContent ? members(post, ['content']) : ''
  const second = `${members(post, afterContent)},"author":`
  const last = `${members(post, afterCategory)}}`
  // Not from the pool of small buffers, of which each would keep a neighbourhood alive.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(first + content + second + last))
  const contentAt = bytes.write(first)
  const secondAt = contentAt + bytes.write(content, contentAt)
  const lastAt = secondAt + bytes.write(second, secondAt)
  bytes.write(last, lastAt)
  return {
    projectId,
    id: post.id as PostId,
    authorId: (post.author?.id ?? null) as AuthorId | null,
    categoryId: (post.category?.id ?? null) as CategoryId | null,
    version: post.version,
    updatedAt: post.updatedAt,
    updatedAtMs: Date.parse(post.updatedAt),
    whole: withContent ? bytes.subarray(0, lastAt) : undefined,
    beforeContent: bytes.subarray(0, contentAt),
    afterContent: bytes.subarray(secondAt, lastAt),
    tail: bytes.subarray(lastAt),
    cost: bytes.length + overheadBytes,
  }
}

/** The JSON of an author and a category, as it stands between the pieces of a part. */
export function toNames({ author, category }: Pick<Post, 'author' | 'category'>): Uint8Array {
  return Buffer.from(`${JSON.stringify(author)},"category":${JSON.stringify(category)}`)
}

/** A post in the order of its bytes. */
export function piecesOf(part: PostPart, names: Uint8Array, withContent: boolean): PostPieces {
  return withContent && part.whole ? [part.whole, names, part.tail] : [part.beforeContent, part.afterContent, names, part.tail]
}

/** The columns that a post is sorted by. */
export function sortKeysOf({ beforeContent, afterContent, tail }: PostPart): Readonly<Record<string, string>> {
  const text = Buffer.concat([beforeContent, afterContent, Buffer.from('null'), tail]).toString()
  const post = JSON.parse(text) as Omit<Post, 'content' | 'category'>
  return {
    id: post.id,
    published_at: post.publishedAt ?? '',
    created_at: post.createdAt,
    updated_at: post.updatedAt,
    scheduled_for: post.scheduledFor ?? '',
    title_folded: fold(post.title),
    title: post.title,
    slug: post.slug,
    status: post.status,
  }
}

function members(post: Post, names: readonly Field[]): string {
  return names.map((name) => `,"${name}":${JSON.stringify(post[name])}`).join('')
}
