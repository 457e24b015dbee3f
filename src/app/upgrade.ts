import type { Context } from '../context.ts'
import type { Engine } from '../database/engine.ts'
import { inSchema, type Migration, migrateUnlessFilled, migrateWithin, releasedMigrations } from '../database/migrate.ts'
import { reindexIfNeeded } from '../search/reindex.ts'

/** What is done and said around the migrations of a database that holds an installation. */
export interface UpgradeSteps {
  /** Runs before the first of these migrations. If it rejects, nothing is migrated. */
  backUp(pending: readonly string[]): Promise<void>
  /** There is no schema yet. If it throws, none is made. */
  creates?(): void
  /** A migration begins, the `place`th of all. */
  migrating(name: string, place: number, all: number): void
  /** This many of all posts are in the new search index. */
  indexing(done: number, all: number): void
}

/** Nothing is backed up or said: for databases of tests. */
export const silentUpgrade: UpgradeSteps = { backUp: async () => undefined, migrating: () => undefined, indexing: () => undefined }

interface Upgrade {
  readonly context: Pick<Context, 'now'>
  readonly steps: UpgradeSteps
  readonly migrations?: readonly Migration[]
}

/**
 * Brings a database up to date: a backup if it holds an installation, all migrations in one transaction, and the search index in another if
 * it must be made again. Whatever is interrupted is undone by the engine, and the next start does it. Returns the migrations.
 */
export async function upgrade(engine: Engine, { context, steps, migrations = releasedMigrations }: Upgrade): Promise<readonly string[]> {
  const now = () => context.now()
  const first = await inSchema(engine, (schema) => migrateUnlessFilled(schema, engine, { now, migrations, creates: steps.creates }))
  let { applied } = first
  if (first.waiting.length > 0) {
    await steps.backUp(first.waiting)
    applied = await engine.migrate((schema) => migrateWithin(schema, engine, { now, migrations, begins: steps.migrating }))
  }
  await reindexIfNeeded(engine, steps.indexing)
  return applied
}
