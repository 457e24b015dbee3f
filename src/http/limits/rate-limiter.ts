import type { Caller } from '../../actions/caller.ts'
import type { Observations } from '../../values/observations.ts'
import { Problem } from '../../values/problems.ts'
import { inTime } from '../../values/stopwatch.ts'
import { type Lease, type Wanted, windowMs } from './rate-window-store.ts'

/** What is counted apart: GET and HEAD, and every other method. */
type Requests = 'reads' | 'writes'

/** The most requests of a key in a minute; 0 if they are not limited. */
type RateLimits = Readonly<Record<Requests, number>>

/** Whether a request is among those that its key has in this minute. */
export interface Admission {
  readonly isAdmitted: boolean
  readonly quota: Quota
  readonly remaining: number
  readonly resetSeconds: number
}

/** The present minute of a key, as this node knows it. */
interface Quota {
  readonly requests: Requests
  readonly limit: number
  endsAtMs: number
  /** Requests that this node may still admit. */
  left: number
  /** Requests that this node has admitted. */
  admitted: number
  /** Requests that no node has taken yet. */
  untaken: number
  /** Nothing can be added to `left`. */
  isFinal: boolean
  /** Requests that wait for a lease. */
  waiting: number
  lease: Promise<void> | undefined
}

interface RateLimiterParts {
  readonly limits: RateLimits
  readonly observations: Pick<Observations, 'sharedCountFailed' | 'sharedCountWorked'>
  nowMs(): number
  /** Takes requests for this node from the minute that all nodes share. Missing where there is only one node. */
  lease?(wanted: Wanted): Promise<Lease>
}

type Counted = Pick<Caller, 'projectId' | 'actor' | 'kind' | 'now'>

export interface RateLimiter {
  /** Takes one request from the minute of the key. Undefined if the request is not limited. A promise only where nodes share a minute. */
  admit(caller: Counted, requests: Requests): Admission | Promise<Admission> | undefined
}

/** A node takes a fiftieth of the minute at once: at most some fifty statements for a key and minute, and little that others then miss. */
const leasesOfLimit = 50
/** How long a request waits for a lease. After that, the node counts alone until the minute ends. */
const maxLeaseMs = 5_000
/** A node that counts alone admits a tenth of the limit, so that ten such nodes admit no more than one limit beside what was leased. */
const nodesAlone = 10
/** From this number of quotas on, those whose minute is over are dropped before one is added. */
const maxQuotas = 10_000

/** Counts the requests of each key (docs/decisions/0041-rates-over-nodes.md). Undefined if nothing is limited. */
export function openRateLimiter({ limits, observations, nowMs, lease }: RateLimiterParts): RateLimiter | undefined {
  if (limits.reads === 0 && limits.writes === 0) return undefined
  const quotas = { reads: new Map<string, Quota>(), writes: new Map<string, Quota>() }

  const quotaOf = ({ actor }: Counted, requests: Requests, now: number): Quota => {
    const known = quotas[requests].get(actor)
    // A minute that ends much later began before the clock was set back.
    if (known && known.endsAtMs > now && known.endsAtMs <= now + 2 * windowMs) return known
    const quota = newQuota(requests, limits[requests], { endsAtMs: now + windowMs, isAlone: lease === undefined })
    if (quotas[requests].size >= maxQuotas) dropEnded(quotas[requests], now)
    quotas[requests].set(actor, quota)
    return quota
  }

  const takeLease = async (quota: Quota, { projectId, actor, now }: Counted): Promise<void> => {
    const want = Math.min(quota.limit, Math.max(Math.ceil(quota.limit / leasesOfLimit), quota.waiting))
    const askedAtMs = nowMs()
    const { requests, limit } = quota
    try {
      const asked =
        lease?.({ projectId, keyId: actor, requests, limit, want, now }) ?? Promise.reject(new Error('a node alone takes no leases'))
      const taken = await inTime(asked, maxLeaseMs, () => new Error('the lease did not come in time'))
      quota.left += taken.granted
      quota.untaken = taken.untaken
      quota.isFinal = taken.granted < want
      quota.endsAtMs = askedAtMs + taken.endsInMs
      observations.sharedCountWorked()
    } catch (error) {
      observations.sharedCountFailed(error)
      quota.left = Math.max(0, Math.min(Math.ceil(limit / nodesAlone), limit - quota.admitted))
      quota.untaken = 0
      quota.isFinal = true
    }
    quota.lease = undefined
  }

  const admitLater = async (quota: Quota, caller: Counted): Promise<Admission> => {
    quota.waiting++
    while (quota.left === 0 && !quota.isFinal) {
      quota.lease ??= takeLease(quota, caller)
      await quota.lease
    }
    quota.waiting--
    return admitNow(quota, nowMs())
  }

  return {
    admit(caller, requests) {
      // A preview token is not a key.
      if (limits[requests] === 0 || caller.kind === 'preview') return undefined
      const now = nowMs()
      const quota = quotaOf(caller, requests, now)
      return quota.left > 0 || quota.isFinal ? admitNow(quota, now) : admitLater(quota, caller)
    },
  }
}

/** A node that is alone has the whole limit from the beginning; any other takes leases. */
function newQuota(
  requests: Requests,
  limit: number,
  { endsAtMs, isAlone }: { readonly endsAtMs: number; readonly isAlone: boolean },
): Quota {
  const left = isAlone ? limit : 0
  return { requests, limit, endsAtMs, left, admitted: 0, untaken: 0, isFinal: isAlone, waiting: 0, lease: undefined }
}

function admitNow(quota: Quota, now: number): Admission {
  const isAdmitted = quota.left > 0
  if (isAdmitted) {
    quota.left--
    quota.admitted++
  }
  return { isAdmitted, quota, remaining: quota.left + quota.untaken, resetSeconds: Math.max(1, Math.ceil((quota.endsAtMs - now) / 1_000)) }
}

/** The request turned out to be free. */
export function giveBack({ isAdmitted, quota }: Admission): void {
  if (!isAdmitted) return
  quota.left++
  quota.admitted--
}

/** 429 for a request that was not admitted. */
export function refusalOf({ quota, resetSeconds }: Admission): Problem {
  const detail = `The API key has had its ${quota.limit} ${quota.requests} of this minute; the next begins in ${resetSeconds} s.`
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(resetSeconds) } })
}

/** As draft-ietf-httpapi-ratelimit-headers-11 writes them (§3, §4). */
export function rateLimitHeaders({ quota: { requests, limit }, remaining, resetSeconds }: Admission) {
  return {
    ratelimit: `"${requests}";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy': `"${requests}";q=${limit};w=${windowMs / 1_000}`,
  } as const
}

function dropEnded(quotas: Map<string, Quota>, now: number): void {
  for (const [actor, { endsAtMs }] of quotas) if (endsAtMs <= now) quotas.delete(actor)
}
