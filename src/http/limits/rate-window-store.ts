import type { ExpressionBuilder } from 'kysely'
import type { Tx } from '../../database/engine.ts'
import type { Tables } from '../../database/tables.ts'
import type { ProjectId } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'

/** What a node asks for. */
export interface Wanted {
  readonly projectId: ProjectId
  readonly keyId: string
  readonly requests: 'reads' | 'writes'
  readonly limit: number
  /** How many requests. */
  readonly want: number
  /** By the clock that nodes share. */
  readonly now: Instant
}

/** What it gets. */
export interface Lease {
  /** Fewer than wanted: no node gets more in this minute. */
  readonly granted: number
  /** What is left for all nodes. */
  readonly untaken: number
  readonly endsInMs: number
}

/** A minute of a key. */
export const windowMs = 60_000

/** Takes requests from the present minute of a key, or from a new one that begins now. Over all nodes, no more than the limit is granted. */
export async function leaseRequests(tx: Tx, { projectId, keyId, requests, limit, want, now }: Wanted): Promise<Lease> {
  const next = later(now, windowMs)
  // A minute that ends much later began before the clock was set back.
  const isCurrent = (row: ExpressionBuilder<Tables, 'rate_windows'>) =>
    row.and([row('rate_windows.ends_at', '>', now), row('rate_windows.ends_at', '<=', later(next, windowMs))])
  const { used, ends_at } = await tx
    .insertInto('rate_windows')
    .values({ project_id: projectId, key_id: keyId, requests, ends_at: next, used: want })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'key_id', 'requests']).doUpdateSet((row) => ({
        used: row
          .case()
          .when(isCurrent(row))
          .then(row('rate_windows.used', '+', want))
          .else(want)
          .end(),
        ends_at: row.case().when(isCurrent(row)).then(row.ref('rate_windows.ends_at')).else(next).end(),
      })),
    )
    .returning(['used', 'ends_at'])
    .executeTakeFirstOrThrow()
  const before = Number(used) - want
  return {
    granted: Math.max(0, Math.min(want, limit - before)),
    untaken: Math.max(0, limit - Number(used)),
    endsInMs: Date.parse(ends_at) - Date.parse(now),
  }
}
