import type { Instant } from './instant.ts'

/** The kinds of thing that have an id, by the prefix of the id. */
export type IdPrefix = 'prj' | 'post' | 'auth' | 'med' | 'cat' | 'tag' | 'key' | 'evt' | 'whk' | 'prev' | 'req'

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

/** Random bytes, injected so that tests can repeat them. */
export type Random = (bytes: number) => Uint8Array

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function newId<P extends IdPrefix>(prefix: P, now: Instant, random: Random): Id<P> {
  return `${prefix}_${toBase32(uuid7(Math.max(0, Date.parse(now)), random))}`
}

/** Whether a text has the form of an id of this kind. A slug never has: it knows no `_`. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`)
}

/** 48 bits of milliseconds, 74 of chance, and version and variant between them. */
function uuid7(ms: number, random: Random): Uint8Array {
  const bytes = new Uint8Array(16)
  for (let i = 5, rest = ms; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  bytes.set(random(10), 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes
}

/** 128 bits as 26 letters of five bits each, the first of which has but three. */
function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 2
  let rest = 0
  for (const byte of bytes) {
    rest = (rest << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(rest >>> (bits - 5)) & 31]
    rest &= 0xff
  }
  return text
}
