import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Planned, requests } from '../harness/generated-requests.ts'
import { type Answer, engines, seededRandom, startVerso, type TestEngine, testContext } from '../harness/harness.ts'

/** So many times a new installation is asked so many resources. */
const runs = 3
const requestsPerRun = 1_200
const seed = Number(process.env.VERSO_TEST_SEED) || Date.now() % 1_000_000_000

/** What answers have told of, by kind. */
class Memory {
  readonly #known = new Map<string, string[]>()

  learn({ body, headers }: Answer): void {
    this.#note('etag', headers.get('etag'))
    this.#note('since', body?.nextCursor)
    this.#note('next', /<([^>]*cursor=[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1])
    for (const resource of Array.isArray(body?.data) ? body.data : [body]) {
      this.#note(String(resource?.id).split('_')[0] ?? '', resource?.id)
      this.#note('slug', resource?.slug)
    }
  }

  recall(text: string): string {
    return text.replace(/<<(\w+):(\d+)>>/g, (_, kind: string, n: string) => {
      const all = this.#known.get(kind) ?? []
      return all[all.length - 1 - (Number(n) % Math.max(1, all.length))] ?? (kind === 'next' ? '/v1/posts?limit=2' : `${kind}_0none`)
    })
  }

  fill(planned: Planned): Planned {
    const headers = Object.fromEntries(Object.entries(planned.headers).map(([name, value]) => [name, this.recall(value)]))
    const { path, body } = planned
    return { ...planned, headers, path: this.recall(path), ...(body !== undefined && { body: this.recall(body) }) }
  }

  #note(kind: string, value: unknown): void {
    if (typeof value !== 'string') return
    const all = this.#known.get(kind) ?? []
    if (!all.includes(value)) this.#known.set(kind, [...all, value].slice(-60))
  }
}

async function startOn(engine: TestEngine, seed: number) {
  const context = testContext('2026-06-01T12:00:00.000Z', seededRandom(`${seed}`))
  const verso = await startVerso(engine, { context })
  const admin = await verso.keyWith(
    'admin',
    'posts:write',
    'posts:publish',
    'posts:delete',
    'authors:read_email',
    'media:write',
    'changes:read',
  )
  const tokens = { secret: verso.secret, public: verso.public, admin, none: null, wrong: 'verso_live_0' }
  const ask = ({ method, path, headers, key, body }: Planned) =>
    verso.request(method, path, { key: tokens[key], headers, ...(body !== undefined && { body }) })
  return { context, ask }
}

/** Everything of an answer that a client can see, apart from when it was sent. */
function visible({ status, headers, text }: Answer) {
  return { status, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')), text }
}

describe('SQLite and PostgreSQL', { timeout: 300_000 }, () => {
  it.each(Array.from({ length: runs }, (_, run) => seed + run))(
    'answer generated requests alike, byte for byte (VERSO_TEST_SEED=%i)',
    async (seed) => {
      const both = await Promise.all(engines.map((engine) => startOn(engine, seed)))
      const memory = new Memory()
      const statuses = new Set<number>()
      const compare = async (request: Planned): Promise<Answer> => {
        const [one, other] = await Promise.all(both.map(({ ask }) => ask(request)))
        if (!one || !other) throw new Error('there are two engines')
        expect(visible(other), JSON.stringify(request)).toEqual(visible(one))
        expect(one.status, JSON.stringify(request)).toBeLessThan(500)
        statuses.add(one.status)
        memory.learn(one)
        return one
      }
      for (const planned of fc.sample(requests, { seed, numRuns: requestsPerRun })) {
        for (const { context } of both) context.travelTo(new Date(context.now().getTime() + planned.afterMs).toISOString())
        const request = memory.fill(planned)
        const etag = (await compare(request)).headers.get('etag')
        if (etag && request.again) await compare({ ...request, headers: { 'if-none-match': etag } })
      }
      expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 422]))
    },
  )
})
