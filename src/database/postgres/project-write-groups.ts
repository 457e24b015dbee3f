import { sql } from 'kysely'
import type { ProjectId } from '../../values/ids.ts'
import type { Tx } from '../engine.ts'
import { openWriteGroups, type Transaction, type WriteGroups } from '../group-commit.ts'
import { isConnectionLost, retriesAlone } from './postgres-errors.ts'

type Work<T> = (tx: Tx) => Promise<T>

interface ProjectGroupParts {
  /** Runs the work of `size` writes of a project in one transaction, each as one part. */
  share(work: (tx: Tx) => Promise<void>, size: number, project: ProjectId): Promise<void>
  /** Runs work in its own transaction. Retries it if it loses a race. */
  alone<T>(work: Work<T>, project: ProjectId): Promise<T>
  /** Reports how many writes shared a transaction. */
  writeBatch(size: number): void
}

/** Longer than on SQLite, since reads do not wait for writes here. */
const maxGroupMs = 250

interface ProjectQueue {
  readonly groups: WriteGroups<Tx>
  waiting: number
}

/**
 * Concurrent writes of one project share a transaction and its flush, each under its own savepoint. Projects do not wait for each other. A
 * write that loses a race or would block the others runs again in its own transaction.
 */
export function openProjectGroups(parts: ProjectGroupParts): <T>(project: ProjectId, work: Work<T>) => Promise<T> {
  const queues = new Map<ProjectId, ProjectQueue>()
  return async (project, work) => {
    const queue = queues.get(project) ?? { groups: openGroups(parts, project), waiting: 0 }
    queues.set(project, queue)
    queue.waiting++
    try {
      return await queue.groups.join(work)
    } catch (error) {
      if (!retriesAlone(error)) throw error
    } finally {
      if (--queue.waiting === 0) queues.delete(project)
    }
    return parts.alone(work, project)
  }
}

function openGroups({ share, writeBatch }: ProjectGroupParts, project: ProjectId): WriteGroups<Tx> {
  let parts: SharedParts | undefined
  const run: Transaction<Tx>['run'] = (work, size) =>
    share(
      async (tx) => {
        parts = openSharedParts(tx)
        await work(tx)
      },
      size,
      project,
    )
  return openWriteGroups<Tx>(
    {
      run,
      part: (work) => (parts ? parts.run(work) : work()),
      isActive: () => parts?.isActive() ?? false,
      // The statement that begins the transaction checks it.
      requireOpen: () => undefined,
      maxMs: maxGroupMs,
      // The server flushes every commit.
      flush: () => undefined,
    },
    { writeBatch },
  )
}

/** A transaction that several writes share, each as one part. */
interface SharedParts {
  /** Runs one part. If it rejects, only that part is rolled back. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether the transaction can go on. */
  isActive(): boolean
}

/** Ends a part and begins the next one in one round trip. After a rollback the next part reuses the savepoint. */
function openSharedParts(tx: Tx): SharedParts {
  const part = 'savepoint part'
  let begin: string | undefined = part
  let active = true

  const rollBack = async () => {
    try {
      await sql.raw(`rollback to ${part}`).execute(tx)
      begin = undefined
    } catch (error) {
      active = false
      throw error
    }
  }

  return {
    isActive: () => active,
    async run(work) {
      if (begin !== undefined) await sql.raw(begin).execute(tx)
      const restore = tx.engine.deferred?.mark()
      try {
        const result = await work()
        begin = `release ${part}; ${part}`
        return result
      } catch (error) {
        restore?.()
        active = !isConnectionLost(error)
        if (active) await rollBack()
        throw error
      }
    },
  }
}
