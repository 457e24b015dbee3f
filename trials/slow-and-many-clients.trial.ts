import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { TestEngine } from '../test/harness/databases.ts'
import { ask, type LoadedService, memoryOf, pause, percentile, serveForLoad } from './clients/served-for-load.ts'
import { trial } from './harness/trial.ts'

interface Size {
  /** Of each kind. */
  readonly clients: number
  /** How long the service waits for clients that do not read; it always takes 15 s for headers and 60 s for whole requests. */
  readonly sendTimeoutSeconds: number
  readonly seconds: number
}

/** A client, and how long the service kept it. */
interface Held {
  readonly socket: Socket
  readonly responses: () => number
  readonly closed: Promise<number>
}

const headersSeconds = 15
const bodySeconds = 60
/** More than a connection takes while nobody reads it. */
const posts = 5
/** The largest body, and what is left of it to be sent byte by byte. */
const [largeBytes, leftBytes] = [2 * 2 ** 20, 500]
/** One client in so many sends the largest body: together they send far more than the service may hold. */
const largeEvery = 5

/** The expensive lists are asked for one after the other, so that others wait for slow readers alone, and not for a burst of expensive lists. */
const openingMs = 60

function hold({ served }: LoadedService, head: string | Buffer, drip: string | undefined): Held {
  const { hostname, port } = new URL(served.url)
  const socket = connect(Number(port), hostname)
  const opened = performance.now()
  let received = ''
  socket.on('error', () => undefined)
  if (drip !== undefined) socket.on('data', (bytes) => (received += bytes.toString('latin1')))
  socket.write(head)
  const dripping = drip === undefined ? undefined : setInterval(() => socket.writable && socket.write(drip), 1_000)
  const closed = new Promise<number>((resolve) =>
    socket.on('close', () => {
      clearInterval(dripping)
      resolve((performance.now() - opened) / 1_000)
    }),
  )
  return { socket, responses: () => received.split('HTTP/1.1 ').length - 1, closed }
}

/** How long others wait for a list, in milliseconds. */
async function othersFor(service: LoadedService, seconds: number): Promise<readonly number[]> {
  const until = performance.now() + seconds * 1_000
  const times: number[] = []
  const worker = async () => {
    while (performance.now() < until) {
      const { ms, status } = await ask(service, { path: `/v1/posts?limit=20&fields=title&search=${times.length % 50}` })
      if (status !== 200) throw new Error(`another client got ${status}`)
      times.push(ms)
      await pause(5)
    }
  }
  await Promise.all([worker(), worker()])
  return times
}

async function start(engine: TestEngine, size: Size): Promise<LoadedService> {
  const service = await serveForLoad(engine, { VERSO_SEND_TIMEOUT: String(size.sendTimeoutSeconds) })
  const content = 'x'.repeat(2 ** 20)
  for (let n = 0; n < posts; n++) await ask(service, { method: 'POST', path: '/v1/posts', body: { title: `Post ${n}`, content } })
  return service
}

function neverReading(service: LoadedService, n: number): Held {
  const held = hold(service, `GET ${expensiveList(n)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.secret}\r\n\r\n`, undefined)
  held.socket.pause()
  return held
}

/** How long others wait while clients ask for the same expensive lists, as often, and read them. */
async function besideReaders(service: LoadedService, { seconds }: Size): Promise<readonly number[]> {
  const others = othersFor(service, seconds)
  const asked: Promise<unknown>[] = []
  for (let n = 0; n < (seconds * 1_000) / openingMs; n++) {
    asked.push(ask(service, { path: expensiveList(5_000 + n) }))
    await pause(openingMs)
  }
  await Promise.all(asked)
  return others
}

/** A list that no other client asks for, so that nothing of it is shared. */
const expensiveList = (n: number) => `/v1/posts?updated_after=2020-01-01T00:00:00.${String(n).padStart(4, '0')}Z`

/** The peak of memory until the work is done. */
async function peakDuring(service: LoadedService, work: Promise<unknown>): Promise<number> {
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(service))), 100)
  await work
  clearInterval(watch)
  return peak
}

const slowest = async (held: readonly Held[]) => Math.max(...(await Promise.all(held.map(({ closed }) => closed))))

trial<Size>({
  name: 'slow-and-many-clients',
  promise: 'Clients that send or read slowly are closed in time, in bounded memory, and hardly slow others down.',
  over: 'engines',
  sizes: {
    short: { clients: 100, sendTimeoutSeconds: 4, seconds: 5 },
    full: { clients: 1_000, sendTimeoutSeconds: 30, seconds: 15 },
  },
  minutes: { short: 2, full: 8 },
  async run({ size, engine, figure }) {
    const service = await start(engine, size)
    await othersFor(service, 2)
    const alone = percentile(await othersFor(service, size.seconds), 0.99)
    const beside = percentile(await besideReaders(service, size), 0.99)
    const memoryBefore = memoryOf(service)
    const auth = `Host: a\r\nAuthorization: Bearer ${service.secret}\r\n`
    const body = `${auth}Content-Type: application/json\r\nContent-Length: 2000\r\n\r\n{`
    const times = Array.from({ length: size.clients })
    const headers = times.map(() => hold(service, `GET /v1/posts HTTP/1.1\r\n${auth}`, 'X: y\r\n'))
    const bodies = times.map(() => hold(service, `POST /v1/posts HTTP/1.1\r\n${body}`, ' '))
    const largeHead = `POST /v1/posts HTTP/1.1\r\n${auth}Content-Type: application/json\r\nContent-Length: ${largeBytes}\r\n\r\n`
    // As bytes: to encode a text for each client would take seconds, in which this program notices nothing of what the service does.
    const largeBody = Buffer.from(largeHead + ' '.repeat(largeBytes - leftBytes))
    const large = times.slice(0, size.clients / largeEvery).map(() => hold(service, largeBody, ' '))
    const during = othersFor(service, Math.max(size.seconds, (size.clients * openingMs) / 1_000))
    const readers: Held[] = []
    let allAnsweredAt = 0
    const open = async () => {
      for (const n of times.keys()) {
        readers.push(neverReading(service, n))
        await pause(openingMs)
      }
      // The lists of a key are read in turn, so those of all others are on their way when this one is there.
      while ((await ask(service, { path: expensiveList(size.clients) })).status !== 200) await pause(500)
      allAnsweredAt = performance.now()
    }
    const peak = await peakDuring(service, Promise.all([open(), during]))
    figure('memory at most', peak, { atMost: memoryBefore + 500, unit: 'MB' })
    figure('memory before', memoryBefore)
    const p99 = percentile(await during, 0.99)
    figure('p99 of others, as a multiple of what it is while as many clients ask the same and read', p99 / beside, { atMost: 2 })
    figure('p99 of others, as a multiple of what it is while nobody else asks', p99 / alone, { atMost: 2 })
    figure('p99 of others while nobody else asks, ms', alone)
    const lastHeader = await slowest(headers)
    figure('slow headers closed after, slowest', lastHeader, { atMost: headersSeconds + 2, unit: 's' })
    figure('slow headers kept longer than 4 s too long', Number(lastHeader > headersSeconds + 4), { exactly: 0 })
    const patience = pause((bodySeconds + 10) * 1_000).then(() => Number.POSITIVE_INFINITY)
    const lastBody = await Promise.race([slowest([...bodies, ...large]), patience])
    figure('slow bodies closed after, slowest', lastBody, { atMost: bodySeconds + 2, unit: 's' })
    figure('slow bodies kept longer than 4 s too long', Number(lastBody > bodySeconds + 4), { exactly: 0 })
    const answers = [...headers, ...bodies, ...large]
    figure('slow senders with another number of responses than one', answers.filter(({ responses }) => responses() !== 1).length, {
      exactly: 0,
    })
    const sinceLast = (performance.now() - allAnsweredAt) / 1_000
    await pause(Math.max(0, size.sendTimeoutSeconds + 4 - sinceLast) * 1_000)
    const ends = await Promise.all(readers.map(endOf))
    figure('clients that never read and still get everything', ends.filter((end) => end === 'everything').length, { exactly: 0 })
    figure('clients that never read and are still connected', ends.filter((end) => end === 'open').length, { exactly: 0 })
    figure('clients that never read and were refused a list', ends.filter((end) => end === 'refused').length)
    for (const { socket } of [...headers, ...bodies, ...large, ...readers]) socket.destroy()
    figure('clients of each kind', size.clients)
    figure('clients that leave off at the end of the largest body', large.length)
  },
  controls: {
    async 'a service that waits an hour for readers is seen to hold them'({ size, engine }) {
      const service = await start(engine, { ...size, sendTimeoutSeconds: 3_600 })
      const readers = Array.from({ length: 10 }, (_, n) => neverReading(service, n))
      await pause(6_000)
      const ends = await Promise.all(readers.map(endOf))
      for (const { socket } of readers) socket.destroy()
      return ends.filter((end) => end !== 'closed').length
    },
  },
})

/**
 * What a client gets that begins to read: everything, or what was on its way when the service closed the connection. A refusal needs no reader:
 * it fits into the buffers of the network, and the connection stays open for the next request.
 */
function endOf({ socket }: Held): Promise<'everything' | 'closed' | 'refused' | 'open'> {
  let bytes = 0
  return new Promise((resolve) => {
    socket.on('data', (data) => {
      if (bytes === 0 && data.toString('latin1').startsWith('HTTP/1.1 503')) resolve('refused')
      bytes += data.length
      if (bytes > posts * 2 ** 20) resolve('everything')
    })
    socket.on('close', () => resolve('closed'))
    if (socket.destroyed) resolve('closed')
    setTimeout(resolve, 5_000, 'open')
    socket.resume()
  })
}
