import { createHash } from 'node:crypto'
import type { Instant } from './instant.ts'

/** The kinds of resource that have an id, by the prefix of the id. */
type IdPrefix = 'prj' | 'post' | 'auth' | 'med' | 'cat' | 'tag' | 'key' | 'evt' | 'whk' | 'prev' | 'req' | 'pers' | 'sess' | 'edit'

/** An opaque id: its prefix and a UUIDv7 (RFC 9562 §5.7) in lower-case Crockford base32, so that ids sort by the time they were made. */
export type Id<P extends IdPrefix> = `${P}_${string}`

export type ProjectId = Id<'prj'>
export type PostId = Id<'post'>
export type AuthorId = Id<'auth'>
export type CategoryId = Id<'cat'>
export type TagId = Id<'tag'>
export type MediaId = Id<'med'>
export type KeyId = Id<'key'>
export type PreviewId = Id<'prev'>
export type PersonId = Id<'pers'>
/** A pending edit in the changes feed. Everywhere else it is known by its post. */
export type PendingEditId = Id<'edit'>

/** The kinds of resource whose changes the log keeps. With a new one, nothing compiles until every table typed `Record<Kind, …>` has it. */
export const kinds = ['post', 'author', 'category', 'media'] as const
export type Kind = (typeof kinds)[number]

const kindPrefixes = { post: 'post', author: 'auth', category: 'cat', media: 'med' } as const satisfies Record<Kind, IdPrefix>

/** The id of a resource of this kind. */
export type IdOf<K extends Kind> = Id<(typeof kindPrefixes)[K]>

/** The kind of the resource with this id; none for the ids of anything else. */
export function kindOf(id: string): Kind | undefined {
  return kinds.find((kind) => isId(kindPrefixes[kind], id))
}

/** The id of the pending edit of a post. */
export function pendingEditId(postId: PostId): PendingEditId {
  return `edit_${postId.slice('post_'.length)}`
}

/** The post whose pending edit has this id. */
export function postOfEdit(id: PendingEditId): PostId {
  return `post_${id.slice('edit_'.length)}`
}

/** Random bytes, injected so that tests can repeat them. */
export type Random = (bytes: number) => Uint8Array

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Ten bits as two letters: twice as fast as one letter at a time. */
const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second))

export function newId<P extends IdPrefix>(prefix: P, now: Instant, random: Random): Id<P> {
  return `${prefix}_${timeLetters(Date.parse(now))}${randomLetters(random)}`
}

/** Bytes that follow from a name, for an id that must not tell when it was made. */
export function bytesFrom(projectId: ProjectId, name: string): Random {
  return (bytes) => createHash('sha256').update(`${projectId} ${name}`).digest().subarray(0, bytes)
}

/** The same id for the same name. Its time is that of the project. */
export function idFromName<P extends IdPrefix>(prefix: P, projectId: ProjectId, name: string): Id<P> {
  return `${prefix}_${projectId.slice('prj_'.length).slice(0, timeLength)}${randomLetters(bytesFrom(projectId, name))}`
}

/** Makes ids in a tenth of the time of `newId`. Every request needs one. */
export function idsOf<P extends IdPrefix>(prefix: P, clock: () => Date, random: Random): () => Id<P> {
  let last = Number.NaN
  let beginning: Id<P> = `${prefix}_`
  return () => {
    const ms = clock().getTime()
    if (ms !== last) beginning = `${prefix}_${timeLetters(ms)}`
    last = ms
    return `${beginning}${randomLetters(random)}`
  }
}

/** Whether a text looks like an id of this kind. A slug never does: it has no `_`. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`)
}

/** The UUID of an id, as RFC 9562 writes it. */
export function uuidOf(id: string): string {
  const letters = id.slice(id.indexOf('_') + 1)
  const bits = [...letters].reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n)
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const timeLength = 10

/** 48 bits of milliseconds as ten letters of five bits; the first has only three. */
function timeLetters(ms: number): string {
  const bits = (lowest: number) => twoLetters(Math.floor(Math.max(0, ms) / 2 ** lowest) % 1024)
  return `${bits(40)}${bits(30)}${bits(20)}${bits(10)}${bits(0)}`
}

/** Version, variant and 74 random bits as sixteen letters. */
function randomLetters(random: Random): string {
  const bytes = random(10)
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80
  return eightLetters(bytes, 0) + eightLetters(bytes, 5)
}

function eightLetters(bytes: Uint8Array, at: number): string {
  const middle = bytes[at + 2] ?? 0
  const high = ((bytes[at] ?? 0) << 12) | ((bytes[at + 1] ?? 0) << 4) | (middle >>> 4)
  const low = ((middle & 0x0f) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)
  return `${twoLetters(high >>> 10)}${twoLetters(high)}${twoLetters(low >>> 10)}${twoLetters(low)}`
}

/** The last ten bits of a number. */
function twoLetters(bits: number): string {
  return pairs[bits & 1023] ?? ''
}
