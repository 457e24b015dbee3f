import type { Tx } from '../engine.ts'
import { openWriteGroups, type Transaction, type WriteGroups } from '../group-commit.ts'
import { openSharedParts, type SharedParts } from './group-savepoints.ts'
import { deservesOwn } from './postgres-errors.ts'

type Work<T> = (tx: Tx) => Promise<T>

interface ProjectGroupParts {
  /** Runs the work of so many once, in a transaction of which they have a part each. */
  share(work: (tx: Tx) => Promise<void>, size: number): Promise<void>
  /** Runs work in a transaction of its own, again where it loses races. */
  alone<T>(work: Work<T>): Promise<T>
  /** So many writes shared a transaction. */
  writeBatch(size: number): void
}

/** Reads do not wait for writes here, and nobody waits for longer than for the rest of one group and for one of their own. */
const groupTakesMs = 250

interface Line {
  readonly groups: WriteGroups<Tx>
  /** Who waits for it. */
  waiting: number
}

/**
 * Lets writes of one project that come together share a transaction and its flush, each with a savepoint of its own; projects do not wait
 * for each other. What loses a race in there, or would hold the others up, has a transaction of its own after that.
 */
export function openProjectGroups(parts: ProjectGroupParts): <T>(project: string, work: Work<T>) => Promise<T> {
  const lines = new Map<string, Line>()
  return async (project, work) => {
    const line = lines.get(project) ?? { groups: openLine(parts), waiting: 0 }
    lines.set(project, line)
    line.waiting++
    try {
      return await line.groups.join(work)
    } catch (error) {
      if (!deservesOwn(error)) throw error
    } finally {
      if (--line.waiting === 0) lines.delete(project)
    }
    return parts.alone(work)
  }
}

function openLine({ share, writeBatch }: ProjectGroupParts): WriteGroups<Tx> {
  let parts: SharedParts | undefined
  const run: Transaction<Tx>['run'] = (work, size) =>
    share(async (tx) => {
      parts = openSharedParts(tx)
      await work(tx)
    }, size)
  return openWriteGroups<Tx>(
    {
      run,
      part: (work) => (parts ? parts.run(work) : work()),
      isUnderWay: () => parts?.isUnderWay() ?? false,
      // Asked by the statement that begins the transaction.
      requireOpen: () => undefined,
      takesMs: groupTakesMs,
      // The server has flushed what it has committed.
      flush: () => undefined,
    },
    { writeBatch },
  )
}
