import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { markOf, parseIfMatch, tagHashLength, type VersionCheck } from '../../actions/if-match.ts'
import { shortTurns } from '../../values/event-loop.ts'
import { type Body, slicesOf } from '../body.ts'
import type { Coding } from '../content-coding.ts'

const sliceBytes = 1024 * 1024

/** The part of an ETag that is the same for every coding of a representation. */
export interface Validator {
  readonly digest: string
  /** The version of the resource and a mark of the epoch, if it has a version. `If-Match` compares only these. */
  readonly state?: string
}

/** Makes a validator from everything that determines the bytes. */
export function validatorOf(...parts: readonly unknown[]): Validator {
  return { digest: digestOf(parts) }
}

/** Like `validatorOf` for the bytes alone, without holding the event loop while there are many. */
export async function validatorOfBytes(body: Body): Promise<Validator> {
  const giveWay = shortTurns()
  const hash = createHash('sha256')
  for (const slice of slicesOf(body, sliceBytes)) {
    await giveWay()
    hash.update(slice)
  }
  return { digest: hash.update('\0').digest('base64url').slice(0, tagHashLength) }
}

export function validatorOfResource(epoch: string, { version }: { readonly version?: unknown }, bytes: string): Validator {
  return { digest: digestOf([bytes]), ...(typeof version === 'number' && { state: stateOf(epoch, version) }) }
}

export function stateOf(epoch: string, version: number): string {
  return `${version}.${markOf(epoch)}`
}

/** A strong ETag, `"<hash>"` or `"<version>.<mark><hash>"`. Each coding has its own, because the bytes differ (RFC 9110 §8.8.3.3). */
export function tagOf({ digest, state = '' }: Validator, coding: Coding): string {
  return `"${state}${coding === 'identity' ? digest : digestOf([coding, digest])}"`
}

/** The versions that `If-Match` allows a write to change. */
export function versionsIn({ epoch }: { readonly epoch: string }, request: FastifyRequest): VersionCheck {
  const sent = request.headers['if-match']
  return sent === undefined ? 'any' : parseIfMatch(sent, epoch)
}

function digestOf(parts: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'string' ? part : JSON.stringify(part)).update('\0')
  return hash.digest('base64url').slice(0, tagHashLength)
}
