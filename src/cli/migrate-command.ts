import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { realContext } from '../context.ts'
import { migrateDatabase } from '../core.ts'
import { type CommonOptions, databaseCommand, examples, print } from './terminal.ts'

/** `verso migrate`. */
export function migrateCommand(): Command {
  return databaseCommand('migrate', 'Bring the schema of the database up to date. Every other command does so by itself.')
    .addHelpText('after', examples('verso migrate', 'verso migrate --database sqlite:/var/lib/verso/verso.db'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'>) => {
      const applied = await migrateDatabase(readConfig(options).database, realContext)
      print(options, { applied }, applied.length === 0 ? 'The schema is up to date.' : applied.map((name) => `applied ${name}`).join('\n'))
    })
}
