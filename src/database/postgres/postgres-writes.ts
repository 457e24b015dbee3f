import { sql } from 'kysely'
import type { Observations } from '../../values/observations.ts'
import { openDeferredWrites } from '../deferred-writes.ts'
import type { Engine, EngineAbilities, Tx } from '../engine.ts'
import { type InstallationState, requireOpen } from '../installation-state.ts'
import { claimOrLeave } from './advisory-locks.ts'
import { crowded } from './postgres-errors.ts'
import type { PoolSettings } from './postgres-settings.ts'
import { again, beginSharing, waitLonger } from './postgres-transaction.ts'
import { openProjectGroups } from './project-write-groups.ts'
import { openWaitQueue } from './wait-queue.ts'

/** How long a write waits until another of the same node is done, where as many are under way as may be. */
const patienceMs = 15_000
/**
 * In the one trip to the database that begins a writing transaction, it asks whether the installation takes writes. Having asked, it holds a
 * lock for which `Engine.alone` waits: a writer is either done when an installation is closed, or finds it closed.
 */
const askState = 'select state from installation'

/** Work in a transaction, told what the last statement of its beginning found. */
export type Work<T> = (tx: Tx, found: readonly unknown[]) => Promise<T>

interface WriteParts {
  readonly settings: PoolSettings
  inTransaction<T>(begin: string, work: Work<T>, behind?: EngineAbilities): Promise<T>
  /** How many transactions write at once. */
  readonly places: number
  readonly watch: Pick<Observations, 'writeBatch'>
  readonly engine: EngineAbilities
}

/** Makes the way in which everything is written: together with what else is written in its project, or by itself. */
export function openWrites({ settings, inTransaction, places, watch, engine }: WriteParts): Engine['write'] {
  const inTurn = inTurns(places)
  const alone = <T>(work: Work<T>): Promise<T> =>
    inTurn(() => again((begin) => inTransaction(`${begin}; ${askState}`, whileOpen(work)), settings))
  const share = (work: Work<void>, size: number): Promise<void> => {
    const deferred = size > 1 ? openDeferredWrites() : undefined
    const whole: Work<void> = async (tx, found) => {
      await work(tx, found)
      if (deferred) await sql.raw(waitLonger(settings)).execute(tx)
      await deferred?.run()
    }
    const behind = { ...engine, awaitClaim: claimOrLeave, ...(deferred && { deferred }) }
    return inTurn(() => inTransaction(`${beginSharing(settings)}; ${askState}`, whileOpen(whole), behind))
  }
  const together = openProjectGroups({ share, alone, writeBatch: watch.writeBatch })
  return (work, project) => (project === undefined ? alone(work) : together(project, work))
}

/** Work that is done only where the beginning found that the installation takes writes. */
function whileOpen<T>(work: Work<T>): Work<T> {
  return (tx, found) => {
    requireOpen((found[0] as { readonly state: InstallationState } | undefined)?.state)
    return work(tx, found)
  }
}

function inTurns(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line = openWaitQueue({ places, patienceMs, tooLong: crowded })
  return async (work) => {
    const leave = await line.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
