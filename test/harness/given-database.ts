import pino from 'pino'
import { onTestFinished } from 'vitest'
import { type DatabaseAddress, readConfig } from '../../src/app/config.ts'
import { type App, startApp } from '../../src/app/start-app.ts'
import {
  type Requests,
  requestsTo,
  startVerso,
  type TestApp,
  type TestContext,
  type TestEngine,
  testContext,
  testSecret,
} from './harness.ts'

/** A database without a schema. It is gone when the test is over. */
export async function emptyDatabase(engine: TestEngine): Promise<DatabaseAddress> {
  const { address, drop } = await engine.createEmpty()
  onTestFinished(drop)
  return address
}

/** A database with the current schema. It is gone when the test is over. */
export async function migratedDatabase(engine: TestEngine): Promise<DatabaseAddress> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  return address
}

/** Starts Verso with the default project on a database whose address the test knows. */
export function startOn(address: DatabaseAddress, context: TestContext = testContext()): Promise<TestApp> {
  const given = async () => ({ address, drop: async () => undefined })
  return startVerso({ name: 'the given one', more: 1, lookUp: 1, createEmpty: given, create: given, lend: given }, { context })
}

/** Serves a database as it is. */
export async function serveFrom(address: DatabaseAddress, context: TestContext, key: string): Promise<Requests & { readonly app: App }> {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, testSecret), database: address }
  const app = await startApp({ config, context, log: pino({ level: 'fatal' }) })
  onTestFinished(() => app.stop())
  return { app, ...requestsTo(app.url, key) }
}
