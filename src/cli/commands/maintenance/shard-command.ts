import type { Command } from 'commander'
import { readConfig } from '../../../app/config.ts'
import { migrateDatabase } from '../../../app/installation.ts'
import { realContext } from '../../../context.ts'
import type { Sharding, TablePlace } from '../../../database/engine.ts'
import { placements } from '../../../database/tables/placements.ts'
import { requireDatabase, withSide } from '../../database-side.ts'
import { CommandFailed, UsageError } from '../../errors.ts'
import { type CommonOptions, databaseCommand, examples, onTerminal, print, table } from '../../terminal.ts'
import { noBackup, upgradeSteps } from '../../upgrade-steps.ts'

interface ShardOptions extends Pick<CommonOptions, 'database' | 'json'> {
  readonly yes?: true
  readonly check?: true
  readonly backup?: false
}

/** `verso shard`: exit code 1 if the server cannot shard, or with `--check` if a table is not sharded. */
export function shardCommand(): Command {
  return databaseCommand('shard', 'Spread the tables of a PostgreSQL with Citus over its workers, by project. Stop every service first.')
    .option('--yes', 'shard the tables that are not sharded yet, with their rows; there is no way back but verso move')
    .option('--check', 'say which tables lie where, and change nothing')
    .option(...noBackup)
    .addHelpText(
      'after',
      examples('verso shard --check', 'verso shard --yes --database postgres://verso:secret@coordinator.example.com/verso'),
    )
    .action(async (options: ShardOptions) => {
      if ((options.yes === undefined) === (options.check === undefined)) throw new UsageError('shard needs either --yes or --check.')
      requireDatabase(readConfig(options).database)
      await (options.yes ? shard(options) : check(options))
    })
}

async function shard(options: ShardOptions): Promise<void> {
  const config = readConfig(options)
  const steps = upgradeSteps(config, { withoutBackup: options.backup === false, tell: onTerminal(options) })
  let sharded: readonly string[] = []
  let places: readonly TablePlace[] = []
  await migrateDatabase(config.database, realContext, {
    steps,
    andThen: async (engine) => {
      const sharding = requireSharding(engine.sharding)
      sharded = await sharding.shard()
      places = await sharding.places()
    },
  })
  const servers = new Set(places.flatMap((each) => each.servers)).size
  const done =
    sharded.length === 0
      ? 'Every table is sharded already.'
      : `Sharded ${sharded.length} tables over ${servers} servers: ${sharded.join(', ')}.\nStart the services now: they see at their start that the tables are sharded.`
  print(options, { sharded, places }, done)
}

async function check(options: ShardOptions): Promise<void> {
  const places = await withSide(readConfig(options).database, ({ engine }) => requireSharding(engine.sharding).places())
  const rows = places.map((each) => [
    each.table,
    each.shards === 0 ? '-' : String(each.shards),
    each.servers.join(' ') || 'the coordinator',
  ])
  print(options, { places }, table(['TABLE', 'SHARDS', 'SERVERS'], rows, 'There are no tables yet: verso migrate makes them.'))
  const kinds: Readonly<Record<string, string>> = placements
  if (places.some((each) => kinds[each.table] === 'with its project' && each.shards === 0)) process.exitCode = 1
}

function requireSharding(sharding: Sharding | undefined): Sharding {
  if (sharding) return sharding
  throw new CommandFailed('The database is not on a PostgreSQL with Citus. On its coordinator, and on each worker: create extension citus')
}
