import type { Perform } from '../actions/action.ts'
import { operator } from '../actions/caller.ts'
import { type LogWatch, watchLogs } from '../actions/change-log/log-watch.ts'
import { DryRunDone } from '../actions/dry-run.ts'
import type { Context } from '../context.ts'
import type { Db, Engine } from '../database/engine.ts'
import { IncompleteCopy } from '../database/installation-state.ts'
import type { Migration } from '../database/migrate.ts'
import { begin } from '../resources/projects/project-actions.ts'
import { findInstallation } from '../resources/projects/project-store.ts'
import { newId } from '../values/ids.ts'
import { type Observations, unobserved } from '../values/observations.ts'
import { Problem } from '../values/problems.ts'
import { startStopwatch } from '../values/stopwatch.ts'
import type { DatabaseAddress } from './config.ts'
import { type DuePublisher, duePublisher } from './publish-due.ts'
import { silentUpgrade, type UpgradeSteps, upgrade } from './upgrade.ts'

/** An open, migrated database and the way to act on it. The server and every command that needs a database use it. */
export interface Installation extends DuePublisher {
  readonly engine: Engine
  readonly db: Db
  readonly perform: Perform
  /** Notified of every write. */
  readonly watch: LogWatch
  readonly context: Context
  readonly observations: Observations
  readonly epoch: string
  close(): Promise<void>
}

interface InstallationParts {
  readonly database: DatabaseAddress
  readonly context: Context
  readonly observations: Observations
  readonly steps?: UpgradeSteps
}

/** Opens the database, creates it if there is none, and migrates it. */
export async function openInstallation({
  database,
  context,
  observations,
  steps = silentUpgrade,
}: InstallationParts): Promise<Installation> {
  const engine = await openEngine(database, context, observations)
  const watch = watchLogs(engine.db, (projectId, now) => due.publishDueInTime(operator(projectId, 'schedule', now)))
  const perform: Perform = async (action, caller, input) => {
    const result = await timed(observations, () => engine.write((tx) => action.run(tx, caller, input, context.random), caller.projectId))
    watch.pollSoon()
    return result
  }
  const epoch = await prepare(engine, perform, { context, steps })
  const due = duePublisher(perform, observations)
  return { ...due, engine, db: engine.db, perform, watch, context, observations, epoch, close: () => engine.close() }
}

/** Reports how long a write took and how it ended. */
async function timed<T>(observations: Observations, write: () => Promise<T>): Promise<T> {
  const elapsed = startStopwatch()
  try {
    const result = await write()
    observations.written('committed', elapsed())
    return result
  } catch (error) {
    observations.written(error instanceof Problem || error instanceof DryRunDone ? 'undone' : 'failed', elapsed())
    throw error
  }
}

interface MigrationParts {
  readonly steps?: UpgradeSteps
  readonly migrations?: readonly Migration[]
  andThen?(engine: Engine): Promise<void>
}

/** Migrates a database, then runs `andThen`. Returns the names of the migrations that were applied. */
export async function migrateDatabase(
  database: DatabaseAddress,
  context: Context,
  { steps = silentUpgrade, migrations, andThen }: MigrationParts = {},
): Promise<readonly string[]> {
  const engine = await openEngine(database, context, unobserved)
  try {
    const applied = await upgrade(engine, { context, steps, ...(migrations && { migrations }) })
    await andThen?.(engine)
    if (applied.length > 0 || andThen) await engine.analyze?.()
    return applied
  } finally {
    await engine.close()
  }
}

type EngineObservations = Pick<Observations, 'statement' | 'writeBatch' | 'flushFailed'>

/** Opens a database without migrating it. Loads only the driver that it needs. */
export async function openEngine(database: DatabaseAddress, context: Context, observations: EngineObservations): Promise<Engine> {
  if (database.kind === 'sqlite')
    return (await import('../database/sqlite/sqlite-engine.ts')).openSqlite(database.path, context, observations)
  const { openPostgres } = await import('../database/postgres/postgres-engine.ts')
  return openPostgres(database, () => context.now(), observations)
}

/** Migrates the database and returns its epoch. Closes it on failure. */
async function prepare(engine: Engine, perform: Perform, { context, steps }: { context: Context; steps: UpgradeSteps }): Promise<string> {
  try {
    await upgrade(engine, { context, steps })
    return await ensureEpoch(engine, perform, context)
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function ensureEpoch({ db, now: readNow }: Engine, perform: Perform, context: Context): Promise<string> {
  const found = await findInstallation(db)
  if (found?.state === 'incomplete') throw new IncompleteCopy()
  if (found) return found.epoch
  const now = await readNow()
  const epoch = Buffer.from(context.random(12)).toString('base64url')
  await perform(begin, operator(newId('prj', now, context.random), 'cli', now), { epoch })
  return (await findInstallation(db))?.epoch ?? epoch
}
