import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import { type MovedTable, primaryKeys } from './moved-tables.ts'
import type { Row } from './row-digest.ts'

/** Rows in memory at once. */
const maxRows = 500
/** Bytes of them: a row may have a content of 1 MiB. */
const maxBytes = 8 * 1024 * 1024

type Reading = Pick<Db, 'getExecutor'>

export async function hasRows(db: Reading, table: MovedTable): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

export async function countRows(db: Reading, table: MovedTable): Promise<number> {
  const { rows } = await sql<{ total: number | string }>`select count(*) as total from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.total)
}

/** Every row of a table in the order of its primary key, in batches that fit into memory. */
export async function* listBatches(db: Reading, table: MovedTable): AsyncGenerator<readonly Row[]> {
  const columns = await columnsOf(db, table)
  let last: Row | undefined
  for (;;) {
    const most = rowsThatFit(await listSizes(db, table, columns, last))
    if (most === 0) return
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${following(table, last)} limit ${most}`.execute(db)
    yield rows
    last = rows.at(-1)
  }
}

/** How many of the next rows make a batch: at least one. */
export function rowsThatFit(sizes: readonly number[], most = maxBytes): number {
  let bytes = 0
  const tooMuch = sizes.findIndex((size) => {
    bytes += size
    return bytes > most
  })
  return tooMuch < 0 ? sizes.length : Math.max(1, tooMuch)
}

export async function insertRows(tx: Tx, table: MovedTable, rows: readonly Row[]): Promise<void> {
  // Rows of this very table, inserted as they were read.
  await tx
    .insertInto(table)
    .values(rows as never)
    .execute()
}

/** Empties the tables, referencing ones first. */
export async function deleteRows(tx: Pick<Tx, 'deleteFrom'>, tables: readonly MovedTable[]): Promise<void> {
  for (const table of [...tables].reverse()) await tx.deleteFrom(table).execute()
}

/** The columns of a table; none if it has no rows. */
async function columnsOf(db: Reading, table: MovedTable): Promise<readonly string[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} limit 1`.execute(db)
  return Object.keys(rows[0] ?? {})
}

/** The sizes in bytes of the next rows, so that no more are read than fit. */
async function listSizes(db: Reading, table: MovedTable, columns: readonly string[], last: Row | undefined): Promise<readonly number[]> {
  if (columns.length === 0) return []
  const bytes = sql.join(
    columns.map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`),
    sql` + `,
  )
  const next = sql<{ bytes: number }>`select ${bytes} as bytes from ${sql.table(table)} ${following(table, last)} limit ${maxRows}`
  return (await next.execute(db)).rows.map((row) => row.bytes)
}

/** The clauses for the rows after `last`, in order. */
function following(table: MovedTable, last: Row | undefined): RawBuilder<unknown> {
  const key = primaryKeys[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})`
  return sql`${after ?? sql``} order by ${columns}`
}
