import type { Tx } from '../../database/engine.ts'
import type { InstallationTable } from '../../database/tables.ts'
import { insertRows } from './copy-store.ts'
import type { MovedTable } from './moved-tables.ts'
import type { Row } from './row-digest.ts'

const open = { state: 'open', move: null, moved_to: null } as const

/** The installation as it now stands; none, and nothing changed, where it does not stand as it should. */
type Changed = Promise<InstallationTable | undefined>

/** From now on the source can be read only. */
export function closeSource(tx: Tx, mark: string, to: string): Changed {
  const closing = tx.updateTable('installation').set({ state: 'moving', move: mark, moved_to: to })
  return closing.where('state', 'in', ['open', 'moving']).returningAll().executeTakeFirst()
}

/** The source takes writes again, if this move has hold of it and has not left it yet. */
export function reopenSource(tx: Tx, mark: string): Changed {
  const opening = tx.updateTable('installation').set(open)
  return opening.where('state', '=', 'moving').where('move', '=', mark).returningAll().executeTakeFirst()
}

/** The source is left behind, if this move still has hold of it. */
export function leaveSource(tx: Tx, mark: string): Changed {
  const leaving = tx.updateTable('installation').set({ state: 'moved' })
  return leaving.where('state', '=', 'moving').where('move', '=', mark).returningAll().executeTakeFirst()
}

/** The target is the installation from now on, if this move still has hold of it: of the same epoch, so that what clients hold stays good. */
export function openTarget(tx: Tx, { epoch, created_at, move }: InstallationTable): Changed {
  const opening = tx.updateTable('installation').set({ state: 'open', epoch, created_at })
  return opening.where('state', '=', 'incomplete').where('move', '=', move).returningAll().executeTakeFirst()
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
