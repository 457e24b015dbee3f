import type { Db, Tx } from '../../../database/engine.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { type FailureCounts, forgottenAfterMs, type SignInAttempt } from './failed-sign-in.ts'

export async function findFailures(db: Db, { both, address, account }: SignInAttempt): Promise<FailureCounts> {
  const rows = await db
    .selectFrom('failed_sign_ins')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'both'), eb('name', '=', both)]),
        eb.and([eb('kind', '=', 'address'), eb('name', '=', address)]),
        eb.and([eb('kind', '=', 'account'), eb('name', '=', account)]),
      ]),
    )
    .execute()
  return Object.fromEntries(rows.map((row) => [row.kind, { failures: Number(row.failures), lastAt: row.last_at }]))
}

/** Counts a failure, beginning again where the last one is forgotten. Always in the same order, so that two never wait for each other. */
export async function addFailure(tx: Tx, attempt: SignInAttempt, now: Instant): Promise<void> {
  const horizon = later(now, -forgottenAfterMs)
  for (const kind of ['address', 'account', 'both'] as const)
    await tx
      .insertInto('failed_sign_ins')
      .values({ kind, name: attempt[kind], failures: 1, last_at: now })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'name']).doUpdateSet((row) => ({
          failures: row
            .case()
            .when('failed_sign_ins.last_at', '>', horizon)
            .then(row('failed_sign_ins.failures', '+', 1))
            .else(1)
            .end(),
          last_at: now,
        })),
      )
      .execute()
}

/** A right password ends what was counted for this account at this address. */
export async function forgetFailures(tx: Tx, { both }: SignInAttempt): Promise<void> {
  await tx.deleteFrom('failed_sign_ins').where('kind', '=', 'both').where('name', '=', both).execute()
}

export async function deleteOldFailures(tx: Tx, now: Instant): Promise<void> {
  await tx.deleteFrom('failed_sign_ins').where('last_at', '<=', later(now, -forgottenAfterMs)).execute()
}
