import { isIP } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { BoundedMap } from '../../values/bounded-map.ts'
import type { Observations } from '../../values/observations.ts'
import { Problem } from '../../values/problems.ts'

/** Failed authentications of an address in a minute that are answered 401. */
export const maxFailures = 60
const windowMs = 60_000
/** About 2 MiB. An address that falls out of it begins again. */
const maxAddresses = 10_000

interface FailureParts {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly observations: Pick<Observations, 'rateLimited'>
  nowMs(): number
}

interface Failures {
  count: number
  readonly endsAtMs: number
}

/** Where a request comes from: `ip` is believed only if it is an address (a header of a trusted proxy can hold anything). */
export interface Origin {
  readonly ip: string
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Counts a failed authentication. Returns the problem to send instead where its address has had too many in this minute. */
export type SlowFailures = (failed: Problem, origin: Origin) => Problem

/**
 * Slows failed authentications for each address (docs/decisions/0046-failed-authentications.md). It is asked only after the key was found
 * wanting, so it never refuses a valid key.
 */
export function slowFailures({ log, observations, nowMs }: FailureParts): SlowFailures {
  const byAddress = new BoundedMap<string, Failures>(maxAddresses)
  return (failed, origin) => {
    const address = originAddress(origin)
    const now = nowMs()
    const known = byAddress.get(address)
    const isCurrent = known !== undefined && known.endsAtMs > now && known.endsAtMs <= now + windowMs
    const failures = isCurrent ? known : { count: 0, endsAtMs: now + windowMs }
    failures.count++
    byAddress.set(address, failures)
    if (failures.count <= maxFailures) return failed
    if (failures.count === maxFailures + 1) log.warn({ address }, 'too many failed authentications')
    observations.rateLimited('failed_authentications')
    const retryAfter = String(Math.max(1, Math.ceil((failures.endsAtMs - now) / 1_000)))
    const detail = `${failed.detail} More than ${maxFailures} requests of this address have failed to authenticate within a minute.`
    return new Problem('rate_limited', detail, { headers: { ...failed.headers, 'retry-after': retryAfter } })
  }
}

/** The address that failures are counted for. */
export function originAddress({ ip, socket }: Origin): string {
  return networkOf(isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip)
}

/** The address of a client: an IPv4 address whole, of an IPv6 address the /64, which one client has for itself (RFC 6177 §2). */
export function networkOf(address: string): string {
  const text = address.split('%')[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1]
  if (mapped !== undefined || isIP(text) !== 6) return mapped ?? text
  const [head = '', tail] = text.split('::')
  const groupsOf = (part: string | undefined) => (part ? part.split(':') : [])
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
