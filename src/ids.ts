import type { Instant } from './instant.ts'

/** The kinds of thing that have an id, by the prefix of the id. */
export type IdPrefix = 'prj' | 'post' | 'auth' | 'med' | 'cat' | 'tag' | 'key' | 'evt' | 'whk' | 'req'

/** An opaque id: its prefix and a UUIDv7 (RFC 9562 §5.7) in lower-case Crockford base32, so that ids sort by the time they were made. */
export type Id<P extends IdPrefix> = `${P}_${string}`

export type ProjectId = Id<'prj'>
export type PostId = Id<'post'>
export type AuthorId = Id<'auth'>
export type CategoryId = Id<'cat'>
export type TagId = Id<'tag'>
export type MediaId = Id<'med'>
export type KeyId = Id<'key'>

/** Random bytes, injected so that tests can repeat them. */
export type Random = (bytes: number) => Uint8Array

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function newId<P extends IdPrefix>(prefix: P, now: Instant, random: Random): Id<P> {
  const noise = random(10)
  let value = BigInt(Math.max(0, Date.parse(now))) & 0xffff_ffff_ffffn
  for (const byte of noise) value = (value << 8n) | BigInt(byte)
  value = (value & ~(0xfn << 76n)) | (0x7n << 76n)
  value = (value & ~(0x3n << 62n)) | (0x2n << 62n)
  return `${prefix}_${toBase32(value)}`
}

/** Whether a text has the form of an id of this kind. A slug never has: it knows no `_`. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`)
}

function toBase32(value: bigint): string {
  let text = ''
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += alphabet[Number((value >> shift) & 31n)]
  return text
}
