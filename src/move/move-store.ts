import type { Tx } from '../database/engine.ts'
import type { InstallationTable } from '../database/tables.ts'
import { insertRows } from './copy-store.ts'
import type { MovedTable } from './moved-tables.ts'
import type { Row } from './row-digest.ts'

const open = { state: 'open', move: null, moved_to: null } as const

/** From now on the source can be read only. False where it has moved meanwhile. */
export async function closeSource(tx: Tx, mark: string, to: string): Promise<boolean> {
  const closing = tx.updateTable('installation').set({ state: 'moving', move: mark, moved_to: to })
  const { numUpdatedRows } = await closing.where('state', 'in', ['open', 'moving']).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The source takes writes again; false where it is not this move that has hold of it, or where it was left already. */
export async function reopenSource(tx: Tx, mark: string): Promise<boolean> {
  const opening = tx.updateTable('installation').set(open)
  const { numUpdatedRows } = await opening.where('state', '=', 'moving').where('move', '=', mark).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The source is left behind; false where it is not this move any more that has hold of it. */
export async function leaveSource(tx: Tx, mark: string): Promise<boolean> {
  const leaving = tx.updateTable('installation').set({ state: 'moved' })
  const { numUpdatedRows } = await leaving.where('state', '=', 'moving').where('move', '=', mark).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whoever has hold of it, the installation takes writes. */
export async function openAgain(tx: Tx): Promise<void> {
  await tx.updateTable('installation').set(open).execute()
}

/** Puts a batch into the target; false, and nothing done, where it is not this move any more that has hold of it. */
export async function fillTarget(tx: Tx, mark: string, { table, rows }: { table: MovedTable; rows: readonly Row[] }): Promise<boolean> {
  const claims = tx.selectFrom('installation').select('id').where('state', '=', 'incomplete').where('move', '=', mark)
  if ((await claims.executeTakeFirst()) === undefined) return false
  await insertRows(tx, table, rows)
  return true
}

/** The target is the installation from now on, of the same epoch, so that what clients hold stays good. False where another move has hold of it. */
export async function openTarget(tx: Tx, { epoch, created_at, move }: InstallationTable): Promise<boolean> {
  const opening = tx.updateTable('installation').set({ state: 'open', epoch, created_at })
  const { numUpdatedRows } = await opening.where('state', '=', 'incomplete').where('move', '=', move).executeTakeFirst()
  return numUpdatedRows > 0n
}
