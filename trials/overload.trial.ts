import { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { bareRefusals } from './clients/bare-refusals.ts'
import { type Answered, analyze, ask, type LoadedService, pause, percentile, serveForLoad } from './clients/served-for-load.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly warmUpSeconds: number
  readonly peakSeconds: number
  readonly overloadSeconds: number
}

const overload = 5
/** Even where the peak was measured on a machine that was busy with something else. */
const leastPerSecond = 1_000
/** Enough to keep the service busy, and few enough that nobody waits long. */
const busyClients = 16
/** As many as a service behind a proxy sees. */
const connections = 500

/** What is searched for; the load writes posts without it, so that a search costs at the end what it did at the beginning. */
const found = { method: 'POST', path: '/v1/posts', body: { title: 'Found', content: 'some words '.repeat(100) } }

/** Expensive questions that no cache answers, and now and then a write. */
function request(n: number) {
  if (n % 20 === 0) return { method: 'POST', path: '/v1/posts', body: { title: `Post ${n}`, content: 'some text '.repeat(100) } }
  return { path: `/v1/posts?limit=50&q=words&updated_after=2020-01-01T00:00:00.${String(n % 1_000).padStart(3, '0')}Z` }
}

/** Requests as often as the service answers. */
async function peakOf(service: LoadedService, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: busyClients })
  const until = performance.now() + seconds * 1_000
  let good = 0
  let n = 0
  const worker = async () => {
    while (performance.now() < until) if (isGood(await ask(service, request(n++), agent))) good++
  }
  await Promise.all(Array.from({ length: busyClients }, worker))
  agent.destroy()
  return good / seconds
}

/**
 * The same, while as many requests as are too many go to a server that does nothing but refuse: what the load generator and the network
 * take of the machine is not what the service loses.
 */
async function peakBesideRefusals(service: LoadedService, tooMany: number, seconds: number): Promise<number> {
  const refusing = await bareRefusals()
  const [good] = await Promise.all([
    peakOf(service, seconds),
    offer({ ...service, served: { ...service.served, url: refusing.url } }, tooMany, seconds),
  ])
  refusing.stop()
  return good
}

/** So many requests a second, however long the answers take. */
async function offer(service: LoadedService, perSecond: number, seconds: number): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const asked: Promise<Answered>[] = []
  const started = performance.now()
  while (performance.now() - started < seconds * 1_000) {
    const due = ((performance.now() - started) / 1_000) * perSecond
    while (asked.length < due) asked.push(ask(service, request(asked.length), agent))
    await pause(2)
  }
  const answers = await Promise.all(asked)
  agent.destroy()
  return answers
}

const isGood = ({ status }: Answered) => status >= 200 && status < 300
const isRefused = ({ status }: Answered) => status === 503 || status === 429

trial<Size>({
  name: 'overload',
  promise: 'A service that is asked five times what it can do goes on doing nearly that much, fast, and refuses the rest politely.',
  over: 'engines',
  sizes: {
    short: { warmUpSeconds: 1, peakSeconds: 4, overloadSeconds: 6 },
    full: { warmUpSeconds: 5, peakSeconds: 15, overloadSeconds: 60 },
  },
  minutes: { short: 2, full: 5 },
  async run({ size, engine, figure }) {
    const service = await serveForLoad(engine)
    for (let n = 0; n < 300; n++) await ask(service, found)
    await analyze(service)
    await peakOf(service, size.warmUpSeconds)
    const peak = await peakOf(service, size.peakSeconds)
    figure('peak, answers a second', peak)
    const offered = Math.max(peak * overload, leastPerSecond)
    const beside = await peakBesideRefusals(service, offered - peak, size.peakSeconds)
    figure('peak while a bare server refuses what is too many, answers a second', beside)
    const answers = await offer(service, offered, size.overloadSeconds)
    const good = answers.filter(isGood)
    const refused = answers.filter(isRefused)
    const goodput = good.length / size.overloadSeconds
    figure('answered under overload, % of the peak', (goodput / peak) * 100, { atLeast: 80 })
    figure('answered under overload, % of the peak beside a bare server that refuses', (goodput / beside) * 100, { atLeast: 80 })
    figure(
      'accepted, p99',
      percentile(
        good.map(({ ms }) => ms),
        0.99,
      ),
      { atMost: 1_000, unit: 'ms' },
    )
    figure('refused', refused.length)
    figure('refused without Retry-After', refused.filter(({ retryAfter }) => retryAfter === undefined).length, { exactly: 0 })
    figure('neither answered nor refused', answers.length - good.length - refused.length, { exactly: 0 })
    await pause(5_000)
    const after = await offer(service, peak / 4, 2)
    figure('refused 5 s later', after.filter((answer) => !isGood(answer)).length, { exactly: 0 })
    figure(
      'p99 5 s later',
      percentile(
        after.map(({ ms }) => ms),
        0.99,
      ),
      { unit: 'ms', atMost: 250 },
    )
  },
  controls: {
    async 'a service that is stopped in the middle is seen to leave requests unanswered'({ engine }) {
      const service = await serveForLoad(engine)
      const offered = offer(service, 200, 2)
      await pause(1_000)
      service.served.signal('SIGKILL')
      return (await offered).filter((answer) => !isGood(answer) && !isRefused(answer)).length
    },
  },
})
