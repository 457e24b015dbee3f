import type { Post } from '../../resources/posts/post-schema.ts'
import { abortAfter } from '../../values/stopwatch.ts'

/** The parts of a page of `/v1/changes` that a folder needs. */
export interface ChangePage {
  readonly data: readonly PostChange[]
  readonly nextCursor: string
  readonly hasMore: boolean
}

/** Only posts are written: a post has its author and category in itself. */
type PostChange =
  | { readonly action: 'upsert'; readonly type: 'post'; readonly id: string; readonly data: Post }
  | { readonly action: 'delete'; readonly type: 'post'; readonly id: string }
  | { readonly type: 'author' | 'category' | 'media' | 'pending_edit' }

export interface Feed {
  /** The changes after a cursor, or everything. Waits up to `waitSeconds` for one. */
  read(since: string | undefined, waitSeconds: number): Promise<ChangePage>
}

/** The service refused the request. */
export class FeedRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail)
    this.name = 'FeedRefused'
  }
}

/** The service could not be reached or could not answer. It may later. */
export class FeedAway extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'FeedAway'
  }
}

const pageSize = 100
/** Longer than any wait. */
const timeoutMs = 60_000

/** The changes feed of a service. The key is sent only in the header of requests to it. */
export function feedOf(url: URL, key: string, stop: AbortSignal): Feed {
  return {
    async read(since, waitSeconds) {
      const query = new URLSearchParams({ limit: String(pageSize), wait: String(waitSeconds), ...(since !== undefined && { since }) })
      const { ok, status, body } = await ask(`${url.href.replace(/(?<!\/)\/+$/, '')}/v1/changes?${query}`, key, stop)
      if (ok && isPage(body)) return body
      if (status >= 500 || status === 429) throw new FeedAway(`${url.origin} answered ${status}.`)
      throw refusal(url, status, body)
    },
  }
}

interface Answer extends Pick<Response, 'ok' | 'status'> {
  /** Undefined if it is not JSON. */
  readonly body: unknown
}

async function ask(address: string, key: string, stop: AbortSignal): Promise<Answer> {
  const { signal, end } = abortAfter(timeoutMs, stop)
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
  try {
    // A redirect would send the key to another address.
    const response = await fetch(address, { headers, redirect: 'error', signal })
    const { ok, status } = response
    return { ok, status, body: fromJson(await response.text()) }
  } catch (error) {
    throw new FeedAway(`${new URL(address).origin} cannot be reached: ${reasonOf(error) || 'no connection'}.`)
  } finally {
    end()
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error && error.cause instanceof Error)) return String(error)
  const { cause } = error
  // The whole message of OpenSSL names lines of its source.
  return 'reason' in cause && typeof cause.reason === 'string' ? `TLS failed (${cause.reason})` : cause.message
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isPage(body: unknown): body is ChangePage {
  return typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) && 'nextCursor' in body
}

function refusal(url: URL, status: number, body: unknown): FeedRefused {
  const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
  if (!isProblem) return new FeedRefused(status, 'none', `${url.origin} answered ${status}; is it a Verso?`)
  return new FeedRefused(status, String(body.code), String(body.detail))
}
