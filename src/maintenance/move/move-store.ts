import type { Kysely } from 'kysely'
import type { Tx } from '../../database/engine.ts'
import type { InstallationTable, Tables } from '../../database/tables.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'
import { deleteRows, hasRows, insertRows } from './copy-store.ts'
import { movedTables } from './moved-tables.ts'
import type { Row } from './row-digest.ts'

const open = { state: 'open', move: null, moved_to: null } as const

/** The changed installation; undefined, without a change, if it was not in the expected state. */
type Changed = Promise<InstallationTable | undefined>

/** Makes the source read-only. */
export function closeSource(tx: Tx, moveId: string, to: string): Changed {
  const closing = tx.updateTable('installation').set({ state: 'moving', move: moveId, moved_to: to })
  return closing.where('state', 'in', ['open', 'moving']).returningAll().executeTakeFirst()
}

/** Opens the source for writes again, if this move closed it and is not done. */
export function reopenSource(tx: Tx, moveId: string): Changed {
  const opening = tx.updateTable('installation').set(open)
  return opening.where('state', '=', 'moving').where('move', '=', moveId).returningAll().executeTakeFirst()
}

/** Marks the source as moved, if this move still owns it. */
export function leaveSource(tx: Tx, moveId: string): Changed {
  const leaving = tx.updateTable('installation').set({ state: 'moved' })
  return leaving.where('state', '=', 'moving').where('move', '=', moveId).returningAll().executeTakeFirst()
}

/** Opens the target, if this move or restore still owns it. A move gives it the same epoch, so that the ETags of clients stay valid. */
export function openTarget(tx: Tx, { epoch, created_at, move }: Pick<InstallationTable, 'epoch' | 'created_at' | 'move'>): Changed {
  const opening = tx.updateTable('installation').set({ state: 'open', epoch, created_at })
  return opening.where('state', '=', 'incomplete').where('move', '=', move).returningAll().executeTakeFirst()
}

/** Opens the installation for writes, whichever move owns it. */
export async function openInstallationAgain(tx: Tx): Promise<void> {
  await tx.updateTable('installation').set(open).execute()
}

/** Inserts a batch into the target; false, without an insert, if another move owns it. */
export async function fillTarget(tx: Tx, moveId: string, { table, rows }: { table: string; rows: readonly Row[] }): Promise<boolean> {
  const claims = tx.selectFrom('installation').select('id').where('state', '=', 'incomplete').where('move', '=', moveId)
  if ((await claims.executeTakeFirst()) === undefined) return false
  await insertRows(tx, table, rows)
  return true
}

/** The installation of a database that was migrated in the same transaction. */
export async function findInstallationRow(schema: Kysely<unknown>): Promise<InstallationTable | undefined> {
  return withTables(schema).selectFrom('installation').selectAll().executeTakeFirst()
}

/** Reserves an empty database for this move or restore. Nobody can use it until that opens it. */
export async function reserveEmpty(
  schema: Kysely<unknown>,
  { place, moveId, tables = movedTables }: { readonly place: string; readonly moveId: string; readonly tables?: readonly string[] },
): Promise<void> {
  for (const table of tables)
    if (await hasRows(schema, table)) throw new UnsupportedDatabase(`${place} is not empty: there are rows in its table ${table}.`)
  // The epoch comes last, when the target is opened.
  const row: InstallationTable = {
    id: 1,
    epoch: '',
    created_at: '' as InstallationTable['created_at'],
    state: 'incomplete',
    move: moveId,
    moved_to: null,
  }
  await withTables(schema).insertInto('installation').values(row).execute()
}

/** Reserves what an interrupted move or restore left, and deletes its rows. */
export async function reservePartial(schema: Kysely<unknown>, moveId: string, tables: readonly string[] = movedTables): Promise<void> {
  await withTables(schema).updateTable('installation').set({ move: moveId }).execute()
  await deleteRows(schema, tables)
}

function withTables(schema: Kysely<unknown>): Kysely<Tables> {
  return schema as Kysely<Tables>
}
