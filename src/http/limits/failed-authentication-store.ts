import type { ExpressionBuilder } from 'kysely'
import type { Tx } from '../../database/engine.ts'
import type { Tables } from '../../database/tables.ts'
import { type Instant, later } from '../../values/instant.ts'

/** What a node has seen of an address. */
interface SeenFailures {
  readonly address: string
  readonly failures: number
  /** By the clock that nodes share. */
  readonly now: Instant
}

/** What all nodes have seen of an address in its present minute. */
export interface SharedFailures {
  readonly failures: number
  readonly endsInMs: number
}

/** A minute of an address. */
export const windowMs = 60_000

/** Adds failures to the present minute of an address, or to a new one that begins now. */
export async function addFailures(tx: Tx, { address, failures, now }: SeenFailures): Promise<SharedFailures> {
  const next = later(now, windowMs)
  // A node may have asked for the time before another, and be later with it. What ends a minute later still began before the clock was set back.
  const latest = later(now, 2 * windowMs)
  const isCurrent = (row: ExpressionBuilder<Tables, 'failed_authentications'>) =>
    row.and([row('failed_authentications.ends_at', '>', now), row('failed_authentications.ends_at', '<=', latest)])
  const row = await tx
    .insertInto('failed_authentications')
    .values({ address, failures, ends_at: next })
    .onConflict((conflict) =>
      conflict.column('address').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when(isCurrent(eb))
          .then(eb('failed_authentications.failures', '+', failures))
          .else(failures)
          .end(),
        ends_at: eb.case().when(isCurrent(eb)).then(eb.ref('failed_authentications.ends_at')).else(next).end(),
      })),
    )
    .returning(['failures', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { failures: Number(row.failures), endsInMs: Date.parse(row.ends_at) - Date.parse(now) }
}

/** Forgets the minutes that are over. */
export async function deleteEndedFailures(tx: Tx, now: Instant): Promise<void> {
  await tx.deleteFrom('failed_authentications').where('ends_at', '<=', now).execute()
}
