import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { migratedDatabase, startOn } from '../test/harness/given-database.ts'
import { startVerso, type TestApp } from '../test/harness/harness.ts'
import { addressText, serve, start, temporaryFolder } from '../test/harness/program.ts'
import { trial } from './harness/trial.ts'
import { type Answered, clientsOf, type Wanted } from './load/clients.ts'
import { expensive, expensiveToMake } from './load/expensive-requests.ts'
import { largeBodies } from './load/large-bodies.ts'
import { type LargeProject, largePosts } from './load/large-posts.ts'
import { deletionOfAuthor, manyPosts } from './load/many-posts.ts'

const probeMs = 4
/** An export of a million posts takes longer. */
const exportSeconds = 3
/** Of one client's first request. Several have asked with lower numbers before. */
const numberAfterSeveral = 3_000
/** `probe-thread.js` leaves it out. */
const unstolen = ', without what the host took of the processors or the client waited for one'

interface Size {
  readonly posts: number
  /** Of each large post, and clients that ask for large posts at once. */
  readonly large: { readonly bytes: number; readonly clients: number }
  /** Of the most expensive questions of one kind. */
  readonly secondsOfEach: number
  readonly mixedSeconds: number
  /** Of the author who is deleted with `reassign_to`. */
  readonly ofAuthor: number
  /** Times that each large body is sent. */
  readonly ofEachBody: number
}

/** Where requests go, with the keys of a project. */
interface Node {
  readonly url: string
  readonly public: string
  readonly secret: string
}

/** Sends a request and returns the status of its answer. */
async function ask(
  { url }: Node,
  path: string,
  { key, method = 'GET' }: { readonly key: string; readonly method?: string },
): Promise<number> {
  const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

/** What websites and their writers ask for: of twenty requests ten are for a post, nine for a list, and one writes. */
function ordinary(node: Node): readonly Wanted[] {
  const post = { path: '/v1/posts/subject-{post}?fields=title,content', key: node.public }
  const list = { path: '/v1/posts?limit={1-10}', key: node.public }
  const ofTag = { path: '/v1/posts?tag=tag&limit=10&page={1-10}', key: node.public }
  const draft = { path: '/v1/posts', key: node.secret, body: JSON.stringify({ title: 'Draft {n}', content: 'Some text. '.repeat(100) }) }
  const five = [post, list, post, list, ofTag]
  return [...five, post, list, post, list, post, ...five, post, list, post, draft, post]
}

/** Asks for a list that is in memory every few milliseconds while `work` goes on, and returns how long each answer took in ms, sorted. */
async function probed({ url, public: key }: Node, work: () => Promise<unknown>): Promise<readonly number[]> {
  const thread = new Worker(new URL('./load/probe-thread.js', import.meta.url), { workerData: { url, key, everyMs: probeMs } })
  await once(thread, 'message')
  await work()
  const answer = once(thread, 'message')
  thread.postMessage('stop')
  const [took] = await answer
  await thread.terminate()
  return took
}

/** What eight clients with expensive questions and eight with ordinary requests get while all of them ask. */
async function mixedLoad(node: Node, { posts, mixedSeconds }: Size): Promise<readonly [expensiveOnes: Answered, ordinary: Answered]> {
  const requests = Object.values(expensive).map((path) => ({ path, key: node.secret }))
  const clients = await clientsOf(node.url, [
    { requests, from: 1_000 },
    { requests: ordinary(node), posts },
  ])
  const answered = await clients.ask(mixedSeconds)
  await clients.end()
  return answered
}

const tenths = (ms: number) => Math.round(ms * 10) / 10

/** How many answers have one of the statuses. */
function count(all: ReadonlyMap<number, number>, ...statuses: readonly number[]): number {
  return statuses.reduce((total, status) => total + (all.get(status) ?? 0), 0)
}

/** How many have none of them. */
function countOthers(all: ReadonlyMap<number, number>, ...statuses: readonly number[]): number {
  return count(all, ...all.keys()) - count(all, ...statuses)
}

const nodeOf = ({ app, public: key, secret }: TestApp): Node => ({ url: app.url, public: key, secret })

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
  const client = await clientsOf(verso.app.url, [{ requests: [{ path, key: verso.secret }] }], 1)
  const statuses = JSON.stringify((await client.ask(0)).map((answered) => [...answered.statuses]))
  if (statuses !== '[[[200,1]]]') throw new Error(`${path} was answered ${statuses}`)
  await client.end()
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

/** The statuses of so many long lists of one key, asked for at the same moment, and how often each came. */
async function askAtOnce(node: Node, key: string, times: number): Promise<ReadonlyMap<number, number>> {
  const paths = Array.from({ length: times }, (_, i) => `/v1/posts?sort=slug&fields=id&page=${i + 1}`)
  const counts = new Map<number, number>()
  for (const status of await Promise.all(paths.map((path) => ask(node, path, { key })))) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

interface Slowest {
  readonly kind: string
  readonly clients: 'one client' | 'several'
  readonly ms: number
}

/** How long the list in memory took beside each kind of expensive request, sent by several clients and then by one. */
async function besideEachKind(node: Node, size: Size, large: LargeProject) {
  const kinds = [
    ...Object.entries(expensive).map(([kind, path]) => [kind, { path, key: node.secret }, 8] as const),
    ...expensiveToMake(size.posts, node.secret, large).map(([kind, wanted]) => [kind, wanted, size.large.clients] as const),
  ]
  let answers = 0
  let failures = 0
  const beside = async (wanted: Wanted, clientsAtOnce: number, from: number) => {
    const clients = await clientsOf(node.url, [{ requests: [wanted], posts: size.posts, from }], clientsAtOnce)
    const took = await probed(node, async () => {
      for (const { statuses } of await clients.ask(size.secondsOfEach)) {
        answers += count(statuses, ...statuses.keys())
        failures += countOthers(statuses, 200, 503)
      }
    })
    await clients.end()
    return took
  }
  const severalMs: number[] = []
  const slowest: Slowest[] = []
  for (const [kind, wanted, atOnce] of kinds) {
    const several = await beside(wanted, atOnce, 1)
    severalMs.push(...several)
    slowest.push({ kind, clients: 'several', ms: several.at(-1) ?? 0 })
    slowest.push({ kind, clients: 'one client', ms: (await beside(wanted, 1, numberAfterSeveral)).at(-1) ?? 0 })
  }
  slowest.sort((a, b) => b.ms - a.ms)
  severalMs.sort((a, b) => a - b)
  return { slowest, severalMs, kinds: kinds.length, answers, failures }
}

/** How long the list in memory took while large bodies were written: the slowest answer, beside which body, and how many bodies failed. */
async function besideLargeBodies(node: Node, { ofEachBody }: Size) {
  let broken = 0
  let [slowestMs, slowest] = [0, '']
  for (const [name, make] of Object.entries(largeBodies))
    for (let n = 0; n < ofEachBody; n++) {
      const { path, body } = make(n)
      const client = await clientsOf(node.url, [{ requests: [{ path, key: node.secret, body }] }], 1)
      const took = await probed(node, async () => {
        for (const { statuses } of await client.ask(0)) for (const status of statuses.keys()) if (status >= 500) broken++
      })
      await client.end()
      const longest = took.at(-1) ?? 0
      if (longest > slowestMs) [slowestMs, slowest] = [longest, name]
    }
  return { broken, slowest, slowestMs }
}

trial<Size>({
  name: 'nobody-waits-for-another',
  promise: 'No request of a key, of any kind, holds up the answers of others by more than 50 ms.',
  over: 'engines',
  sizes: {
    short: { posts: 5_000, large: { bytes: 2 ** 16, clients: 2 }, secondsOfEach: 0.2, mixedSeconds: 1, ofAuthor: 1_000, ofEachBody: 1 },
    full: { posts: 1_000_000, large: { bytes: 2 ** 18, clients: 8 }, secondsOfEach: 4, mixedSeconds: 20, ofAuthor: 100_000, ofEachBody: 5 },
  },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, figure, note }) {
    const address = await migratedDatabase(engine)
    const verso = await startOn(address)
    const other = await verso.keyWith('posts:read')
    await manyPosts(verso, size.posts)
    const large = await largePosts(verso, size.large.bytes)
    const admin = { key: await verso.keyWith('admin') }
    const deletion = await deletionOfAuthor(verso, size.ofAuthor)
    await verso.patch('/v1/admin/project', { siteUrl: 'https://example.org', permalink: '/posts/{slug}' }, admin)
    let onLoop = 0
    for (const path of Object.values(expensive)) onLoop += (await shortStatements(verso, path)).length
    figure('of their statements, run with the short ones', onLoop, { exactly: 0 })
    const before = await begunBefore(verso)
    figure('keys that waited for the queues of others', before > 2 ? 1 : 0, { exactly: 0 })
    const besideJobs = await probed(nodeOf(verso), async () => {
      for (const job of verso.app.jobs) await job.runOnce()
    })
    figure(`hot list while jobs run, slowest${unstolen}`, tenths(besideJobs.at(-1) ?? 0), { atMost: 50, unit: 'ms' })
    await verso.app.stop()
    const served = await serve(addressText(address), { env: { VERSO_LOG_LEVEL: 'error' }, ownSession: true })
    const node = { ...nodeOf(verso), url: served.url }
    const hundred = await askAtOnce(node, other, 100)
    figure('answers to a hundred at once that were neither 200 nor 503', countOthers(hundred, 200, 503), { exactly: 0 })
    figure('refused of a hundred at once', count(hundred, 503))
    const { slowest, severalMs, kinds, answers, failures } = await besideEachKind(node, size, large)
    figure('kinds of expensive requests', kinds)
    const slowestBeside = (clients: string) => tenths(slowest.find((each) => each.clients === clients)?.ms ?? 0)
    const exporting = start(['export', '--database', addressText(address), temporaryFolder()])
    const besideExport = await probed(node, () => new Promise((resolve) => setTimeout(resolve, exportSeconds * 1_000)))
    exporting.signal('SIGKILL')
    figure('exports that failed', (await exporting.ended).code ? 1 : 0, { exactly: 0 })
    figure(`hot list while all is exported, slowest${unstolen}`, tenths(besideExport.at(-1) ?? 0), {
      atMost: 50,
      unit: 'ms',
    })
    const p99 = severalMs[Math.floor(severalMs.length * 0.99)] ?? 0
    figure('expensive requests that failed', failures, { exactly: 0 })
    figure(`hot list beside one client of each kind, slowest${unstolen}`, slowestBeside('one client'), { atMost: 50, unit: 'ms' })
    figure(`hot list beside several clients of each kind, 99th percentile${unstolen}`, tenths(p99), { atMost: 25, unit: 'ms' })
    figure(`hot list beside several clients of each kind, slowest${unstolen}`, slowestBeside('several'), { atMost: 50, unit: 'ms' })
    const [expensiveOnes, usual] = await mixedLoad(node, size)
    const inTime = count(expensiveOnes.statuses, 200) + count(usual.statuses, 200, 201) - expensiveOnes.late - usual.late
    figure('mixed load, answers a second', inTime / size.mixedSeconds, { atLeast: 500 })
    figure('of a mixed load, ordinary requests that were refused or failed', countOthers(usual.statuses, 200, 201), { exactly: 0 })
    figure('of a mixed load, expensive requests that failed', countOthers(expensiveOnes.statuses, 200, 503), { exactly: 0 })
    figure('of a mixed load, expensive requests refused', count(expensiveOnes.statuses, 503))
    const bodies = await besideLargeBodies(node, size)
    figure('kinds of large bodies', Object.keys(largeBodies).length)
    figure('large bodies answered with 5xx', bodies.broken, { exactly: 0 })
    figure(`hot list while large bodies are written, slowest${unstolen}`, tenths(bodies.slowestMs), { atMost: 50, unit: 'ms' })
    let deleted = 0
    const besideDeletion = await probed(node, async () => {
      deleted = await ask(node, deletion, { key: admin.key, method: 'DELETE' })
    })
    figure('posts of an author who is deleted with reassign_to', size.ofAuthor)
    figure('deletions of an author that failed', deleted === 204 ? 0 : 1, { exactly: 0 })
    figure(`hot list while an author is deleted, slowest${unstolen}`, tenths(besideDeletion.at(-1) ?? 0), { atMost: 50, unit: 'ms' })
    for (const { kind, clients, ms } of slowest.slice(0, 5)) note(`slowest beside ${clients} for ${kind}: ${Math.round(ms)} ms`)
    note(`slowest body: ${bodies.slowest}`)
    figure('posts', size.posts)
    figure('expensive requests answered', answers)
  },
  controls: {
    async 'something that holds the event loop for 200 ms is seen'({ engine }) {
      const verso = await startVerso(engine)
      const took = await probed(nodeOf(verso), async () => {
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
