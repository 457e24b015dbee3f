import type { Context } from '../../context.ts'
import type { Tx } from '../../database/engine.ts'
import { migrate, migrateWithin } from '../../database/migrate.ts'
import type { InstallationTable } from '../../database/tables.ts'
import { findInstallation } from '../../resources/projects/project-store.ts'
import { indexStalePosts } from '../../search/reindex.ts'
import { claimEmpty, claimPartial, findClaim } from './claim-store.ts'
import { copyTables, type MovedRows, MoveStopped, type MoveWatch, type Side, verifyTables } from './copy.ts'
import { type Ground, judgeMove, MoveOvertaken, requireWhole } from './move-rules.ts'
import { closeSource, leaveSource, openAgain, openTarget, reopenSource } from './move-store.ts'

export interface Move {
  readonly source: Side
  readonly target: Side
  readonly context: Pick<Context, 'now' | 'random'>
  readonly watch: MoveWatch & {
    /** The source takes writes again, or could not be told so; or all is done but the target could not be opened. */
    failed(outcome: 'reopened' | 'closed' | 'copied'): void
  }
}

/** What was there to begin with, and what was copied: nothing, where an earlier move had come as far as to opening the target. */
export interface Moved {
  readonly ground: Ground
  readonly tables: readonly MovedRows[]
}

/**
 * Moves an installation into an empty database: the source is closed to writes, copied in one state, read back and left; then the target is
 * opened. At no time do both take writes. Where it fails the source is opened again; where the program dies, the same move begins anew.
 */
export async function moveInstallation(move: Move): Promise<Moved> {
  const { source, context } = move
  await migrate(source.engine, () => context.now())
  const found = await findInstallation(source.engine.db)
  const mark = Buffer.from(context.random(12)).toString('base64url')
  const ground = await claimTarget(move, found, mark)
  if (ground === 'copied') {
    await open(move, requireWhole(source.place, found))
    return { ground, tables: [] }
  }
  const { installation, tables } = await copyClosed(move, mark)
  await open(move, installation)
  return { ground, tables }
}

/** Lets an installation take writes again that was moving, or has moved, and says what it was. */
export async function cancelMove({ engine, place }: Side, context: Pick<Context, 'now'>): Promise<InstallationTable> {
  await migrate(engine, () => context.now())
  return engine.alone(async (tx) => {
    const installation = requireWhole(place, await findInstallation(tx))
    await openAgain(tx)
    return installation
  })
}

/** Takes hold of the target, if it may be moved to. Where it may not, nothing of it was changed, not even its schema. */
function claimTarget({ source, target, context }: Move, found: InstallationTable | undefined, mark: string): Promise<Ground> {
  const { engine, place } = target
  return engine.migrate(async (schema) => {
    await migrateWithin(schema, engine, () => context.now())
    const ground = judgeMove({ place: source.place, found }, { place, found: await findClaim(schema) })
    if (ground === 'empty') await claimEmpty(schema, { place, mark })
    if (ground === 'partial') await claimPartial(schema, mark)
    return ground
  })
}

/** Copies the source while nobody can write to it, and leaves it so; or opens it again where that fails. */
async function copyClosed({ source, target, watch }: Move, mark: string) {
  try {
    const installation = await holding(source, (tx) => closeSource(tx, mark, target.place))
    const tables = await source.engine.snapshot((db) => copyTables(db, target, { mark, watch }))
    await indexTarget(target, tables, watch)
    await target.engine.snapshot((db) => verifyTables(db, tables, watch))
    await holding(source, (tx) => leaveSource(tx, mark))
    return { installation, tables }
  } catch (error) {
    const isOpen = await holding(source, (tx) => reopenSource(tx, mark)).then(
      () => true,
      () => false,
    )
    if (isOpen || !(error instanceof MoveOvertaken)) watch.failed(isOpen ? 'reopened' : 'closed')
    throw error
  }
}

/** What was copied is indexed there, as that engine does. */
async function indexTarget({ engine }: Side, tables: readonly MovedRows[], watch: MoveWatch): Promise<void> {
  watch.begins('index', tables.find(({ table }) => table === 'posts')?.rows ?? 0)
  await indexStalePosts(engine, (posts) => {
    if (watch.isStopped()) throw new MoveStopped()
    watch.reached(posts)
  })
}

async function open({ target, watch }: Move, installation: InstallationTable): Promise<void> {
  try {
    await holding(target, (tx) => openTarget(tx, installation))
  } catch (error) {
    watch.failed('copied')
    throw error
  }
}

/** Changes the standing of one of the two databases, if this move still has hold of it. */
async function holding({ engine, place }: Side, change: (tx: Tx) => Promise<InstallationTable | undefined>): Promise<InstallationTable> {
  const changed = await engine.alone(change)
  if (changed === undefined) throw new MoveOvertaken(place)
  return changed
}
