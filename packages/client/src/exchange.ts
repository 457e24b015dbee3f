import type { ProblemDocument } from './api.ts'
import { EtagCache } from './etag-cache.ts'
import { Problem } from './problem.ts'

export interface VersoOptions {
  /** Where Verso answers, such as `https://content.example.com`. */
  readonly url: string
  /** An API key. A public one may stand in a web page. Without a key only preview tokens open something. */
  readonly key?: string | undefined
  /** Another `fetch`, such as one that caches. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a request is sent again; 3 if left out. */
  readonly retries?: number | undefined
  /** How long one try may take, in milliseconds; 30,000 if left out. */
  readonly timeoutMs?: number | undefined
  /** How many characters of answers are kept to be revalidated; 4,000,000 if left out, 0 for none. */
  readonly cacheSize?: number | undefined
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** The version of what a write changes, or its ETag: the write fails with `stale_version` if there is a newer one. */
  readonly ifMatch?: number | string | undefined
  /** A key of your own, so that a write can be repeated by another process, too. Without it, each call makes one. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Exchange extends RequestOptions {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The key stays at home: a preview token says who asks. */
  readonly anonymous?: boolean
  /** For an answer that waits. */
  readonly extraMs?: number
}

/** No wait is longer: what asks for more is told to the caller. */
const longestPauseMs = 60_000

/** Passing troubles. A write is repeated under its `Idempotency-Key`, so it is done once. */
const passing = [0, 408, 429, 500, 502, 503, 504]

/** Sends requests until one is answered, and revalidates what it has kept. */
export class Sender {
  readonly #options: VersoOptions
  readonly #base: string
  readonly #cache: EtagCache

  constructor(options: VersoOptions) {
    this.#options = options
    this.#base = new URL(options.url).href.replace(/\/+$/, '')
    this.#cache = new EtagCache(options.cacheSize ?? 4_000_000)
  }

  async send(exchange: Exchange): Promise<unknown> {
    const { retries = 3 } = this.#options
    const headers = this.#headersOf(exchange)
    for (let tried = 0; ; tried++) {
      const outcome = await this.#try(exchange, headers)
      if ('text' in outcome) return outcome.text === '' ? undefined : parse(outcome)
      const { problem, retryAfterMs } = outcome
      const isPassing = passing.includes(problem.status) || problem.code === 'idempotency_in_progress'
      if (!isPassing || tried >= retries || retryAfterMs > longestPauseMs) throw problem
      await pause(Math.max(retryAfterMs, Math.random() * 300 * 3 ** tried), exchange.signal)
    }
  }

  /** Made once for all tries of a call. */
  #headersOf({ method, body, anonymous, ifMatch, idempotencyKey, headers }: Exchange): Headers {
    const made = new Headers({ accept: 'application/json', ...headers })
    const { key } = this.#options
    if (key !== undefined && !anonymous) made.set('authorization', `Bearer ${key}`)
    if (body !== undefined) made.set('content-type', 'application/json')
    if (ifMatch !== undefined) made.set('if-match', typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch)
    if (method !== 'GET') made.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    return made
  }

  async #try(exchange: Exchange, headers: Headers): Promise<Answer | Failure> {
    const { method, path, body, signal } = exchange
    const { fetch = globalThis.fetch, timeoutMs = 30_000 } = this.#options
    const url = this.#base + path
    const kept = method === 'GET' ? this.#cache.get(url) : undefined
    if (kept) headers.set('if-none-match', kept.etag)
    signal?.throwIfAborted()
    const limit = limited(signal, timeoutMs + (exchange.extraMs ?? 0))
    try {
      const response = await fetch(url, {
        method,
        headers,
        signal: limit.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.status === 304 && kept) return { status: 304, text: kept.text }
      const text = await response.text()
      if (!response.ok) return { problem: problemOf(response.status, text), retryAfterMs: pauseAskedFor(response.headers) }
      this.#keep(exchange, url, response.headers, text)
      return { status: response.status, text }
    } catch (cause) {
      signal?.throwIfAborted()
      return { problem: new Problem(0, { detail: `Verso does not answer at ${this.#base}.` }, 'unreachable', cause), retryAfterMs: 0 }
    } finally {
      limit.end()
    }
  }

  #keep({ method }: Exchange, url: string, headers: Headers, text: string): void {
    const etag = headers.get('etag')
    if (method === 'GET' && etag && !/no-store/.test(headers.get('cache-control') ?? '')) this.#cache.set(url, { etag, text })
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

interface Failure {
  readonly problem: Problem
  readonly retryAfterMs: number
}

/** Parsed anew each time, so that nobody changes what is kept. */
function parse({ status, text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem(status, { detail: 'The answer is not JSON. Is this the address of Verso?' }, 'unexpected_answer', cause)
  }
}

function problemOf(status: number, text: string): Problem {
  try {
    const document: unknown = JSON.parse(text)
    return new Problem(status, typeof document === 'object' && document ? (document as Partial<ProblemDocument>) : {})
  } catch {
    // A proxy in between has answered.
    return new Problem(status, {})
  }
}

/** Retry-After (RFC 9110, section 10.2.3) in milliseconds: seconds or a date. */
function pauseAskedFor(headers: Headers): number {
  const value = headers.get('retry-after')
  if (value === null) return 0
  return Math.max(0, /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()) || 0
}

/** A signal that follows another one, and ends after a time. */
function limited(signal: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs)
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
