import type { Db, Tx } from '../database/engine.ts'
import type { Instant } from '../instant.ts'

/** The random epoch of this installation; none before it was first started. */
export async function findEpoch(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('epoch').executeTakeFirst()
  return row?.epoch
}

/** Makes this database an installation, once. */
export async function insertInstallation(tx: Tx, epoch: string, now: Instant): Promise<void> {
  await tx
    .insertInto('installation')
    .values({ id: 1, epoch, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
