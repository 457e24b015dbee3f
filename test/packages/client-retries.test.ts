import { Problem, Verso } from '@verso/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { scripted } from './fetches.ts'

const answer = (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
const problem = (status: number, code: string, headers?: Readonly<Record<string, string>>) =>
  answer(status, { status, code, detail: code }, headers)
const client = (fetch: typeof globalThis.fetch, options = {}) => new Verso({ url: 'http://verso.test', key: 'key', fetch, ...options })

// Without chance there is no pause between tries, unless an answer asks for one.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

it.each([408, 429, 500, 502, 503, 504])('an answer %i is tried again', async (status) => {
  const { fetch, calls } = scripted(answer(status, '<html>'), answer(200, { id: 'post_1' }))
  expect(await client(fetch).posts.get('hello')).toEqual({ id: 'post_1' })
  expect(calls.length).toBe(2)
})

it.each([400, 401, 403, 404, 409, 410, 412, 413, 422, 501])('an answer %i is final', async (status) => {
  const { fetch, calls } = scripted(problem(status, 'not_found'))
  await expect(client(fetch).posts.get('hello')).rejects.toMatchObject({ status, code: 'not_found' })
  expect(calls.length).toBe(1)
})

it('tries end: four at most, or as many as the client was told', async () => {
  const down = () => new TypeError('fetch failed')
  const { fetch, calls } = scripted(down(), problem(503, 'overloaded'), down(), down())
  const failed = await client(fetch)
    .posts.get('hello')
    .catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(Problem)
  expect(failed).toMatchObject({
    code: 'unreachable',
    status: 0,
    message: 'Verso does not answer at http://verso.test.',
    cause: { message: 'fetch failed' },
  })
  expect(calls.length).toBe(4)
  const once = scripted(problem(503, 'overloaded'))
  await expect(client(once.fetch, { retries: 0 }).posts.get('hello')).rejects.toMatchObject({ code: 'overloaded' })
  expect(once.calls.length).toBe(1)
  const impatient = scripted(down())
  await expect(client(impatient.fetch).posts.get('hello', {}, { retries: 0 })).rejects.toMatchObject({ code: 'unreachable' })
  expect(impatient.calls.length).toBe(1)
})

it('one call may take less time than others', async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const asked = client(never).posts.get('hello', {}, { retries: 0, timeoutMs: 1 })
  await expect(asked).rejects.toMatchObject({ code: 'unreachable', cause: { message: 'No answer within 1 ms' } })
})

it.each([Number.POSITIVE_INFINITY, 2 ** 31])('a time of %d ms, more than a timer can have, ends no request', async (timeoutMs) => {
  const slow: typeof fetch = (_, init) =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      setTimeout(() => resolve(answer(200, { id: 'post_1' })), 20)
    })
  expect(await client(slow, { timeoutMs, retries: 0 }).posts.get('hello')).toEqual({ id: 'post_1' })
})

it('a function gives the key for each request, and another one where it was refused, once', async () => {
  const { fetch, calls } = scripted(
    answer(200),
    problem(401, 'unauthenticated'),
    answer(200),
    ...Array(2).fill(problem(401, 'unauthenticated')),
  )
  let made = 1
  const key = async (refused?: string) => (refused ? `key-${++made}` : `key-${made}`)
  const verso = client(fetch, { key })
  for (let i = 0; i < 2; i++) await verso.posts.list()
  await expect(verso.posts.list()).rejects.toMatchObject({ status: 401 })
  const keys = calls.map(({ headers }) => headers.get('authorization'))
  expect(keys).toEqual(['key-1', 'key-1', 'key-2', 'key-2', 'key-3'].map((each) => `Bearer ${each}`))
  const none = async () => {
    throw new Problem(403, { code: 'insufficient_scope' })
  }
  await expect(client(fetch, { key: none }).posts.list()).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' })
})

it('what was read and is changed goes with its whole ETag, or its version where that is not known', async () => {
  const etag = '"3.abc"'
  const read = () => answer(200, { id: 'post_1', version: 3 }, { etag })
  const { fetch, calls } = scripted(read(), new Response(null, { status: 304 }), read(), answer(200))
  const verso = client(fetch)
  await verso.posts.get('hello')
  const post = await verso.posts.get('hello')
  const changed = await verso.posts.update('hello', { title: 'New' }, { ifMatch: post })
  await verso.posts.update('hello', { title: 'Newer' }, { ifMatch: { ...changed } })
  expect(calls.map(({ headers }) => headers.get('if-match'))).toEqual([null, null, etag, '"3"'])
})

it('a write that depends on what was read without its version is not sent', async () => {
  const { fetch, calls } = scripted(answer(200, { data: [{ id: 'post_1', title: 'Old' }], pagination: {} }))
  const verso = client(fetch)
  const { data } = await verso.posts.list({ fields: ['title'] })
  const update = verso.posts.update('post_1', { title: 'New' }, { ifMatch: data[0] as never })
  await expect(update).rejects.toThrow(new TypeError('ifMatch has no version, and the client does not know its ETag'))
  expect(calls.length).toBe(1)
})

it('an answer that is no longer kept when a request is tried again is not revalidated', async () => {
  const read = (id: string) => answer(200, { id }, { etag: '"1.abc"' })
  const verso = client(async (input, init) => answers.shift()?.(String(input), new Headers(init?.headers)) ?? answer(500), {
    cacheSize: 20,
  })
  const answers: ((url: string, headers: Headers) => Response | Promise<Response>)[] = [
    () => read('post_1'),
    // Meanwhile, another answer takes the place of the first.
    async () => verso.posts.get('other').then(() => answer(503)),
    () => read('post_2'),
    (_, headers) => (headers.has('if-none-match') ? new Response(null, { status: 304 }) : read('post_3')),
  ]
  await verso.posts.get('hello')
  expect(await verso.posts.get('hello')).toEqual({ id: 'post_3' })
})

it('a signal and the time of a try end the wait for a key, too', async () => {
  const { fetch, calls } = scripted()
  const key = () => new Promise<string>(() => undefined)
  const stop = new AbortController()
  const waiting = client(fetch, { key }).posts.list({}, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  const slow = client(fetch, { key, timeoutMs: 5, retries: 0 }).posts.list()
  await expect(slow).rejects.toMatchObject({ code: 'unreachable', cause: { message: 'No answer within 5 ms' } })
  expect(calls).toEqual([])
})

it('a fault of the caller is thrown as it is and at once: of the function that gives the key, or of a body that is no JSON', async () => {
  const { fetch, calls } = scripted()
  const asked: unknown[] = []
  const key = async (refused?: string) => {
    asked.push(refused)
    throw new RangeError('no key')
  }
  await expect(client(fetch, { key }).posts.list()).rejects.toThrow(new RangeError('no key'))
  expect(asked).toEqual([undefined])
  const seo: Record<string, unknown> = {}
  seo.title = seo
  await expect(client(fetch).posts.create({ title: 'Circle', seo } as never)).rejects.toThrow('circular')
  expect(calls).toEqual([])
})

it('a write keeps its Idempotency-Key over all tries, and another call has another', async () => {
  const { fetch, calls } = scripted(new TypeError('cut'), problem(409, 'idempotency_in_progress'), answer(201), answer(201))
  const verso = client(fetch)
  await verso.posts.create({ title: 'Once' })
  await verso.posts.create({ title: 'Another' })
  const keys = calls.map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys.slice(0, 3)).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[3]).not.toBe(keys[0])
  const own = scripted(answer(200))
  await client(own.fetch).posts.update('hello', { title: 'Mine' }, { idempotencyKey: 'mine', ifMatch: 3 })
  expect(own.calls.map(({ headers }) => [headers.get('idempotency-key'), headers.get('if-match')])).toEqual([['mine', '"3"']])
})

it('a read has no Idempotency-Key', async () => {
  const { fetch, calls } = scripted(answer(200))
  await client(fetch).posts.list()
  expect(calls[0]?.headers.has('idempotency-key')).toBe(false)
})

it('Retry-After is waited for, in seconds or as a date, but not for more than a minute', async () => {
  vi.useFakeTimers({ now: new Date('2026-06-01T12:00:00Z') })
  try {
    for (const retryAfter of ['7', 'Mon, 01 Jun 2026 12:00:07 GMT']) {
      vi.setSystemTime('2026-06-01T12:00:00Z')
      const { fetch, calls } = scripted(problem(429, 'rate_limited', { 'retry-after': retryAfter }), answer(200, { id: 'post_1' }))
      const reading = client(fetch).posts.get('hello')
      await vi.advanceTimersByTimeAsync(6_900)
      expect(calls.length).toBe(1)
      await vi.advanceTimersByTimeAsync(200)
      expect(await reading).toEqual({ id: 'post_1' })
    }
  } finally {
    vi.useRealTimers()
  }
  const { fetch, calls } = scripted(problem(429, 'rate_limited', { 'retry-after': '3600' }))
  await expect(client(fetch).posts.get('hello')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(calls.length).toBe(1)
})

it('pauses grow, and chance spreads them', async () => {
  vi.restoreAllMocks()
  vi.useFakeTimers()
  try {
    const pauses = vi.spyOn(globalThis, 'setTimeout')
    for (const chance of [0.5, 1]) {
      vi.spyOn(Math, 'random').mockReturnValue(chance)
      const reading = client(scripted().fetch)
        .posts.get('hello')
        .catch(() => undefined)
      await vi.advanceTimersByTimeAsync(10_000)
      await reading
    }
    expect(pauses.mock.calls.map(([, ms]) => ms).filter((ms) => ms !== 30_000)).toEqual([150, 450, 1350, 300, 900, 2700])
  } finally {
    // The clock that is spied on goes first.
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

it('pauses between many tries grow to a minute, and no more', async () => {
  vi.restoreAllMocks()
  vi.useFakeTimers()
  try {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const pauses = vi.spyOn(globalThis, 'setTimeout')
    const reading = client(scripted().fetch, { retries: 8 })
      .posts.get('hello')
      .catch(() => undefined)
    await vi.advanceTimersByTimeAsync(300_000)
    await reading
    const made = pauses.mock.calls.map(([, ms]) => ms).filter((ms) => ms !== 30_000)
    expect(made).toEqual([300, 900, 2_700, 8_100, 24_300, 60_000, 60_000, 60_000])
  } finally {
    // The clock that is spied on goes first.
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

it('changes: a service that answers long polls at once, as while it stops, is asked once a second, others at once; a signal ends the pause', async () => {
  vi.useFakeTimers()
  try {
    const empty = () => answer(200, { data: [], nextCursor: 'c', hasMore: false })
    const stop = new AbortController()
    const { fetch, calls } = scripted(empty(), empty(), empty())
    const late: typeof globalThis.fetch = async (...input) => {
      const response = await fetch(...input)
      if (calls.length === 2) await new Promise((over) => setTimeout(over, 30_000))
      return response
    }
    const following = client(late)
      .changes({ since: 'c', wait: 30, signal: stop.signal })
      .next()
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(900)
    expect(calls.length).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(calls.length).toBe(2)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(calls.length).toBe(3)
    stop.abort('enough')
    expect(await following).toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('a signal ends a request and a pause', async () => {
  const stop = new AbortController()
  const { fetch } = scripted(problem(503, 'overloaded', { 'retry-after': '30' }))
  const reading = client(fetch).posts.get('hello', {}, { signal: stop.signal })
  setTimeout(() => stop.abort(new Error('enough')), 5)
  await expect(reading).rejects.toThrow('enough')
  const hanging: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const other = new AbortController()
  const waiting = client(hanging).posts.list({}, { signal: other.signal })
  other.abort(new Error('now'))
  await expect(waiting).rejects.toThrow('now')
  await expect(client(hanging).posts.list({}, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
  await expect(client(hanging, { timeoutMs: 5, retries: 0 }).posts.list()).rejects.toMatchObject({
    code: 'unreachable',
    cause: { message: 'No answer within 5 ms' },
  })
})

it('what is no answer of Verso is said to be none', async () => {
  const page = () => answer(200, '<!doctype html>', { 'content-type': 'text/html' })
  await expect(client(scripted(page()).fetch).posts.list()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 })
  const feed = client(scripted(page()).fetch).request('GET /v1/feeds/{project}/rss.xml', { project: 'default' })
  await expect(feed).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 })
  await expect(client(scripted(answer(404, '<h1>')).fetch).posts.list()).rejects.toMatchObject({ code: 'unexpected_answer', status: 404 })
  expect(() => client(fetch, { url: 'verso.test' })).toThrow('Invalid URL')
})

for (const engine of engines)
  it(`a write whose answer was lost is done once, on ${engine.name}`, async () => {
    const { app, secret } = await startVerso(engine)
    let lost = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      if (init?.method === 'POST' && lost++ === 0) throw new TypeError('terminated')
      return response
    }
    const verso = new Verso({ url: app.url, key: secret, fetch })
    expect(await verso.posts.create({ title: 'Once' })).toMatchObject({ slug: 'once', version: 1 })
    expect(lost).toBe(2)
    expect((await verso.posts.list()).pagination.total).toBe(1)
  })
