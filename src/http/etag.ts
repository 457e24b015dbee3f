import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type VersionCheck, versionsOfTags } from '../versions.ts'

/** The encoding of the representation; part of every tag, for the bytes differ. */
const encoding = 'identity'

/** A strong tag of a representation with a version: `"<version>.<hash>"`. `If-Match` looks at the version alone. */
export function versionTag(version: number, bytes: string): string {
  return `"${version}.${digest([encoding, bytes])}"`
}

/** A strong tag of anything, made from whatever decides its bytes. */
export function tagOf(...parts: readonly unknown[]): string {
  return `"${digest([encoding, ...parts])}"`
}

/** Whether the client has this very representation already (RFC 9110 §13.1.2, §13.2.2). */
export function isKnown({ headers }: Pick<IncomingMessage, 'headers'>, tag: string): boolean {
  const sent = headers['if-none-match']
  if (sent === undefined || sent === tag) return sent === tag
  return sent.trim() === '*' || tagsIn(sent).includes(tag.slice(1, -1))
}

/** The versions that `If-Match` allows a write to change; a tag that is none of ours allows nothing. */
export function versionsIn(request: FastifyRequest): VersionCheck {
  const sent = request.headers['if-match']
  return sent === undefined ? 'any' : versionsOfTags(sent)
}

function tagsIn(header: string): readonly string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '')
}

function digest(parts: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'string' ? part : JSON.stringify(part)).update('\0')
  return hash.digest('base64url').slice(0, 22)
}
