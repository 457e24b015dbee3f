import { type Kysely, type PostgresPool, type QueryExecutorProvider, sql } from 'kysely'
import type { ProjectId } from '../../values/ids.ts'
import type { TablePlace } from '../engine.ts'
import { placements } from '../tables/placements.ts'
import { UnsupportedDatabase } from '../unsupported-database.ts'

/** Whether the database has Citus, and whether the tables are sharded with it. */
export type Citus = 'none' | 'present' | 'sharded'

const sharded = Object.entries(placements).flatMap(([table, place]) => (place === 'with its project' ? [table] : []))
const central = Object.entries(placements).flatMap(([table, place]) => (place === 'central' ? [table] : []))

/** Refuses a worker of Citus: only its coordinator has all tables. */
export async function findCitus(db: QueryExecutorProvider): Promise<Citus> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db)
  if (rows.length === 0) return 'none'
  const found = await sql<{ worker: boolean; sharded: boolean }>`
    select (select groupid <> 0 from pg_dist_local_group) as worker,
      exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('project_state') and partmethod = 'h') as sharded
  `.execute(db)
  if (found.rows[0]?.worker)
    throw new UnsupportedDatabase(
      'The server is a worker of Citus. Give Verso the address of the coordinator, which sends it what it needs.',
    )
  return found.rows[0]?.sharded ? 'sharded' : 'present'
}

/** The server that has the rows of a project, from what the coordinator knows. */
export async function findServer(pool: PostgresPool, projectId: ProjectId): Promise<string> {
  const client = await pool.connect()
  try {
    const statement = `select groupid::text as name from pg_dist_placement where shardid = get_shard_id_for_distribution_column('project_state', $1::text)`
    const { rows } = await client.query<{ name: string }>(statement, [projectId])
    return rows[0]?.name ?? ''
  } finally {
    client.release()
  }
}

/** Takes the snapshot of a transaction on every server. From then on it has one connection to each, and so one snapshot. */
export async function beginSnapshots(db: QueryExecutorProvider): Promise<void> {
  await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(db)
  await sql`select count(*) from project_state`.execute(db)
}

/** In a transaction that changes the schema of sharded tables: one server after the other. */
export const beginSchemaChange = `set local citus.multi_shard_modify_mode = 'sequential'; set local citus.enable_local_reference_table_foreign_keys = off`

/**
 * Spreads the tables that are not spread yet over the servers, with their rows, by project. The central tables stay where they are, so the
 * references to them go. Returns the names of the tables that were spread.
 */
export async function shardTables(db: Kysely<unknown>): Promise<readonly string[]> {
  const missing = await unshardedTables(db)
  if (missing.length === 0) return []
  await dropReferences(db, missing)
  const anchor = sharded[0] ?? ''
  for (const table of missing) {
    const beside = table === anchor ? 'none' : anchor
    await sql`select create_distributed_table(${table}::regclass, 'project_id', colocate_with => ${beside}::text)`.execute(db)
  }
  // The rows have been copied. What is left of them would only fill the disk.
  for (const table of missing.toReversed()) await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db)
  return missing
}

/** Referenced tables first. */
async function unshardedTables(db: QueryExecutorProvider): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and oid not in (select logicalrelid from pg_dist_partition)
  `.execute(db)
  return sharded.filter((table) => rows.some(({ name }) => name === table))
}

/** Drops the foreign keys of these tables to central ones. */
async function dropReferences(db: QueryExecutorProvider, tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
    and conrelid::regclass::text = any(${tables}::text[]) and confrelid::regclass::text = any(${central}::text[])
  `.execute(db)
  for (const { table, name } of rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db)
}

/** Where each table lies. The central ones are on the server that was asked. */
export async function listTablePlaces(db: QueryExecutorProvider): Promise<readonly TablePlace[]> {
  const { rows } = await sql<TablePlace>`
    select c.relname as table, count(distinct s.shardid)::int as shards,
      coalesce(array_agg(distinct n.nodename || ':' || n.nodeport) filter (where n.nodeid is not null), '{}') as servers
    from pg_class c
    left join pg_dist_partition d on d.logicalrelid = c.oid
    left join pg_dist_shard s on s.logicalrelid = d.logicalrelid
    left join pg_dist_placement p on p.shardid = s.shardid
    left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname = any(${[...sharded, ...central]}::text[])
    group by c.relname order by c.relname
  `.execute(db)
  return rows
}
