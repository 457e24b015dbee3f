import { performance } from 'node:perf_hooks'
import { Memory, startForRequests, visible } from '../test/harness/compared-engines.ts'
import { engines } from '../test/harness/databases.ts'
import type { Planned } from '../test/harness/generated-requests.ts'
import { sendRawAndClose } from '../test/harness/raw-http.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'
import { mutatedRequest, unstorableRequests } from './input/mutated-requests.ts'
import { rawStream } from './input/raw-streams.ts'

/** What is wrong with the answers, by kind. */
interface Findings {
  errors: number
  slow: number
  engineText: number
  differences: number
  readonly examples: string[]
}

/** An answer as the checks see it. A control may change it. */
interface Seen {
  readonly status: number
  readonly all: string
  /** What must be the same on both engines. */
  readonly compared: string
  readonly ms: number
}

type Tamper = (seen: Seen, engine: number) => Seen

const engineText =
  /sqlite|postgres|kysely|better-|pg_|node_modules|\/src\/|\.[jt]s:\d|\n\s+at |syntax error at|violates|SELECT |INSERT |UPDATE .* SET /
const maxMs = 1_000
const betweenStreamsMs = 10_000

/** Compares the answers of both engines with each other and with the promise. */
function judge(what: string, answers: readonly Seen[], findings: Findings): void {
  const note = (kind: Exclude<keyof Findings, 'examples'>) => {
    if (++findings[kind] <= 3)
      findings.examples.push(
        `${kind}: ${what} → ${answers.map(({ compared, all }) => `${compared.slice(0, 300)} ${all.slice(0, 300)}`).join(' | ')}`,
      )
  }
  // 501 says that a part of HTTP is not implemented, which is the client's doing.
  if (answers.some(({ status }) => status >= 500 && status !== 501)) note('errors')
  if (answers.some(({ ms }) => ms > maxMs)) note('slow')
  if (answers.some(({ all }) => engineText.test(all))) note('engineText')
  if (answers.some(({ compared }) => compared !== answers[0]?.compared)) note('differences')
}

interface Sizes {
  readonly requests: number
  readonly streams: number
}

async function attack({ requests, streams }: Sizes, random: SeededRandom, tamper: Tamper = (seen) => seen): Promise<Findings> {
  const findings: Findings = { errors: 0, slow: 0, engineText: 0, differences: 0, examples: [] }
  const [one, other] = await Promise.all(engines.map((engine) => startForRequests(engine, 1)))
  if (!one || !other) throw new Error('there are two engines')
  const pair = [one, other]
  const memory = new Memory()
  const pass = (ms: number) => {
    for (const { context } of pair) context.travelTo(new Date(context.now().getTime() + ms).toISOString())
  }
  const compare = async (request: Planned): Promise<string | null> => {
    const answers = await Promise.all(
      pair.map(async ({ ask }, engine) => {
        const started = performance.now()
        const answer = await ask(request)
        const ms = performance.now() - started
        const all = JSON.stringify(visible(answer))
        return { answer, seen: tamper({ status: answer.status, all, compared: all, ms }, engine) }
      }),
    )
    judge(
      JSON.stringify(request).slice(0, 500),
      answers.map(({ seen }) => seen),
      findings,
    )
    const first = answers[0]?.answer
    if (first) memory.learn(first)
    return first?.headers.get('etag') ?? null
  }
  for (const request of unstorableRequests()) await compare(request)
  for (let n = 0; n < requests; n++) {
    const planned = mutatedRequest(random)
    pass(planned.afterMs / 1_000)
    const request = memory.fill(planned)
    const etag = await compare(request)
    if (etag && request.again) await compare({ ...request, headers: { 'if-none-match': etag } })
  }
  for (let n = 0; n < streams; n++) {
    // Many streams hold no valid key. With more than so many in a minute, the engines would refuse their address at different moments.
    pass(betweenStreamsMs)
    const bytes = rawStream(random)
    const answers = await Promise.all(
      pair.map(async ({ verso }, engine) => {
        const started = performance.now()
        const { status, headers, body } = await sendRawAndClose(verso.app.url, withKey(bytes, verso.secret))
        const all = [status, ...headers, body].join('\n')
        return tamper(
          { status: worstStatus(status, body), all, compared: outcomesIn(status, body), ms: performance.now() - started },
          engine,
        )
      }),
    )
    judge(bytes.toString('latin1').slice(0, 500), answers, findings)
  }
  return findings
}

/** The statuses, sorted: requests that come in one stream run side by side, so which of them sees what is not the same twice. */
function outcomesIn(first: number, rest: string): string {
  return [`HTTP/1.1 ${first}`, ...(rest.match(/HTTP\/1\.1 \d{3}/g) ?? [])].sort().join(' ')
}

/** Several responses may have come. */
function worstStatus(first: number, rest: string): number {
  const others = [...rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
  return [first, ...others].find((status) => status >= 500 && status !== 501) ?? first
}

function withKey(bytes: Buffer, secret: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('<<key>>', secret), 'latin1')
}

trial<Sizes>({
  name: 'no-input-breaks-it',
  promise:
    'Whatever is sent, the answer comes within a second, is no fault of the service, shows nothing of its inside, and is the same on both engines.',
  over: 'once',
  covers: 'both engines',
  sizes: { test: { requests: 150, streams: 50 }, short: { requests: 900, streams: 250 }, full: { requests: 100_000, streams: 10_000 } },
  minutes: { short: 3, full: 90 },
  async run({ size, random, figure, note }) {
    const found = await attack(size, random)
    for (const example of found.examples) note(example)
    figure('answers 5xx', found.errors, { exactly: 0 })
    figure('answers over 1 s', found.slow, { exactly: 0 })
    figure('answers with text of the engine', found.engineText, { exactly: 0 })
    figure('differences between the engines', found.differences, { exactly: 0 })
    figure('mutated requests', size.requests)
    figure('raw byte streams', size.streams)
  },
  controls: {
    async 'a byte that differs between the engines is seen'({ random }) {
      const found = await attack({ requests: 20, streams: 5 }, random, (seen, engine) => ({
        ...seen,
        compared: engine ? `${seen.compared} ` : seen.compared,
      }))
      return found.differences
    },
    async 'a 500 with the text of an engine, after 1.5 s, is seen three times'({ random }) {
      const broken = (seen: Seen) => ({ ...seen, status: 500, all: `${seen.all} SQLITE_CONSTRAINT: sqlite`, ms: 1_500 })
      const { errors, slow, engineText } = await attack({ requests: 5, streams: 5 }, random, broken)
      return errors >= 10 && slow === errors && engineText === errors ? errors : 0
    },
  },
})
