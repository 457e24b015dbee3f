import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, vi } from 'vitest'
import { type Answer, startVerso, type TestApp, type TestEngine, type TestOptions } from '../../harness/harness.ts'
import { eventDifferences } from '../../harness/response-checker.ts'

/** A request as a receiver got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a payload is whatever was sent; the tests look into it.
  readonly payload: any
  readonly id: string
}

export interface Receiver {
  readonly url: string
  /** All that came, also what was answered with a failure. */
  readonly received: Received[]
  /** What is answered from now on: a status, or one that is decided later; 200 at first. */
  answer(how: (request: Received) => number | Promise<number>): void
}

/** A receiver of webhooks on this machine, gone when the test is over. What it gets is compared with the OpenAPI document, unless it is made up. */
export async function startReceiver(headers: Readonly<Record<string, string>> = {}, { isMadeUp = false } = {}): Promise<Receiver> {
  const received: Received[] = []
  const undocumented: string[] = []
  let how: (request: Received) => number | Promise<number> = () => 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const each = { headers: request.headers, text, payload: JSON.parse(text), id: String(request.headers['webhook-id']) }
    received.push(each)
    if (!isMadeUp) undocumented.push(...eventDifferences(each.payload))
    response.writeHead(await how(each), headers).end('thanks')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    expect(undocumented).toEqual([])
  })
  const { port } = server.address() as AddressInfo
  const answer: Receiver['answer'] = (given) => {
    how = given
  }
  return { url: `http://127.0.0.1:${port}/hook`, received, answer }
}

export interface WebhookApp extends TestApp {
  readonly admin: { readonly key: string }
  /** Sends all that is due. */
  dispatch(): Promise<void>
  /** Time passes, and then all that is due is sent. */
  after(ms: number): Promise<void>
  webhook(url: string, more?: object): Promise<{ readonly id: string; readonly secret: string }>
  deliveries(id: string, query?: string): Promise<Answer>
}

/** Verso with webhooks that may go to receivers on this machine. */
export async function startWithWebhooks(engine: TestEngine, options: TestOptions = {}): Promise<WebhookApp> {
  const verso = await startVerso(engine, { ...options, env: { VERSO_WEBHOOK_ALLOW: '127.0.0.0/8', ...options.env } })
  const admin = { key: await verso.keyWith('admin') }
  const dispatch = () => jobOf(verso, 'webhooks')
  return {
    ...verso,
    admin,
    dispatch,
    async after(ms) {
      verso.context.travelTo(new Date(verso.context.now().getTime() + ms).toISOString())
      await dispatch()
    },
    webhook: async (url, more = {}) => (await verso.post('/v1/admin/webhooks', { url, ...more }, admin)).body,
    deliveries: (id, query = '') => verso.get(`/v1/admin/webhooks/${id}/deliveries${query}`, admin),
  }
}

export async function jobOf({ app }: Pick<TestApp, 'app'>, name: string): Promise<void> {
  const job = app.jobs.find((each) => each.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await job.runOnce()
}

/** What the independent library says of a request, by the clock of the test. It throws where the signature is wrong. */
export function verified({ text, headers }: Received, secret: string, now: Date): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
