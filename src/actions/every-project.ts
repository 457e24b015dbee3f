import type { Db } from '../database/engine.ts'
import type { ProjectId } from '../values/ids.ts'
import { Problem } from '../values/problems.ts'

/** What was found in all projects; `isWhole` is false if some of them could not be asked. */
interface FoundEverywhere<T> {
  readonly found: readonly T[]
  readonly isWhole: boolean
}

/**
 * Asks about all projects. `ask` gets the project to ask about; undefined is all of them in one statement. Where a server of a sharded database
 * is away, asks project by project and leaves out those that cannot be asked, so that they stop no others.
 */
export async function askEveryProject<T>(db: Db, ask: (projectId?: ProjectId) => Promise<readonly T[]>): Promise<FoundEverywhere<T>> {
  const { servers } = db.engine
  if (!servers) return { found: await ask(), isWhole: true }
  try {
    return { found: await servers.ask(undefined, ask), isWhole: true }
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
  const found: T[] = []
  let isWhole = true
  for (const { id } of await db.selectFrom('projects').select('id').execute()) {
    try {
      found.push(...(await servers.ask(id, () => ask(id))))
    } catch (error) {
      if (!isUnavailable(error)) throw error
      isWhole = false
    }
  }
  return { found, isWhole }
}

/** A server that hangs is as good as away. */
function isUnavailable(error: unknown): error is Problem {
  return error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'overloaded')
}
