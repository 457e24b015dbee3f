import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { InstallationTable } from '../../database/tables.ts'
import type { Instant } from '../../values/instant.ts'

/** What makes this database an installation; none before it was first started. */
export async function findInstallation(db: Db): Promise<Selectable<InstallationTable> | undefined> {
  return db.selectFrom('installation').selectAll().executeTakeFirst()
}

/** Makes this database an installation, once. */
export async function insertInstallation(tx: Tx, epoch: string, now: Instant): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ id: 1, epoch, created_at: now, state: 'open', move: null, moved_to: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
