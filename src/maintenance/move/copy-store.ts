import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import { keyOf } from './moved-tables.ts'
import type { Row } from './row-digest.ts'

/** Rows in memory at once. */
const maxRows = 500
/** Bytes of them: a row may have a content of 1 MiB. */
const maxBytes = 8 * 1024 * 1024

/** Tables are named by text: a backup of an older schema can have others than this version. */
type Reading = Pick<Db, 'getExecutor'>

export async function hasRows(db: Reading, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

export async function countRows(db: Reading, table: string): Promise<number> {
  const { rows } = await sql<{ total: number | string }>`select count(*) as total from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.total)
}

/** Every row of a table, or those of one project, in the order of its primary key, in batches that fit into memory. */
export async function* listBatches(db: Reading, table: string, key = keyOf(table), projectId?: ProjectId): AsyncGenerator<readonly Row[]> {
  const columns = await columnsOf(db, table, projectId)
  let last: Row | undefined
  for (;;) {
    const next = following(key, last, projectId)
    const most = rowsThatFit(await listSizes(db, table, { columns, next }))
    if (most === 0) return
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${next} limit ${most}`.execute(db)
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

/** Inserts rows that all have the same columns. */
export async function insertRows(tx: Pick<Tx, 'getExecutor'>, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`))
  await sql`insert into ${sql.table(table)} (${names}) values ${values}`.execute(tx)
}

/** Empties the tables, referencing ones first. */
export async function deleteRows(tx: Pick<Tx, 'getExecutor'>, tables: readonly string[]): Promise<void> {
  for (const table of [...tables].reverse()) await sql`delete from ${sql.table(table)}`.execute(tx)
}

/** The columns of a table; none if it has no rows. */
async function columnsOf(db: Reading, table: string, projectId: ProjectId | undefined): Promise<readonly string[]> {
  const ofProject = projectId === undefined ? sql`` : sql` where project_id = ${projectId}`
  const { rows } = await sql<Row>`select * from ${sql.table(table)}${ofProject} limit 1`.execute(db)
  return Object.keys(rows[0] ?? {})
}

/** The sizes in bytes of the next rows, so that no more are read than fit. */
async function listSizes(
  db: Reading,
  table: string,
  { columns, next }: { readonly columns: readonly string[]; readonly next: RawBuilder<unknown> },
): Promise<readonly number[]> {
  if (columns.length === 0) return []
  const bytes = sql.join(
    columns.map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`),
    sql` + `,
  )
  const { rows } = await sql<{ bytes: number }>`select ${bytes} as bytes from ${sql.table(table)} ${next} limit ${maxRows}`.execute(db)
  return rows.map((row) => row.bytes)
}

/** The clauses for the rows after `last`, in order. */
function following(key: readonly string[], last: Row | undefined, projectId: ProjectId | undefined): RawBuilder<unknown> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const after = last && sql`(${columns}) > (${sql.join(key.map((column) => last[column]))})`
  const conditions = [...(projectId === undefined ? [] : [sql`project_id = ${projectId}`]), ...(after ? [after] : [])]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`${where} order by ${columns}`
}
