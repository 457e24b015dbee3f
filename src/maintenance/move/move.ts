import type { Context } from '../../context.ts'
import type { Tx } from '../../database/engine.ts'
import { inSchema, migrate, migrateWithin } from '../../database/migrate.ts'
import type { InstallationTable } from '../../database/tables.ts'
import { findInstallation } from '../../resources/projects/project-store.ts'
import { indexStalePosts } from '../../search/reindex.ts'
import { copyTables, type MovedRows, MoveStopped, type MoveWatch, type Side, verifyTables } from './copy.ts'
import { MoveSuperseded, requireMovable, requireWhole, type TargetState } from './move-rules.ts'
import {
  closeSource,
  findInstallationRow,
  leaveSource,
  openInstallationAgain,
  openTarget,
  reopenSource,
  reserveEmpty,
  reservePartial,
} from './move-store.ts'

export interface Move {
  readonly source: Side
  readonly target: Side
  readonly context: Pick<Context, 'now' | 'random'>
  readonly watch: MoveWatch & {
    /** The move failed: the source is open again, could not be opened, or the copy is complete and its target could not be opened. */
    failed(outcome: 'reopened' | 'closed' | 'copied'): void
  }
}

/** What the move found in the target, and what it copied: nothing if an earlier run had copied everything. */
export interface Moved {
  readonly targetState: TargetState
  readonly tables: readonly MovedRows[]
}

/**
 * Moves an installation into an empty database. It closes the source to writes, copies one snapshot of it, reads the copy back, marks the
 * source as moved, and then opens the target; the two never take writes at the same time. Where it fails, the source is opened again. Where
 * the program dies, run the same move again.
 */
export async function moveInstallation(move: Move): Promise<Moved> {
  const { source, context } = move
  await migrate(source.engine, () => context.now())
  const found = await findInstallation(source.engine.db)
  const moveId = Buffer.from(context.random(12)).toString('base64url')
  const targetState = await reserveTarget(move, found, moveId)
  if (targetState === 'copied') {
    await open(move, requireWhole(source.place, found))
    return { targetState, tables: [] }
  }
  const { installation, tables } = await copyClosed(move, moveId)
  await open(move, installation)
  return { targetState, tables }
}

/** Opens an installation that is moving or has moved for writes. Returns its former state. */
export async function cancelMove({ engine, place }: Side, context: Pick<Context, 'now'>): Promise<InstallationTable> {
  await migrate(engine, () => context.now())
  return engine.alone(async (tx) => {
    const installation = requireWhole(place, await findInstallation(tx))
    await openInstallationAgain(tx)
    return installation
  })
}

/** Reserves the target, or refuses and changes nothing of it, not even its schema. */
function reserveTarget({ source, target, context }: Move, found: InstallationTable | undefined, moveId: string): Promise<TargetState> {
  const { engine, place } = target
  return inSchema(engine, async (schema) => {
    await migrateWithin(schema, engine, { now: () => context.now() })
    const targetState = requireMovable({ place: source.place, found }, { place, found: await findInstallationRow(schema) })
    if (targetState === 'empty') await reserveEmpty(schema, { place, moveId })
    if (targetState === 'partial') await reservePartial(schema, moveId)
    return targetState
  })
}

/** Copies the closed source and marks it as moved; opens it again if that fails. */
async function copyClosed({ source, target, watch }: Move, moveId: string) {
  try {
    const installation = await changeState(source, (tx) => closeSource(tx, moveId, target.place))
    const tables = await source.engine.snapshot((db) => copyTables(db, target, { moveId, watch }))
    await target.engine.analyze?.()
    await indexTarget(target, tables, watch)
    await target.engine.snapshot((db) => verifyTables(db, tables, watch))
    await changeState(source, (tx) => leaveSource(tx, moveId))
    return { installation, tables }
  } catch (error) {
    const isOpen = await changeState(source, (tx) => reopenSource(tx, moveId)).then(
      () => true,
      () => false,
    )
    if (isOpen || !(error instanceof MoveSuperseded)) watch.failed(isOpen ? 'reopened' : 'closed')
    throw error
  }
}

/** Makes the search index of the target. */
async function indexTarget({ engine }: Side, tables: readonly MovedRows[], watch: MoveWatch): Promise<void> {
  watch.begins('index', tables.find(({ table }) => table === 'posts')?.rows ?? 0)
  await indexStalePosts(engine, (posts) => {
    if (watch.isStopped()) throw new MoveStopped()
    watch.reached(posts)
  })
}

async function open({ target, watch }: Move, installation: InstallationTable): Promise<void> {
  try {
    await changeState(target, (tx) => openTarget(tx, installation))
  } catch (error) {
    watch.failed('copied')
    throw error
  }
}

/** Changes the state of one of the two databases, if this move still owns it. */
async function changeState(
  { engine, place }: Side,
  change: (tx: Tx) => Promise<InstallationTable | undefined>,
): Promise<InstallationTable> {
  const changed = await engine.alone(change)
  if (changed === undefined) throw new MoveSuperseded(place)
  return changed
}
