import { isIP } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { BoundedMap } from '../../values/bounded-map.ts'
import type { Observations } from '../../values/observations.ts'
import { Problem } from '../../values/problems.ts'
import { inTime } from '../../values/stopwatch.ts'
import { type SharedFailures, windowMs } from './failed-authentication-store.ts'

/** Failed authentications of an address in a minute that are answered 401. */
export const maxFailures = 60
/** About 2 MiB. An address that falls out of it begins again. */
const maxAddresses = 10_000
const tooMany = 'too many failed authentications'

/** After this many new failures, a node tells the others. People who mistype a key cause fewer, which cost no statement. */
export const toldAtOnce = 10
/** After waiting this long for the others, a node goes on counting alone. */
const maxTellMs = 5_000

/** Adds failures of an address to those of all nodes. */
export type ShareFailures = (address: string, failures: number) => Promise<SharedFailures>

interface FailureParts {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly observations: Pick<Observations, 'rateLimited' | 'sharedCountFailed' | 'sharedCountWorked'>
  nowMs(): number
  /** Adds failures to those that all nodes have seen of an address. Missing where there is only one node. */
  readonly share?: ShareFailures | undefined
}

/** The present minute of an address, as this node knows it. */
interface Failures {
  /** Of all nodes. */
  count: number
  /** Of this node, which the others do not know of. */
  untold: number
  endsAtMs: number
  telling: Promise<void> | undefined
}

/** Where a request comes from: `ip` is believed only if it is an address (a header of a trusted proxy can hold anything). */
interface Origin {
  readonly ip: string
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * Counts a failed authentication. Returns the problem to send instead where its address has had too many in this minute. A promise only where
 * nodes share the count.
 */
export type SlowFailures = (failed: Problem, origin: Origin) => Problem | Promise<Problem>

/**
 * Slows failed authentications for each address, over all nodes (docs/decisions/0046-failed-authentications.md). It is asked only after the key
 * was found wanting, so it never refuses a valid key.
 */
export function slowFailures({ log, observations, nowMs, share }: FailureParts): SlowFailures {
  const byAddress = new BoundedMap<string, Failures>(maxAddresses)

  const failuresOf = (address: string, now: number): Failures => {
    const known = byAddress.get(address)
    const isCurrent = known !== undefined && known.endsAtMs > now && known.endsAtMs <= now + 2 * windowMs
    const failures = isCurrent ? known : { count: 0, untold: 0, endsAtMs: now + windowMs, telling: undefined }
    byAddress.set(address, failures)
    return failures
  }

  const tell = async (address: string, failures: Failures, shareWith: ShareFailures): Promise<void> => {
    const askedAtMs = nowMs()
    const told = failures.untold
    failures.untold = 0
    try {
      const shared = await inTime(shareWith(address, told), maxTellMs, () => new Error('the count of all nodes did not come in time'))
      failures.count = shared.failures
      failures.endsAtMs = askedAtMs + shared.endsInMs
      if (failures.count > maxFailures) log.warn({ address }, tooMany)
      observations.sharedCountWorked()
    } catch (error) {
      failures.untold += told
      observations.sharedCountFailed(error)
    }
    failures.telling = undefined
  }

  const judge = (failed: Problem, address: string, failures: Failures): Problem => {
    failures.count++
    if (failures.count <= maxFailures) {
      failures.untold++
      if (share && failures.untold >= toldAtOnce) failures.telling = tell(address, failures, share)
      return failed
    }
    if (failures.count === maxFailures + 1) log.warn({ address }, tooMany)
    observations.rateLimited('failed_authentications')
    const retryAfter = String(Math.max(1, Math.ceil((failures.endsAtMs - nowMs()) / 1_000)))
    const detail = `${failed.detail} More than ${maxFailures} requests of this address have failed to authenticate within a minute.`
    return new Problem('rate_limited', detail, { headers: { ...failed.headers, 'retry-after': retryAfter } })
  }

  const judgeLater = async (failed: Problem, address: string, failures: Failures): Promise<Problem> => {
    while (failures.telling) await failures.telling
    return judge(failed, address, failures)
  }

  return (failed, origin) => {
    const address = originAddress(origin)
    const failures = failuresOf(address, nowMs())
    return failures.telling ? judgeLater(failed, address, failures) : judge(failed, address, failures)
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
