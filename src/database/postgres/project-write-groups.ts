import type { Tx } from '../engine.ts'
import { openWriteGroups, type Transaction, type WriteGroups } from '../group-commit.ts'
import { openSharedParts, type SharedParts } from './group-savepoints.ts'
import { deservesOwn } from './postgres-errors.ts'

type Work<T> = (tx: Tx) => Promise<T>

interface ProjectGroupParts {
  /** Runs the work of `size` writes in one transaction, in which each has a part. */
  share(work: (tx: Tx) => Promise<void>, size: number): Promise<void>
  /** Runs work in a transaction of its own, and again where it loses a race. */
  alone<T>(work: Work<T>): Promise<T>
  /** Reports how many writes shared a transaction. */
  writeBatch(size: number): void
}

/** Reads do not wait for writes here, and a write waits at most for the rest of one group and for its own. */
const groupTakesMs = 250

interface Line {
  readonly groups: WriteGroups<Tx>
  /** How many writes wait in it. */
  waiting: number
}

/**
 * Writes of one project that come together share a transaction and its flush, each with a savepoint of its own. Projects do not wait for each
 * other. A write that loses a race in there, or would block the others, runs again in a transaction of its own (ADR 28).
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
