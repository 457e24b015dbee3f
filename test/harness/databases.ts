import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { DatabaseAddress, PostgresAddress } from '../../src/app/config.ts'
import { addressOf, createCitus, dropCitus, emptyCitus } from './citus-databases.ts'
import { copyDatabase, dropDatabase, nameOf, openEmptying } from './postgres-databases.ts'

/** An engine that the suite runs over: every test of the API is run on each. */
export interface TestEngine {
  readonly name: string
  /** How many statements a list costs more than on SQLite: the revision that it was read at, and in a sharded database the project of its key. */
  readonly more: 0 | 1 | 2
  /** How many statements look up a key. */
  readonly lookUp: 1 | 2
  /** A database without a schema, for tests of how one is made. */
  createEmpty(): Promise<TestDatabase>
  /** A database with the current schema and no rows, for tests that change the schema or kill programs. */
  create(): Promise<TestDatabase>
  /** The same, but it may have served another test before, and serves the next one: its rows are all that may change. */
  lend(): Promise<TestDatabase>
}

export interface TestDatabase {
  readonly address: DatabaseAddress
  drop(): Promise<void>
}

export const engines: readonly TestEngine[] = [
  { name: 'SQLite', more: 0, lookUp: 1, createEmpty: createSqlite, create: copySqlite, lend: copySqlite },
  { name: 'PostgreSQL', more: 1, lookUp: 1, createEmpty: () => createPostgres('template1'), create: copyPostgres, lend: lendPostgres },
  ...citusEngine(process.env.VERSO_TEST_CITUS),
]

/** The coordinator of a Citus that somebody runs, for the tests of the API alone: the others make databases in ways of their own. */
function citusEngine(given: string | undefined): readonly TestEngine[] {
  if (given === undefined) return []
  const lend = async () => {
    const url = freeCitus.pop() ?? (await createCitus(given, { sharded: true }))
    const drop = async () => {
      await emptyCitus(url)
      freeCitus.push(url)
    }
    return { address: addressOf(url), drop }
  }
  const create = async (sharded: boolean) => {
    const url = await createCitus(given, { sharded })
    return { address: addressOf(url), drop: () => dropCitus(given, url) }
  }
  return [{ name: 'Citus', more: 2, lookUp: 2, createEmpty: () => create(false), create: () => create(true), lend }]
}

async function createSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'verso-test-'))
  return {
    address: { kind: 'sqlite', path: join(folder, 'verso.db') },
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  } as const
}

async function copySqlite(): Promise<TestDatabase> {
  const database = await createSqlite()
  copyFileSync(inject('migratedSqlite'), database.address.path, constants.COPYFILE_FICLONE)
  return database
}

async function createPostgres(template: string) {
  const server = inject('postgresUrl')
  const url = await copyDatabase(server, template)
  const limits = { poolSize: 5, statementTimeoutMs: 20_000, lockTimeoutMs: 10_000 }
  const address = { kind: 'postgres', url, ...limits, prepare: true, clock: 'process' } as const
  return { address, drop: () => dropDatabase(server, url) }
}

function copyPostgres() {
  return createPostgres(nameOf(inject('migratedPostgres')))
}

/** Sharded databases that tests in this process have given back. */
const freeCitus: string[] = []

/** Databases that tests in this process have given back: emptying one is faster than dropping it and copying another. */
const free: { readonly address: PostgresAddress; empty(): Promise<void> }[] = []

async function lendPostgres(): Promise<TestDatabase> {
  const lent = free.pop() ?? (await copyEmptiable())
  return {
    address: lent.address,
    async drop() {
      await lent.empty()
      free.push(lent)
    },
  }
}

async function copyEmptiable() {
  const { address } = await copyPostgres()
  return { address, empty: openEmptying(address.url) }
}
