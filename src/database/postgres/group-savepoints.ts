import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isGone } from './postgres-errors.ts'

/** The parts of a shared transaction, one per write. */
export interface SharedParts {
  /** Runs one part; where it rejects, only it is rolled back. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether the transaction can go on. */
  isUnderWay(): boolean
}

/** Each part begins with a savepoint, in one round trip with the end of the part before. A part that was rolled back leaves its savepoint to the next. */
export function openSharedParts(tx: Tx): SharedParts {
  const part = 'savepoint part'
  let begin: string | undefined = part
  let underWay = true

  const undo = async () => {
    try {
      await sql.raw(`rollback to ${part}`).execute(tx)
      begin = undefined
    } catch (error) {
      underWay = false
      throw error
    }
  }

  return {
    isUnderWay: () => underWay,
    async run(work) {
      if (begin !== undefined) await sql.raw(begin).execute(tx)
      const restore = tx.engine.deferred?.mark()
      try {
        const result = await work()
        begin = `release ${part}; ${part}`
        return result
      } catch (error) {
        restore?.()
        underWay = !isGone(error)
        if (underWay) await undo()
        throw error
      }
    },
  }
}
