import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { encryptionKeyOf, type RepeatableRequest } from '../../actions/idempotency/stored-response.ts'
import { Problem } from '../../values/problems.ts'
import { tokenOf } from './authentication.ts'
import { pathOf } from './query.ts'

const header = 'idempotency-key'
const maxCharacters = 255

export function hasIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[header] !== undefined
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What identifies a repeat of the request, if it has an `Idempotency-Key`; 400 for an invalid one. */
export function repeatableOf(request: FastifyRequest, hasSecret: boolean): RepeatableRequest | undefined {
  // A request within the process has no distinct headers.
  if (!hasIdempotencyKey(request)) return undefined
  const sent = request.raw.headersDistinct[header] ?? []
  const key = sent.length === 1 ? readKey(sent[0] ?? '') : undefined
  if (key === undefined || key.length < 1 || key.length > maxCharacters)
    throw new Problem('malformed_request', `The header Idempotency-Key takes one key of 1 to ${maxCharacters} printable ASCII characters.`)
  const query = request.raw.url?.split('?').slice(1).join('?') ?? ''
  const hash = hashOf(Buffer.from(JSON.stringify([request.method, pathOf(request), query, request.bodyHash ?? ''])))
  return { key, hash, encryptionKey: hasSecret ? encryptionKeyOf(tokenOf(request.raw) ?? '', key) : undefined }
}

/** Bare, or as a quoted string (RFC 8941 §3.3.3): both are the same key. */
function readKey(text: string): string | undefined {
  if (!/^[ -~]*$/.test(text)) return undefined
  if (!text.startsWith('"')) return text
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)
  return quoted?.[1]?.replace(/\\(["\\])/g, '$1')
}
