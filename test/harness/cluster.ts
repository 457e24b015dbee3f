import pg from 'pg'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import { type PostgresAddress, readConfig } from '../../src/app/config.ts'
import { type App, startApp } from '../../src/app/start-app.ts'
import { realContext } from '../../src/context.ts'
import { engines, type TestDatabase, type TestEngine } from './databases.ts'
import { type Answer, testSecret } from './harness.ts'

/** The names of the engines whose databases several nodes can share. */
export const sharedEngines: readonly string[] = engines.map(({ name }) => name).filter((name) => name !== 'SQLite')

/** Settings of a database, and the name of its engine; PostgreSQL if it is not given. */
type Shared = Partial<PostgresAddress> & { readonly on?: string }

/** A database that several nodes are to share, by the clock of the database, as users have it. It is gone when the test is over. */
export async function sharedDatabase(shared: Shared = {}): Promise<PostgresAddress> {
  return withClockOfDatabase((engine) => engine.create(), shared)
}

/** The same without a schema, as the first node finds it. */
export async function emptySharedDatabase(shared: Shared = {}): Promise<PostgresAddress> {
  return withClockOfDatabase((engine) => engine.createEmpty(), shared)
}

async function withClockOfDatabase(
  create: (engine: TestEngine) => Promise<TestDatabase>,
  { on = 'PostgreSQL', ...settings }: Shared,
): Promise<PostgresAddress> {
  const engine = engines.find(({ name }) => name === on)
  const { address, drop } = engine ? await create(engine) : {}
  if (address?.kind !== 'postgres') throw new Error('several nodes share PostgreSQL alone')
  if (drop) onTestFinished(drop)
  return { ...address, poolSize: 10, clock: 'database', ...settings }
}

/** One more node over a database, in this process. */
export async function startNode(
  database: PostgresAddress,
  env: Readonly<Record<string, string>> = {},
  log = pino({ level: 'fatal' }),
): Promise<App> {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, { ...testSecret, ...env }), database }
  const app = await startApp({ config, context: realContext, log })
  onTestFinished(() => app.stop())
  return app
}

/** Queries the database directly. */
export async function lookUp<R extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly R[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The revisions of the log, in order, each project's counter behind its rows. */
export async function revisionsIn(url: string): Promise<readonly number[]> {
  const rows = await lookUp<{ revision: string }>(url, 'select seq as revision from changes union all select revision from project_state')
  return rows.map(({ revision }) => Number(revision)).sort((a, b) => a - b)
}

/** The number of responses by status, with the problem code of those that failed. */
export function statusesOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = status >= 500 ? `${status} ${body?.code}` : String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Works through items in their order, so many at once. */
export async function atOnce<T>(most: number, items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const entries = items.entries()
  const worker = async () => {
    for (const [index, item] of entries) await work(item, index)
  }
  await Promise.all(Array.from({ length: most }, worker))
}

/** The item at an index, starting again at the end. */
export function around<T>(items: readonly T[], place: number): T {
  const item = items[place % items.length]
  if (item === undefined) throw new Error('there is nothing to go around')
  return item
}

export function range(length: number): readonly number[] {
  return Array.from({ length }, (_, i) => i + 1)
}
