import type { Random } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Pauses after the first, second, … failed try, as the Standard Webhooks specification recommends; daily afterwards. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** How long after its first try a delivery fails for good. */
const deliveryLifeMs = 7 * day
/** How long an endpoint may fail without a success before it is disabled. */
const patienceMs = 5 * day
/** Failures that lie further apart are not one failure that lasts. While something waits, it is tried at least every 26 hours. */
const longestGapMs = 2 * day
/** The first and the longest pause between rounds of tries of a failing endpoint. */
const firstRestMs = 5 * second
const longestRestMs = 5 * minute
/** Pauses vary by a tenth, so that deliveries that failed together are not retried together. */
const jitter = 0.1

/** When a delivery is tried again after this many failures; none if it has failed for good. */
export function nextTry(tries: number, firstTriedAt: Instant, now: Instant, random: Random): Instant | undefined {
  if (now >= later(firstTriedAt, deliveryLifeMs)) return undefined
  return later(now, varied(pausesMs[tries - 1] ?? day, random))
}

/** When an endpoint is tried again after this many rounds without a success. New deliveries wait no longer than this. */
export function restUntil(failures: number, now: Instant, random: Random): Instant {
  return later(now, varied(Math.min(firstRestMs * 2 ** Math.min(failures - 1, 10), longestRestMs), random))
}

/** Whether a failure belongs to those before it. It does not where nothing was tried for days: there was a test alone, or the service was down. */
export function goesOnFailing(wakeAt: Instant | '', now: Instant): boolean {
  return wakeAt !== '' && now <= later(wakeAt, longestGapMs)
}

export function isHopeless(failingSince: Instant, now: Instant): boolean {
  return now >= later(failingSince, patienceMs)
}

function varied(ms: number, random: Random): number {
  const chance = Buffer.from(random(4)).readUInt32BE() / 2 ** 32
  return Math.round(ms * (1 + jitter * (2 * chance - 1)))
}
