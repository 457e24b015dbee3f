import type { Planned } from './generated-requests.ts'
import { type Answer, seededRandom, startVerso, type TestEngine, testContext } from './harness.ts'

/** What answers have told of, by kind. */
export class Memory {
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

/** A service for generated requests, with a key of each kind. The same seed gives the same ids. */
export async function startForRequests(engine: TestEngine, seed: number) {
  const context = testContext('2026-06-01T12:00:00.000Z', seededRandom(`${seed}`))
  // The addresses of the service stand in feeds and invitations, and each has a port of its own.
  const verso = await startVerso(engine, { context, env: { VERSO_PUBLIC_URL: 'https://content.test.net' } })
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
  return { context, ask, verso, tokens }
}

/** Everything of an answer that a client can see, apart from when it was sent. */
export function visible({ status, headers, text }: Answer) {
  return { status, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')), text }
}
