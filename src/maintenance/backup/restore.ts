import type { Context } from '../../context.ts'
import type { Tx } from '../../database/engine.ts'
import { inSchema, type Migration, migrateWithin, releasedMigrations } from '../../database/migrate.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'
import { findInstallation } from '../../resources/projects/project-store.ts'
import { indexStalePosts } from '../../search/reindex.ts'
import type { Instant } from '../../values/instant.ts'
import type { Side } from '../move/copy.ts'
import { listBatches } from '../move/copy-store.ts'
import { MoveSuperseded, requireWhole } from '../move/move-rules.ts'
import { fillTarget, findInstallationRow, openTarget, reserveEmpty, reservePartial } from '../move/move-store.ts'
import { movedTables } from '../move/moved-tables.ts'
import { digestRows } from '../move/row-digest.ts'
import { type BackupContents, type BackupWatch, rowsIn, verifyBackup } from './backup.ts'
import { BackupStopped, UnusableBackup } from './backup-errors.ts'
import { type BackupHeader, readBackup } from './backup-format.ts'
import { listMigrations, setEpoch } from './backup-store.ts'

interface Restore {
  readonly target: Side
  /** What `verifyRestorable` found in the backup. */
  readonly contents: BackupContents
  /** Opens the backup once more. */
  open(): AsyncIterable<Uint8Array>
  readonly context: Pick<Context, 'now' | 'random'>
  readonly watch: BackupWatch
  readonly migrations?: readonly Migration[]
}

/** What was restored, and the migrations that were applied to it afterwards. */
export interface Restored extends BackupContents {
  readonly applied: readonly string[]
}

/** Reads a whole backup before anything is changed. Throws `UnusableBackup` if it is damaged or of a schema that this version does not know. */
export async function verifyRestorable(
  bytes: AsyncIterable<Uint8Array>,
  watch: BackupWatch,
  migrations: readonly Migration[] = releasedMigrations,
): Promise<BackupContents> {
  const contents = await verifyBackup(bytes, watch)
  requireKnownSchema(contents.header, migrations)
  return contents
}

/**
 * Restores a verified backup into an empty database: fills it, reads it back, migrates it, and only then opens it, with a new epoch. Until
 * then nobody can use the database; where it fails or the program dies, run the same restore again.
 */
export async function restoreBackup(restore: Restore): Promise<Restored> {
  const { target, contents, context, watch, migrations = releasedMigrations } = restore
  const { header } = contents
  const restoreId = newMark(context)
  await reserve(restore, header, restoreId)
  await fill(restore, header, restoreId)
  await target.engine.analyze?.()
  await target.engine.snapshot((db) => compare(db, contents, watch))
  const applied = await migrateFurther(restore, migrations)
  await index(target, header, watch)
  const epoch = newMark(context)
  const installation = { epoch, created_at: header.installation.createdAt as Instant, move: restoreId }
  if ((await target.engine.alone((tx) => openTarget(tx, installation))) === undefined) throw new MoveSuperseded(target.place)
  return { ...contents, applied }
}

/** Gives a whole installation a new epoch, as a restore does, after the database was restored by its own means. */
export async function renewEpoch({ engine, place }: Side, context: Pick<Context, 'now' | 'random'>): Promise<void> {
  if ((await listMigrations(engine.db)).length === 0) requireWhole(place, undefined)
  await engine.alone(async (tx) => {
    requireWhole(place, await findInstallation(tx))
    await setEpoch(tx, newMark(context))
  })
}

function newMark({ random }: Pick<Context, 'random'>): string {
  return Buffer.from(random(12)).toString('base64url')
}

/** The schema of a backup must be one that this version had, too. */
function requireKnownSchema({ migrations, tables }: BackupHeader, known: readonly Migration[]): void {
  const newer = migrations.filter((name) => !known.some((each) => each.name === name))
  if (newer.length > 0 || migrations.length === 0)
    throw new UnusableBackup(
      `The backup has a schema that this version of Verso does not know (${newer.join(', ')}). Restore it with the version that made it or a newer one.`,
    )
  const isOfThisVersion = known.every(({ name }) => migrations.includes(name))
  const missing = movedTables.filter((table) => !tables.some(({ name }) => name === table))
  if (isOfThisVersion && missing.length > 0) throw new UnusableBackup(`The backup lacks the table ${missing.join(', ')}.`)
}

/** Makes the schema of the backup in the target and reserves it, or refuses and changes nothing. */
function reserve({ target, context, migrations = releasedMigrations }: Restore, header: BackupHeader, restoreId: string): Promise<void> {
  const { engine, place } = target
  const wanted = migrations.filter(({ name }) => header.migrations.includes(name))
  const tables = header.tables.map(({ name }) => name)
  return inSchema(engine, async (schema) => {
    const present = await listMigrations(schema)
    const isOther = present.length > 0 && present.join() !== header.migrations.join()
    if (!isOther) await migrateWithin(schema, engine, { now: () => context.now(), migrations: wanted })
    const found = await findInstallationRow(schema)
    if (found !== undefined && found.state !== 'incomplete')
      throw new UnsupportedDatabase(`${place} holds an installation already; a restore needs an empty database.`)
    if (isOther) throw new UnsupportedDatabase(`${place} has another schema than the backup; a restore needs an empty database.`)
    if (found === undefined) await reserveEmpty(schema, { place, moveId: restoreId, tables })
    else await reservePartial(schema, restoreId, tables)
  })
}

async function fill({ target, open, watch }: Restore, header: BackupHeader, restoreId: string): Promise<void> {
  watch.begins('restore', rowsIn(header))
  let done = 0
  for await (const part of readBackup(open())) {
    if (watch.isStopped()) throw new RestoreStopped()
    if (part.kind !== 'rows') continue
    const { table, rows } = part
    const isOurs = await target.engine.alone((tx: Tx) => fillTarget(tx, restoreId, { table, rows: part.parse() }))
    if (!isOurs) throw new MoveSuperseded(target.place)
    done += rows
    watch.reached(done)
  }
}

/** Reads back what was restored and refuses any difference. */
async function compare(db: Parameters<typeof listBatches>[0], { header, tables }: BackupContents, watch: BackupWatch): Promise<void> {
  watch.begins('compare', rowsIn(header))
  let done = 0
  for (const [i, { name, key }] of header.tables.entries()) {
    const digest = digestRows()
    for await (const rows of listBatches(db, name, key)) {
      if (watch.isStopped()) throw new RestoreStopped()
      digest.add(rows)
      done += rows.length
      watch.reached(done)
    }
    if (digest.result().sha256 !== tables[i]?.sha256)
      throw new UnsupportedDatabase(`The restored table ${name} is not what the backup holds.`)
  }
}

async function migrateFurther({ target, context, watch }: Restore, migrations: readonly Migration[]): Promise<readonly string[]> {
  const { engine } = target
  watch.begins('migrate', 0)
  return engine.migrate((schema) => migrateWithin(schema, engine, { now: () => context.now(), migrations }))
}

/** Makes the search index, which backups do not hold. */
async function index({ engine }: Side, { tables }: BackupHeader, watch: BackupWatch): Promise<void> {
  watch.begins('index', tables.find(({ name }) => name === 'posts')?.rows ?? 0)
  await indexStalePosts(engine, (posts) => {
    if (watch.isStopped()) throw new RestoreStopped()
    watch.reached(posts)
  })
}

/** Like `BackupStopped`, with something left behind. */
class RestoreStopped extends BackupStopped {
  constructor() {
    super('Stopped. The database is incomplete and cannot be used; run the same restore again.')
  }
}
