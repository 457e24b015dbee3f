import type { Command } from 'commander'
import { readConfig } from '../../../app/config.ts'
import { migrateDatabase } from '../../../app/installation.ts'
import { realContext } from '../../../context.ts'
import type { Engine } from '../../../database/engine.ts'
import { reindex } from '../../../search/reindex.ts'
import { type CommonOptions, databaseCommand, examples, onTerminal, print } from '../../terminal.ts'
import { noBackup, upgradeSteps } from '../../upgrade-steps.ts'

/** `verso migrate`. */
export function migrateCommand(): Command {
  return databaseCommand('migrate', 'Migrate the database to the schema of this version. Every other command does so by itself.')
    .option('--reindex', 'rebuild the search index, in short turns beside a running service; until it is done, searches find a part')
    .option(...noBackup)
    .addHelpText('after', examples('verso migrate', 'verso migrate --database sqlite:/var/lib/verso/verso.db', 'verso migrate --reindex'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'> & { readonly reindex?: true; readonly backup?: false }) => {
      const config = readConfig(options)
      const steps = upgradeSteps(config, { withoutBackup: options.backup === false, tell: onTerminal(options) })
      const parts = options.reindex ? { steps, andThen: (engine: Engine) => reindex(engine, steps.indexing) } : { steps }
      const applied = await migrateDatabase(config.database, realContext, parts)
      print(options, { applied }, applied.length === 0 ? 'The schema is up to date.' : applied.map((name) => `applied ${name}`).join('\n'))
    })
}
