import type { Command } from 'commander'
import { type DatabaseAddress, readConfig } from '../../../app/config.ts'
import { ConfigError } from '../../../app/config-values.ts'
import { migrateDatabase } from '../../../app/installation.ts'
import { realContext } from '../../../context.ts'
import type { Side } from '../../../maintenance/move/copy.ts'
import { cancelMove, type Move, type Moved, moveInstallation } from '../../../maintenance/move/move.ts'
import { requireMovable } from '../../../maintenance/move/move-rules.ts'
import { findInstallation } from '../../../resources/projects/project-store.ts'
import { isThere, placeOf, requireDatabase, withSide } from '../../database-side.ts'
import { UsageError } from '../../errors.ts'
import { startSteps, stopOnSignal } from '../../progress.ts'
import { type CommonOptions, databaseCommand, examples, onTerminal, print, say } from '../../terminal.ts'
import { upgradeSteps } from '../../upgrade-steps.ts'
import { refuseWithout } from '../../with-installation.ts'

interface MoveOptions extends Pick<CommonOptions, 'database' | 'json'> {
  readonly to?: string
  readonly cancel?: true
}

const nouns = { copy: 'rows copied', verify: 'rows read back', index: 'posts indexed' } as const

/** `verso move`: exit code 1 if the installation did not move. */
export function moveCommand(): Command {
  return databaseCommand(
    'move',
    'Move the whole installation to an empty database, SQLite or PostgreSQL. The old database becomes read-only.',
  )
    .option('--to <address>', 'the empty database: sqlite:<path> or postgres://…')
    .option('--cancel', 'allow writes again in a database that was moving or has moved')
    .addHelpText(
      'after',
      `${examples(
        'verso move --to postgres://verso:secret@db.example.com/verso',
        'verso move --database postgres://verso:secret@db.example.com/verso --to sqlite:data/verso.db',
        'verso move --cancel --database sqlite:data/verso.db',
      )}\n\nThe key that seals the secrets of webhooks does not move. It is in VERSO_SECRET or in the file <database>.secret: take it along.`,
    )
    .action(async (options: MoveOptions) => {
      if ((options.to === undefined) === (options.cancel === undefined))
        throw new UsageError('move needs either --to <address> or --cancel.')
      const { database } = readConfig(options)
      const moveTo = options.to === undefined ? undefined : parseTo(options.to)
      requireDatabase(database)
      await upgradeSource(options)
      await (moveTo ? move(database, moveTo, options) : cancel(database, options))
    })
}

/** As every command does: a backup comes before a migration, and a database without an installation is left as it is. */
async function upgradeSource(options: MoveOptions): Promise<void> {
  const config = readConfig(options)
  const steps = upgradeSteps(config, { withoutBackup: false, tell: onTerminal(options) })
  await migrateDatabase(config.database, realContext, { steps: { ...steps, creates: () => refuseWithout(config.database) } })
}

async function move(database: DatabaseAddress, moveTo: DatabaseAddress, options: MoveOptions): Promise<void> {
  await withSide(database, async (source) => {
    // To open a file that is not there creates it, and a refusal must leave none.
    if (!isThere(moveTo)) requireMovable(await foundIn(source), { place: placeOf(moveTo), found: undefined })
    await withSide(moveTo, async (target) => {
      const watch = watchMove(options, source, target)
      const moved = await moveInstallation({ source, target, context: realContext, watch }).finally(watch.ends)
      if (moved.targetState === 'partial') say(options, `Removed the remains of an interrupted move from ${target.place}.`)
      print(options, { from: source.place, to: target.place, tables: moved.tables }, movedText(source, target, moved))
      if (mayHaveWebhooks(moved)) say(options, `The webhooks need the key of their secrets: ${keyFrom(database, moveTo)}.`)
    })
  })
}

async function foundIn({ engine, place }: Side) {
  return { place, found: await findInstallation(engine.db) }
}

/** Shows the progress of a move, and the state of both databases if it failed. */
function watchMove(options: { readonly json?: true }, source: Side, target: Side): Move['watch'] & { ends(): void } {
  const outcomes = {
    reopened: `${source.place} takes writes again.`,
    closed: `${source.place} is still read-only. Run the same command again, or verso move --cancel.`,
    copied: `The copy in ${target.place} is complete but not open yet. Run the same command again.`,
  }
  return { ...startSteps(nouns), isStopped: stopOnSignal(options), failed: (outcome) => say(options, outcomes[outcome]) }
}

function movedText(source: Side, target: Side, { tables }: Moved): string {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')
  const copied = `${total} rows of ${tables.length} tables were copied, read back and found equal.`
  return `${tables.length > 0 ? copied : 'The copy was complete already.'}
The installation has moved from ${source.place} to ${target.place}.
Set VERSO_DATABASE to serve it from there. The old database is read-only now.`
}

/** A repeated command may find the copy complete and read no tables. */
function mayHaveWebhooks({ tables }: Moved): boolean {
  return tables.length === 0 || tables.some(({ table, rows }) => table === 'webhooks' && rows > 0)
}

/** How the new database gets the key of the old one. */
function keyFrom(source: DatabaseAddress, target: DatabaseAddress): string {
  if (source.kind === 'postgres') return 'set VERSO_SECRET as before'
  const file = `${source.path}.secret`
  return target.kind === 'postgres'
    ? `set VERSO_SECRET as before, or to the content of ${file}`
    : `set VERSO_SECRET as before, or copy ${file} to ${target.path}.secret`
}

async function cancel(database: DatabaseAddress, options: MoveOptions): Promise<void> {
  await withSide(database, async (source) => {
    const { state, moved_to } = await cancelMove(source, realContext)
    const warning = state === 'moved' ? `\nSo does the copy in ${moved_to}: serve one of the two, never both.` : ''
    print(options, { database: source.place, was: state }, `${source.place} takes writes.${warning}`)
  })
}

function parseTo(to: string): DatabaseAddress {
  try {
    return readConfig({ database: to }).database
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message.replace('--database', '--to')) : error
  }
}
