import type { ProblemDocument } from './api.ts'
import { EtagCache } from './etag-cache.ts'
import { Problem } from './problem.ts'

export interface VersoOptions {
  /** Where Verso answers, such as `https://content.example.com`. */
  readonly url: string
  /** An API key. A public one may stand in a web page. Without a key only preview tokens open something. */
  readonly key?: string | KeySource | undefined
  /** Another `fetch`, such as one that caches. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a request is sent again; 3 if left out. */
  readonly retries?: number | undefined
  /** How long one try may take, in milliseconds; 30,000 if left out, `Infinity` for as long as it takes. */
  readonly timeoutMs?: number | undefined
  /** How many characters of answers are kept to be revalidated; 4,000,000 if left out, 0 for none. */
  readonly cacheSize?: number | undefined
}

/** Gives a key or a token that holds, for every request anew. It is asked once more where one was refused. A `Problem` that it throws counts as the answer; what else it throws ends the call. */
export type KeySource = (refused?: string) => Promise<string>

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** What a write changes, as it was read, or its version or ETag: the write fails with `stale_version` if there is a newer one. */
  readonly ifMatch?: number | string | { readonly version: number } | undefined
  /** A key of your own, so that a write can be repeated by another process, too. Without it, each call makes one. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of those of the client. */
  readonly retries?: number | undefined
  readonly timeoutMs?: number | undefined
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

/** Timers that are given more fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Passing troubles. A write is repeated under its `Idempotency-Key`, so it is done once. */
const passing = [0, 408, 429, 500, 502, 503, 504]

/** The only answers that are no JSON. */
const feed = /\.xml(\?|$)/

/** Sends requests until one is answered, and revalidates what it has kept. */
export class Sender {
  readonly #options: VersoOptions
  readonly #base: string
  readonly #cache: EtagCache
  /** Of the answers that somebody still has. */
  readonly #etags = new WeakMap<object, string>()

  constructor(options: VersoOptions) {
    this.#options = options
    this.#base = new URL(options.url).href.replace(/(?<!\/)\/+$/, '')
    this.#cache = new EtagCache(options.cacheSize ?? 4_000_000)
  }

  async send(exchange: Exchange): Promise<unknown> {
    const retries = exchange.retries ?? this.#options.retries ?? 3
    const headers = this.#headersOf(exchange)
    for (let tried = 0; ; tried++) {
      const outcome = await this.#try(exchange, headers)
      if ('text' in outcome) return this.#read(outcome, exchange.path)
      const { problem, retryAfterMs } = outcome
      const isPassing = passing.includes(problem.status) || problem.code === 'idempotency_in_progress'
      if (!isPassing || tried >= retries || retryAfterMs > longestPauseMs) throw problem
      const pauseMs = Math.random() * Math.min(300 * 3 ** tried, longestPauseMs)
      await pause(Math.max(retryAfterMs, pauseMs), exchange.signal)
    }
  }

  /** Parsed anew each time, so that nobody changes what is kept. */
  #read(answer: Answer, path: string): unknown {
    if (answer.text === '') return undefined
    if (feed.test(path) && answer.text.startsWith('<?xml')) return answer.text
    const body = parse(answer)
    if (answer.etag && typeof body === 'object' && body) this.#etags.set(body, answer.etag)
    return body
  }

  /** Made once for all tries of a call. */
  #headersOf({ method, body, ifMatch, idempotencyKey, headers }: Exchange): Headers {
    const made = new Headers({ accept: 'application/json', ...headers })
    if (body !== undefined) made.set('content-type', 'application/json')
    const tag = this.#tagOf(ifMatch)
    if (tag !== undefined) made.set('if-match', typeof tag === 'number' ? `"${tag}"` : tag)
    if (method !== 'GET') made.set('idempotency-key', idempotencyKey ?? crypto.randomUUID())
    return made
  }

  /** A write that is to depend on something does, or is not sent. */
  #tagOf(ifMatch: RequestOptions['ifMatch']): number | string | undefined {
    if (typeof ifMatch !== 'object') return ifMatch
    const tag = this.#etags.get(ifMatch) ?? ifMatch.version
    if (tag === undefined) throw new TypeError('ifMatch has no version, and the client does not know its ETag')
    return tag
  }

  async #try(exchange: Exchange, shared: Headers): Promise<Answer | Failure> {
    const { method, path, signal, timeoutMs = this.#options.timeoutMs ?? 30_000 } = exchange
    const url = this.#base + path
    const headers = new Headers(shared)
    const kept = method === 'GET' ? this.#cache.get(url) : undefined
    if (kept) headers.set('if-none-match', kept.etag)
    signal?.throwIfAborted()
    const limit = limited(signal, timeoutMs + (exchange.extraMs ?? 0))
    try {
      const response = await this.#fetch(url, exchange, headers, limit.signal)
      if (response.status === 304 && kept) return { status: 304, ...kept }
      const text = await response.text().catch(this.#unreachable)
      if (!response.ok) return { problem: problemOf(response.status, text), retryAfterMs: pauseAskedFor(response.headers) }
      this.#keep(exchange, url, response.headers, text)
      return { status: response.status, text, etag: response.headers.get('etag') }
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof Problem) return { problem: cause, retryAfterMs: 0 }
      throw cause
    } finally {
      limit.end()
    }
  }

  async #fetch(url: string, exchange: Exchange, headers: Headers, signal: AbortSignal, refused?: string): Promise<Response> {
    const { fetch = globalThis.fetch, key: given } = this.#options
    const { method, body } = exchange
    const source = exchange.anonymous ? undefined : given
    const key = typeof source === 'function' ? await Promise.race([source(refused), aborted(signal).catch(this.#unreachable)]) : source
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    const request = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(url, request).catch(this.#unreachable)
    const mayRenew = typeof source === 'function' && refused === undefined
    return response.status === 401 && mayRenew ? this.#fetch(url, exchange, headers, signal, key) : response
  }

  readonly #unreachable = (cause: unknown): never => {
    throw new Problem(0, { detail: `Verso does not answer at ${this.#base}.` }, 'unreachable', cause)
  }

  #keep({ method }: Exchange, url: string, headers: Headers, text: string): void {
    const etag = headers.get('etag')
    if (method === 'GET' && etag && !/no-store/.test(headers.get('cache-control') ?? '')) this.#cache.set(url, { etag, text })
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly etag: string | null
}

interface Failure {
  readonly problem: Problem
  readonly retryAfterMs: number
}

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
  const late = () => controller.abort(new Error(`No answer within ${timeoutMs} ms`))
  const timer = setTimeout(late, Math.min(timeoutMs, longestTimerMs))
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

/** Rejects when the signal does. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/** Rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, Math.max(ms, 0))
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
