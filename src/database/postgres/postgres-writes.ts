import { sql } from 'kysely'
import type { ProjectId } from '../../values/ids.ts'
import type { Observations } from '../../values/observations.ts'
import { openDeferredWrites } from '../deferred-writes.ts'
import { type Engine, type EngineAbilities, runByItself, type Tx } from '../engine.ts'
import { type InstallationState, requireOpen } from '../installation-state.ts'
import { claimOrThrow } from './advisory-locks.ts'
import { tooManyWaiting } from './postgres-errors.ts'
import type { PoolSettings } from './postgres-settings.ts'
import { beginShared, extendLockTimeout, retryLostRaces } from './postgres-transaction.ts'
import { openProjectGroups } from './project-write-groups.ts'
import type { GuardedServers } from './shard-servers.ts'
import { openWaitQueue } from './wait-queue.ts'

/** How long a write waits for others of this node. */
const maxWaitMs = 15_000
/**
 * Part of the statement that begins a write. Reading the state takes a lock that `Engine.alone` waits for, so a write ends before an
 * installation is closed, or finds it closed.
 */
const readState = 'select state from installation'

/** Work in a transaction; `found` is the result of the last statement that began it. */
export type Work<T> = (tx: Tx, found: readonly unknown[]) => Promise<T>

interface WriteParts {
  readonly settings: PoolSettings
  inTransaction<T>(begin: string, work: Work<T>, abilities?: EngineAbilities): Promise<T>
  /** How many transactions write at once. */
  readonly places: number
  readonly watch: Pick<Observations, 'writeBatch'>
  readonly engine: EngineAbilities
  /** Present if the database is sharded. */
  readonly servers: GuardedServers | undefined
}

/** Writes of a project share transactions; a write without a project gets its own. */
export function openWrites({ settings, inTransaction, places, watch, engine, servers }: WriteParts): Engine['write'] {
  const inPlace = limitConcurrency(places)
  const limited = <T>(project: ProjectId | undefined, work: () => Promise<T>): Promise<T> =>
    servers ? servers.within(project, 'write', () => inPlace(work)) : inPlace(work)
  const alone = <T>(work: Work<T>, project?: ProjectId): Promise<T> =>
    limited(project, () => retryLostRaces((begin) => inTransaction(`${begin}; ${readState}`, ifOpen(work)), settings))
  const share = (work: Work<void>, size: number, project: ProjectId): Promise<void> => {
    const deferred = size > 1 ? openDeferredWrites() : undefined
    const whole: Work<void> = async (tx, found) => {
      await work(tx, found)
      if (deferred) await sql.raw(extendLockTimeout(settings)).execute(tx)
      await deferred?.run()
    }
    const abilities = { ...engine, runByItself, awaitClaim: claimOrThrow, ...(deferred && { deferred }) }
    return limited(project, () => inTransaction(`${beginShared(settings)}; ${readState}`, ifOpen(whole), abilities))
  }
  const together = openProjectGroups({ share, alone, writeBatch: watch.writeBatch })
  return (work, project) => (project === undefined ? alone(work) : together(project, work))
}

/** Work that runs only if the installation takes writes. */
function ifOpen<T>(work: Work<T>): Work<T> {
  return (tx, found) => {
    requireOpen((found[0] as { readonly state: InstallationState } | undefined)?.state)
    return work(tx, found)
  }
}

function limitConcurrency(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = openWaitQueue({ places: () => places, maxWaitMs, timeoutError: tooManyWaiting })
  return async (work) => {
    const leave = await queue.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
