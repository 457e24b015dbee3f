import type { ProjectId } from '../../../values/ids.ts'
import { isLong, jsonPieces } from '../../../values/json-pieces.ts'
import { type Post, postFieldNames } from '../post-schema.ts'

/** The JSON of a version of a post as bytes, without what changes independently: the names of author and category, and `hasPendingEdit`. */
export interface PostFragment {
  readonly projectId: ProjectId
  readonly version: number
  readonly updatedAt: string
  /** Up to the author; undefined if it was made without the content. */
  readonly whole: PostPieces | undefined
  /** The two pieces around the content, up to the author. */
  readonly beforeContent: Uint8Array
  readonly afterContent: Uint8Array
  /** After `hasPendingEdit`. */
  readonly tail: Uint8Array
  readonly cost: number
}

/** The bytes of a post's JSON, in consecutive pieces. */
export type PostPieces = readonly Uint8Array[]

type Field = keyof Post

/** The approximate memory of a fragment beside its bytes. */
const overheadBytes = 900
const contentName = Buffer.from(',"content":')

const fields: readonly Field[] = postFieldNames
const beforeContent = fields.slice(0, fields.indexOf('content'))
const afterContent = fields.slice(fields.indexOf('content') + 1, fields.indexOf('author'))
const afterPendingEdit = fields.slice(fields.indexOf('hasPendingEdit') + 1)

/** Others have turns while long content becomes JSON. */
export async function toFragment(projectId: ProjectId, post: Post, withContent: boolean): Promise<PostFragment> {
  const long = withContent && isLong(post.content) ? [contentName, ...(await jsonPieces(post.content))] : []
  const first = `{${members(post, beforeContent).slice(1)}`
  const content = withContent && long.length === 0 ? members(post, ['content']) : ''
  const second = `${members(post, afterContent)},"author":`
  const last = `${members(post, afterPendingEdit)}}`
  // Not from the buffer pool: each fragment would keep a whole pool block alive.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(first + content + second + last))
  const contentAt = bytes.write(first)
  const secondAt = contentAt + bytes.write(content, contentAt)
  const lastAt = secondAt + bytes.write(second, secondAt)
  bytes.write(last, lastAt)
  const before = bytes.subarray(0, contentAt)
  const after = bytes.subarray(secondAt, lastAt)
  const whole = long.length > 0 ? [before, ...long, after] : [bytes.subarray(0, lastAt)]
  return {
    projectId,
    version: post.version,
    updatedAt: post.updatedAt,
    whole: withContent ? whole : undefined,
    beforeContent: before,
    afterContent: after,
    tail: bytes.subarray(lastAt),
    cost: bytes.length + long.reduce((sum, { length }) => sum + length, 0) + overheadBytes,
  }
}

/** The JSON that goes between the pieces of a fragment. */
export function toNames({ author, category, hasPendingEdit }: Pick<Post, 'author' | 'category' | 'hasPendingEdit'>): Uint8Array {
  return Buffer.from(`${JSON.stringify(author)},"category":${JSON.stringify(category)},"hasPendingEdit":${hasPendingEdit}`)
}

/** The JSON of a post in pieces. */
export function piecesOf(fragment: PostFragment, names: Uint8Array, withContent: boolean): PostPieces {
  const { whole, beforeContent, afterContent, tail } = fragment
  return withContent && whole ? [...whole, names, tail] : [beforeContent, afterContent, names, tail]
}

function members(post: Post, names: readonly Field[]): string {
  return names.map((name) => `,"${name}":${JSON.stringify(post[name])}`).join('')
}
