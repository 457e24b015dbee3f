import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import { startVerso, type TestApp } from '../test/harness/harness.ts'
import { trial } from './harness/trial.ts'
import { largeBodies } from './load/large-bodies.ts'
import { manyPosts } from './load/many-posts.ts'

const probeMs = 4

/** The dearest request of each kind. A number makes each another one, so that no cache knows it. */
const dearest: Readonly<Record<string, (n: number) => string>> = {
  'a frequent part of titles': (n) => `/v1/posts?search=subject&fields=id&page=${1 + n}`,
  'a frequent part of titles, in another order': (n) => `/v1/posts?search=subject&sort=slug&fields=id&page=${1 + n}`,
  'frequent words': (n) => `/v1/posts?q=common%20words&fields=id&page=${1 + n}`,
  'frequent words, in another order': (n) => `/v1/posts?q=common&sort=slug&fields=id&page=${1 + n}`,
  'an order without an index': (n) => `/v1/posts?sort=slug,title&fields=id&page=${1 + n}`,
  'a deep page': (n) => `/v1/posts?sort=title&fields=id&limit=1&page=${15_000 + n}`,
  'two kinds of filter': (n) => `/v1/posts?tag=tag&category=category&fields=id&page=${1 + n}`,
  'a counted total': (n) => `/v1/posts?updated_after=2020-01-01T00:00:00.${String(n % 1_000).padStart(3, '0')}Z&fields=id&limit=1`,
  'a counted total of an indexed order': (n) =>
    `/v1/posts?published_after=2020-01-01T00:00:00.${String(n % 1_000).padStart(3, '0')}Z&fields=id&limit=1`,
  'the trash': (n) => `/v1/posts?trashed=true&fields=id&limit=${1 + (n % 100)}`,
  'the changes feed': (n) => `/v1/changes?limit=${1 + (n % 100)}`,
  tags: (n) => `/v1/tags?limit=${1 + (n % 100)}`,
}

interface Size {
  readonly posts: number
  /** Of the dearest questions of one kind. */
  readonly secondsOfEach: number
  readonly mixedSeconds: number
  /** Times that each large body is sent. */
  readonly ofEachBody: number
}

/** Sends a request and returns the status of its answer. */
async function ask(verso: TestApp, path: string, key: string): Promise<number> {
  const response = await fetch(verso.app.url + path, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

/** What a client in its own thread sends. */
interface Wanted {
  readonly path: string
  readonly key: string
  readonly body?: string | Uint8Array
}

/** What websites and their writers ask for: of twenty requests ten are for a post, nine for a list, and one writes. */
function ordinary(verso: TestApp, n: number, posts: number): Wanted {
  const any = (n * 7_919) % posts
  if (n % 20 === 0)
    return { path: '/v1/posts', key: verso.secret, body: JSON.stringify({ title: `Draft ${n}`, content: 'Some text. '.repeat(100) }) }
  if (n % 2 === 0) return { path: `/v1/posts/subject-${any}?fields=title,content`, key: verso.public }
  if (n % 5 === 0) return { path: `/v1/posts?tag=tag&limit=10&page=${1 + (n % 7)}`, key: verso.public }
  return { path: `/v1/posts?limit=${1 + (n % 10)}`, key: verso.public }
}

/** Asks for a list that is in memory every few milliseconds while `work` goes on, and returns how long each answer took, sorted. */
async function probed({ app, public: key }: TestApp, work: () => Promise<unknown>): Promise<readonly number[]> {
  const thread = new Worker(new URL('./load/probe-thread.js', import.meta.url), { workerData: { url: app.url, key, everyMs: probeMs } })
  await once(thread, 'message')
  await work()
  const answer = once(thread, 'message')
  thread.postMessage('stop')
  const [took] = await answer
  await thread.terminate()
  return took
}

interface Load {
  readonly statuses: ReadonlyMap<number, number>
  /** Answers that came when the time was over. */
  readonly late: number
}

/** Eight clients for each queue ask until the time is over, from a thread of their own. In no time each asks once. */
async function load({ app }: TestApp, queues: readonly (readonly Wanted[])[], seconds: number, clients = 8): Promise<Load> {
  const thread = new Worker(new URL('./load/client-thread.js', import.meta.url), { workerData: { url: app.url, queues, clients, seconds } })
  const [answered] = await once(thread, 'message')
  await thread.terminate()
  return answered
}

/** How many answers a second eight clients with dear questions and eight with ordinary requests get together while all of them ask. */
async function mixedLoad(verso: TestApp, { posts, mixedSeconds }: Size): Promise<{ readonly perSecond: number; readonly failed: number }> {
  const kinds = Object.values(dearest)
  const dear = Array.from({ length: 1_000 * mixedSeconds }, (_, n) => ({
    path: kinds[n % kinds.length]?.(1_000 + n) ?? '',
    key: verso.secret,
  }))
  const plain = Array.from({ length: 10_000 * mixedSeconds }, (_, n) => ordinary(verso, n, posts))
  const { statuses, late } = await load(verso, [dear, plain], mixedSeconds)
  let [good, failed] = [0, 0]
  for (const [status, count] of statuses)
    if (status === 200 || status === 201) good += count
    else failed += count
  return { perSecond: (good - late) / mixedSeconds, failed }
}

/** Which of the statements of a request for posts run on the connection that short reads use. */
async function shortStatements(verso: TestApp, path: string): Promise<readonly string[]> {
  const executor = verso.app.installation.db.getExecutor()
  const { executeQuery } = executor
  const seen: string[] = []
  const noting: typeof executeQuery = (query) => {
    if (!/api_keys|project_state/.test(query.sql)) seen.push(query.sql)
    return executeQuery.call(executor, query) as never
  }
  Object.assign(executor, { executeQuery: noting })
  expect(await ask(verso, path, verso.secret)).toBe(200)
  Object.assign(executor, { executeQuery })
  return seen
}

/** How many long reads of two keys begin before that of a third, once all places are taken and many of the two wait. */
async function begunBefore({ app, projectId }: TestApp): Promise<number> {
  const { longRead } = app.installation.engine
  const begun: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const holding = ['one', 'two'].map((name) => longRead({ name, projectId }, () => gate))
  const waiting = Array.from({ length: 20 }, () => ['one', 'two'])
    .flat()
    .map((name) => longRead({ name, projectId }, async () => void begun.push(name)))
  const last = longRead({ name: 'three', projectId }, async () => void begun.push('three'))
  open()
  await Promise.all([...holding, ...waiting, last])
  return begun.indexOf('three')
}

trial<Size>({
  name: 'nobody-waits-for-another',
  promise: 'No request of a key, of any kind, holds up the answers of others by more than 50 ms.',
  over: 'engines',
  sizes: {
    short: { posts: 20_000, secondsOfEach: 0.4, mixedSeconds: 2, ofEachBody: 1 },
    full: { posts: 1_000_000, secondsOfEach: 4, mixedSeconds: 20, ofEachBody: 5 },
  },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, figure, note }) {
    const verso = await startVerso(engine)
    const other = await verso.keyWith('posts:read')
    await manyPosts(verso, size.posts)
    let onLoop = 0
    for (const path of Object.values(dearest)) onLoop += (await shortStatements(verso, path(0))).length
    figure('kinds of dear requests', Object.keys(dearest).length)
    figure('of their statements, run with the short ones', onLoop, { exactly: 0 })
    const before = await begunBefore(verso)
    figure('keys that waited for the queues of others', before > 2 ? 1 : 0, { exactly: 0 })
    const tooMany = await Promise.all(
      Array.from({ length: 100 }, (_, i) => ask(verso, `/v1/posts?sort=slug&fields=id&page=${i + 1}`, other)),
    )
    figure(
      'answers to a hundred at once that were neither 200 nor 503',
      tooMany.filter((status) => status !== 200 && status !== 503).length,
      { exactly: 0 },
    )
    figure('refused of a hundred at once', tooMany.filter((status) => status === 503).length)
    const all: number[] = []
    let answers = 0
    let failures = 0
    let slowestKind = { kind: '', ms: 0 }
    for (const [kind, path] of Object.entries(dearest)) {
      const took = await probed(verso, async () => {
        const questions = Array.from({ length: 10_000 * size.secondsOfEach }, (_, n) => ({ path: path(n), key: verso.secret }))
        for (const [status, count] of (await load(verso, [questions], size.secondsOfEach)).statuses) {
          answers += count
          if (status !== 200 && status !== 503) failures += count
        }
      })
      all.push(...took)
      const ms = took.at(-1) ?? 0
      if (ms > slowestKind.ms) slowestKind = { kind, ms }
    }
    all.sort((a, b) => a - b)
    const at = (share: number) => Math.round((all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0) * 10) / 10
    figure('dear requests that failed', failures, { exactly: 0 })
    figure('hot list meanwhile, 99th percentile', at(0.99), { atMost: 25, unit: 'ms' })
    figure('hot list meanwhile, slowest', at(1), { atMost: 50, unit: 'ms' })
    const beside = await probed(verso, async () => {
      for (const job of verso.app.jobs) await job.runOnce()
    })
    figure('hot list while jobs run, slowest', Math.round((beside.at(-1) ?? 0) * 10) / 10, { atMost: 50, unit: 'ms' })
    const mixed = await mixedLoad(verso, size)
    figure('mixed load, answers a second', mixed.perSecond, { atLeast: 500 })
    figure('of a mixed load, requests that failed', mixed.failed, { exactly: 0 })
    let brokenBodies = 0
    let [slowest, slowestBody] = [0, '']
    for (const [name, make] of Object.entries(largeBodies))
      for (let n = 0; n < size.ofEachBody; n++) {
        const { path, body } = make(n)
        const took = await probed(verso, async () => {
          const { statuses } = await load(verso, [[{ path, key: verso.secret, body }]], 0, 1)
          for (const status of statuses.keys()) if (status >= 500) brokenBodies++
        })
        const longest = took.at(-1) ?? 0
        if (longest > slowest) [slowest, slowestBody] = [longest, name]
      }
    figure('kinds of large bodies', Object.keys(largeBodies).length)
    figure('large bodies answered with 5xx', brokenBodies, { exactly: 0 })
    figure('hot list while large bodies are written, slowest', Math.round(slowest * 10) / 10, { atMost: 50, unit: 'ms' })
    note(`slowest dear request: ${slowestKind.kind}`)
    note(`slowest body: ${slowestBody}`)
    figure('posts', size.posts)
    figure('dear requests answered', answers)
  },
  controls: {
    async 'something that holds the event loop for 200 ms is seen'({ engine }) {
      const verso = await startVerso(engine)
      const took = await probed(verso, async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const until = performance.now() + 200
        while (performance.now() < until);
        await new Promise((resolve) => setTimeout(resolve, 50))
      })
      return took.filter((ms) => ms > 100).length
    },
    async 'a list that is read with the short ones is seen'({ engine }) {
      const verso = await startVerso(engine)
      await manyPosts(verso, 10)
      return (await shortStatements(verso, '/v1/posts?fields=id&limit=3')).length
    },
  },
})
