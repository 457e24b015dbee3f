import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { ConfigError, type DatabaseAddress, readConfig } from '../../app/config.ts'
import { openEngine } from '../../app/installation.ts'
import { realContext } from '../../context.ts'
import type { Side } from '../../maintenance/move/copy.ts'
import { cancelMove, type Moved, moveInstallation } from '../../maintenance/move/move.ts'
import { unobserved } from '../../values/observations.ts'
import { UsageError } from '../errors.ts'
import { type CommonOptions, databaseCommand, examples, print, say } from '../terminal.ts'
import { watchMove } from './move-progress.ts'

interface MoveOptions extends Pick<CommonOptions, 'database' | 'json'> {
  readonly to?: string
  readonly cancel?: true
}

/** `verso move`: exit code 1 where the installation stays where it was. */
export function moveCommand(): Command {
  return databaseCommand(
    'move',
    'Move the whole installation to another, empty database, of either kind. The source can then only be read.',
  )
    .option('--to <address>', 'where to: sqlite:<path> or postgres://…')
    .option('--cancel', 'let a database take writes again that was moving, or has moved')
    .addHelpText(
      'after',
      examples(
        'verso move --to postgres://verso:secret@db.example.com/verso',
        'verso move --database postgres://verso:secret@db.example.com/verso --to sqlite:data/verso.db',
        'verso move --cancel --database sqlite:data/verso.db',
      ),
    )
    .action(async (options: MoveOptions) => {
      if ((options.to === undefined) === (options.cancel === undefined))
        throw new UsageError('move needs either --to <address> or --cancel.')
      const { database } = readConfig(options)
      if (database.kind === 'sqlite' && !existsSync(database.path)) throw new UsageError(`there is no database at ${database.path}.`)
      await (options.to === undefined ? cancel(database, options) : move(database, options.to, options))
    })
}

async function move(database: DatabaseAddress, to: string, options: MoveOptions): Promise<void> {
  const moveTo = parseTo(to)
  await withSide(database, (source) =>
    withSide(moveTo, async (target) => {
      const watch = watchMove(options, source, target)
      const moved = await moveInstallation({ source, target, context: realContext, watch }).finally(watch.ends)
      if (moved.ground === 'partial') say(options, `What an interrupted move had left in ${target.place} was thrown away.`)
      print(options, { from: source.place, to: target.place, tables: moved.tables }, movedText(source, target, moved))
    }),
  )
}

function movedText(source: Side, target: Side, { tables }: Moved): string {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en')
  const copied = `${total} rows of ${tables.length} tables were copied and read back; they are the same.`
  return `${tables.length > 0 ? copied : 'The copy was complete already.'}
The installation has moved from ${source.place} to ${target.place}.
Serve it from there now, with VERSO_DATABASE. Where it was it can be read, and takes no writes any more.`
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
    throw error instanceof ConfigError ? new UsageError(error.message.replace('VERSO_DATABASE', '--to')) : error
  }
}

/** Opens a database as it is and closes it again, whatever happens. */
async function withSide(database: DatabaseAddress, work: (side: Side) => Promise<void>): Promise<void> {
  const engine = await openEngine(patient(database), realContext, unobserved)
  try {
    await work({ engine, place: placeOf(database) })
  } finally {
    await engine.close()
  }
}

/** A whole installation takes its time, and no two batches need be the same statement. */
function patient(database: DatabaseAddress): DatabaseAddress {
  return database.kind === 'postgres' ? { ...database, statementTimeoutMs: 0, prepare: false } : database
}

/** A database as people may read its address: without user, password and parameters. */
export function placeOf(database: DatabaseAddress): string {
  if (database.kind === 'sqlite') return `sqlite:${database.path}`
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
