import type { Kysely } from 'kysely'
import { shortTurns } from '../../values/event-loop.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import { NeedsSavepoint, type Transaction } from '../group-commit.ts'
import { type InstallationState, requireOpen } from '../installation-state.ts'
import type { Tables } from '../tables.ts'
import { isBusy, toProblem } from './sqlite-errors.ts'

/** The writing connection of the driver, used directly for the statements of every write. */
interface Writer {
  readonly inTransaction: boolean
  prepare(text: string): { run(): unknown; get(): unknown }
}

/** Transactions on the writing connection. None begins if `requireSound` throws. */
export function transactionsOn(
  kysely: Kysely<Tables>,
  writer: Writer,
  requireSound: () => void,
): Omit<Transaction<Kysely<Tables>>, 'flush'> {
  // Immediate: a transaction that begins as a reader cannot write after another process has written.
  const begin = writer.prepare('begin immediate')
  const [commit, rollback] = [writer.prepare('commit'), writer.prepare('rollback')]
  let state: ReturnType<Writer['prepare']> | undefined
  return {
    run: (work) =>
      kysely.connection().execute(async (connection) => {
        try {
          requireSound()
          await beginWithPatience(() => begin.run())
          const turn = shortTurns()
          await work(connection)
          // The commit of large posts writes megabytes, so it has a turn of its own.
          await turn()
          commit.run()
        } catch (error) {
          if (writer.inTransaction) rollback.run()
          throw toProblem(error)
        }
      }),
    part: partsOn(writer),
    isActive: () => writer.inTransaction,
    requireOpen() {
      // Prepared late: the table does not exist before the first migration.
      state ??= writer.prepare('select state from installation')
      const found = state.get() as { readonly state: InstallationState } | undefined
      requireOpen(found?.state)
    },
  }
}

/** How long a write waits for another process (a command beside the server) before it gives up. */
const patienceMs = 5_000
const [firstPauseMs, longestPauseMs] = [2, 50]

/** Begins once no other process writes. It waits beside the event loop: within it, nobody would be answered. */
export async function beginWithPatience(begin: () => unknown): Promise<void> {
  const elapsed = startStopwatch()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      await begin()
      return
    } catch (error) {
      if (!isBusy(error) || elapsed() > patienceMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Parts of the current transaction. */
function partsOn(writer: Writer): Transaction<unknown>['part'] {
  const [save, release, back] = ['savepoint part', 'release part', 'rollback to part'].map((text) => writer.prepare(text))
  const countWritten = writer.prepare('select total_changes() as rows')
  const written = () => (countWritten.get() as { readonly rows: number }).rows

  const withSavepoint = async <T>(work: () => Promise<T>): Promise<T> => {
    save?.run()
    try {
      const result = await work()
      release?.run()
      return result
    } catch (error) {
      if (writer.inTransaction) {
        back?.run()
        release?.run()
      }
      throw toProblem(error)
    }
  }

  const withoutSavepoint = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = written()
    try {
      return await work()
    } catch (error) {
      if (writer.inTransaction && written() !== before) throw new NeedsSavepoint()
      throw toProblem(error)
    }
  }

  return (work, savepoint) => (savepoint ? withSavepoint(work) : withoutSavepoint(work))
}
