import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { parseIfMatch, type VersionCheck } from '../../actions/if-match.ts'
import type { Coding } from '../content-coding.ts'

/** What tags of one representation are made from, whatever it is coded in. */
export interface Validator {
  readonly digest: string
  /** Of what has one; `If-Match` looks at it alone. */
  readonly version?: number
}

/** Of whatever decides the bytes. */
export function validatorOf(...parts: readonly unknown[]): Validator {
  return { digest: digestOf(parts) }
}

/** Of one resource as it is told; with its version where it has one. */
export function validatorOfResource({ version }: { readonly version?: number }, bytes: string): Validator {
  return { digest: digestOf([bytes]), ...(version !== undefined && { version }) }
}

/** A strong tag, `"<hash>"` or `"<version>.<hash>"`: another one for each coding, for the bytes differ (RFC 9110 §8.8.3.3). */
export function tagOf({ digest, version }: Validator, coding: Coding): string {
  const hash = coding === 'identity' ? digest : digestOf([coding, digest])
  return version === undefined ? `"${hash}"` : `"${version}.${hash}"`
}

/** The versions that `If-Match` allows a write to change; a tag that is none of ours allows nothing. */
export function versionsIn(request: FastifyRequest): VersionCheck {
  const sent = request.headers['if-match']
  return sent === undefined ? 'any' : parseIfMatch(sent)
}

function digestOf(parts: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'string' ? part : JSON.stringify(part)).update('\0')
  return hash.digest('base64url').slice(0, 22)
}
