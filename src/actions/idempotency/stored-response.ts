import type { StoredResponseTable } from '../../database/tables.ts'
import { type Instant, later } from '../../values/instant.ts'
import { Problem } from '../../values/problems.ts'

/** A finished answer to a write, as it goes out. */
export interface WrittenResponse {
  readonly status: number
  /** Those that belong to this answer: `etag`, `location`. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON; empty where there is nothing to show. */
  readonly body: string
  /** The resource that the body shows; `''` where it shows several, null where it shows none. */
  readonly resourceId: string | null
}

/** A request that may come again. */
export interface RepeatableRequest {
  /** As the client chose it. */
  readonly key: string
  /** Of all that a repeat must have in common. */
  readonly hash: string
  /** What the answer is encrypted with, base64url, where it holds a secret. */
  readonly seal: string | undefined
}

/** The answer that was kept for a request. */
export interface StoredResponse extends WrittenResponse {
  readonly bodyState: StoredResponseTable['body_state']
  readonly requestHash: string
}

/** How long a repeat waits for the first request to end: docs/reference/api.md#idempotency. */
export const patienceMs = 5_000
/** How long a response is stored. */
const keptHours = 24
const hourMs = 60 * 60 * 1000

/** What was stored at this moment or before it is forgotten. */
export function answerHorizon(now: Instant): Instant {
  return later(now, -keptHours * hourMs)
}

/** 422 where the key was used for another request; 404 where what the answer showed was erased since. */
export function requireRepeat(stored: StoredResponse, requestHash: string): void {
  if (stored.requestHash !== requestHash)
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key came with another method, path, query or body before.')
  if (stored.bodyState === 'erased') throw new Problem('not_found', 'This request was done before, and what it made has been erased since.')
}

export function inProgress(): Problem {
  return new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running; repeat it in a moment.')
}
