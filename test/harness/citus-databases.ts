import { randomBytes } from 'node:crypto'
import type { PostgresAddress } from '../../src/app/config.ts'
import { migrateDatabase } from '../../src/app/installation.ts'
import { realContext } from '../../src/context.ts'
import { placements } from '../../src/database/tables/placements.ts'
import { nameOf, prefix, runStatement, withName } from './postgres-databases.ts'

/** Fewer than users have: making them takes the time. */
const shards = 2

/**
 * Makes a database on the coordinator that `VERSO_TEST_CITUS` names and on its workers: sharded, or without a schema. The address is that of a
 * database with Citus and all workers, by a user who may make databases on all of them without a password.
 */
export async function createCitus(given: string, { sharded }: { readonly sharded: boolean }): Promise<string> {
  const name = `${prefix}${randomBytes(8).toString('hex')}`
  const url = withName(given, name)
  const servers = [given, ...(await workersOf(given))]
  for (const server of servers) {
    await runStatement(server, `create database ${name}`)
    await runStatement(withName(server, name), 'create extension citus')
  }
  const [coordinator, ...workers] = servers.map((server) => new URL(server))
  await runStatement(url, `alter database ${name} set citus.shard_count = ${shards}`)
  await runStatement(url, `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`)
  for (const { hostname, port } of workers) await runStatement(url, `select citus_add_node('${hostname}', ${port})`)
  if (sharded) await migrateDatabase(addressOf(url), realContext, { andThen: async (engine) => void (await engine.sharding?.shard()) })
  return url
}

export async function dropCitus(given: string, url: string): Promise<void> {
  // A busy server may need longer than it waits to end the connections. The end of the run drops what is left.
  for (const server of [given, ...(await workersOf(given))])
    await runStatement(server, `drop database if exists ${nameOf(url)} with (force)`).catch(() => undefined)
}

export function addressOf(url: string): PostgresAddress {
  return { kind: 'postgres', url, poolSize: 8, statementTimeoutMs: 20_000, lockTimeoutMs: 10_000, prepare: true, clock: 'process' }
}

/** Deletes every row, referencing ones first. */
export async function emptyCitus(url: string): Promise<void> {
  const rows = await runStatement(url, `select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`)
  const present = Object.keys(placements).filter((table) => table !== 'migrations' && rows.some(({ relname }) => relname === table))
  const central = present.filter((table) => placements[table as keyof typeof placements] === 'central')
  const sharded = present.filter((table) => !central.includes(table))
  const deletes = [...central, ...sharded].toReversed().map((table) => `delete from ${table}`)
  await runStatement(url, `begin; set local citus.multi_shard_modify_mode = 'sequential'; ${deletes.join('; ')}; commit`)
}

export async function dropCitusDatabases(given: string): Promise<void> {
  for (const server of [given, ...(await workersOf(given))]) {
    const rows = await runStatement(server, `select datname from pg_database where starts_with(datname, '${prefix}')`)
    for (const { datname } of rows) await runStatement(server, `drop database ${datname} with (force)`)
  }
}

async function workersOf(given: string): Promise<readonly string[]> {
  const rows = await runStatement(given, 'select nodename, nodeport from pg_dist_node where groupid > 0 and isactive order by nodeid')
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(given)
    url.host = `${nodename}:${nodeport}`
    return withName(url.href, 'postgres')
  })
}
