import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, type TestContext as EndedTest, onTestFinished } from 'vitest'
import { operator, type Scope } from '../../src/actions/caller.ts'
import { type Config, readConfig } from '../../src/app/config.ts'
import { type App, startApp } from '../../src/app/start-app.ts'
import { type Context, realContext } from '../../src/context.ts'
import { createKey } from '../../src/resources/projects/keys/key-actions.ts'
import { createProject } from '../../src/resources/projects/project-actions.ts'
import { newId, type ProjectId, type Random } from '../../src/values/ids.ts'
import { toInstant } from '../../src/values/instant.ts'
import { engines, type TestEngine } from './databases.ts'
import { expectAsDocumented } from './response-checker.ts'

export { engines, type TestEngine }

/** A context that the test controls. Time stands still until `travelTo`. */
export interface TestContext extends Context {
  travelTo(instant: string): void
}

export function testContext(start = '2026-06-01T12:00:00.000Z', random: Random = randomBytes): TestContext {
  let now = new Date(start)
  return {
    now: () => now,
    travelTo: (instant) => {
      now = new Date(instant)
    },
    random,
    openFile: realContext.openFile,
    repeat: () => ({ stop: async () => undefined }),
  }
}

/** The key that seals the secrets of webhooks; over PostgreSQL there must be one. */
export const testSecret = { VERSO_SECRET: 'the-secret-of-all-tests-43-characters-long-' }

/** The same bytes in the same order for the same seed. */
export function seededRandom(seed: string): Random {
  let counter = 0
  return (bytes) => {
    const parts: Buffer[] = []
    for (let length = 0; length < bytes; length += 32) parts.push(createHash('sha256').update(`${seed}:${counter++}`).digest())
    return Buffer.concat(parts).subarray(0, bytes)
  }
}

export interface TestApp extends Requests {
  readonly app: App
  readonly context: TestContext
  readonly projectId: ProjectId
  /** The default secret key's token: every scope but `admin`. */
  readonly secret: string
  /** The default public key's token. */
  readonly public: string
  /** The SQL of every statement since the test last emptied this list. */
  readonly statements: string[]
  /** A key with just these scopes. */
  keyWith(...scopes: Scope[]): Promise<string>
  publicKeyWith(...scopes: Scope[]): Promise<string>
  /** Another project on the same installation, with its own default keys. */
  otherProject(slug: string): Promise<
    Requests & {
      readonly projectId: ProjectId
      readonly secret: string
      readonly public: string
      keyWith(...scopes: Scope[]): Promise<string>
    }
  >
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind.
  readonly body: any
}

interface Asked {
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Requests with the default secret key, unless another (or `null`, none) is given. */
export interface Requests {
  request(method: string, path: string, asked?: Asked): Promise<Answer>
  get(path: string, asked?: Asked): Promise<Answer>
  post(path: string, body?: unknown, asked?: Asked): Promise<Answer>
  patch(path: string, body?: unknown, asked?: Asked): Promise<Answer>
  delete(path: string, asked?: Asked): Promise<Answer>
}

export interface TestOptions {
  readonly context?: TestContext
  readonly env?: Readonly<Record<string, string>>
  /** Called with every line of the log, at the level `info`. */
  readonly onLog?: (line: string) => void
}

/** Starts the very program that users start, on an empty database, and stops it when the test ends, or with what is `shared`. */
export async function startVerso(engine: TestEngine, { context = testContext(), env = {}, onLog }: TestOptions = {}): Promise<TestApp> {
  const database = await engine.lend()
  const config: Config = { ...readConfig({ host: '127.0.0.1', port: '0' }, { ...testSecret, ...env }), database: database.address }
  const statements: string[] = []
  const log = onLog ? pino({ level: 'info' }, { write: onLog }) : pino({ level: 'fatal' })
  const app = await startApp({ config, context, log, onStatement: (sql) => void statements.push(sql) })
  const stop = async () => {
    await app.stop()
    await database.drop()
  }
  atEnd(stop)
  const main = await makeProject(app, context, 'default')
  statements.length = 0
  return {
    ...main,
    app,
    context,
    statements,
    otherProject: (slug) => makeProject(app, context, slug),
  }
}

/** Hears of the test that has ended, where it is one's own. */
type AtEnd = (stop: (ended?: EndedTest) => Promise<void>) => void

const sharing = new AsyncLocalStorage<AtEnd>()

/** Calls when the test ends, or with what is `shared`. */
export const atEnd: AtEnd = (stop) => (sharing.getStore() ?? onTestFinished)(stop)

/** What tests of a `describe` share that leave it as it is. The first of them prepares it; what it started is stopped after the last. */
export function shared<T>(prepare: () => Promise<T>): () => Promise<T> {
  const started: { first?: Promise<T> } = {}
  const stops: Parameters<AtEnd>[0][] = []
  afterAll(async () => {
    for (const stop of stops) await stop()
  })
  return () => {
    started.first ??= sharing.run((stop) => void stops.push(stop), prepare)
    return started.first
  }
}

/** A project with its two default keys. */
export async function makeProject(app: App, context: Pick<Context, 'now' | 'random'>, slug: string) {
  const now = () => toInstant(context.now())
  const projectId = newId('prj', now(), context.random)
  const { perform } = app.installation
  await perform(createProject, operator(projectId, 'cli', now()), { slug, name: slug, siteUrl: null, permalink: null })
  const make = async (kind: 'secret' | 'public', scopes?: readonly Scope[]) => {
    const value = { name: `${kind} key`, kind, ...(scopes && { scopes: [...scopes] }) }
    return (await perform(createKey, operator(projectId, 'cli', now()), { body: { ok: true, value } })).token
  }
  const secret = await make('secret')
  return {
    projectId,
    secret,
    public: await make('public'),
    keyWith: (...scopes: Scope[]) => make('secret', scopes),
    publicKeyWith: (...scopes: Scope[]) => make('public', scopes),
    ...requestsTo(app.url, secret),
  }
}

export function requestsTo(url: string, defaultKey: string): Requests {
  const request: Requests['request'] = async (method, path, { key = defaultKey, headers = {}, body } = {}) => {
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: bytes }),
    })
    const text = await response.text()
    expectAsDocumented({ method, path, status: response.status, headers: response.headers, text })
    const json = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
  }
  return {
    request,
    get: (path, asked) => request('GET', path, asked),
    post: (path, body, asked) => request('POST', path, { body, ...asked }),
    patch: (path, body, asked) => request('PATCH', path, { body, ...asked }),
    delete: (path, asked) => request('DELETE', path, asked),
  }
}
