import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isGone } from './postgres-errors.ts'

/** The parts of one transaction that several writes share. */
export interface SharedParts {
  /** Runs one of them; where it rejects, it alone is undone. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether the transaction can go on. */
  isUnderWay(): boolean
}

/** Each part begins with a savepoint, in one trip with the end of the one before; one that was undone leaves its savepoint to the next. */
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
