import type { Command } from 'commander'
import { readConfig } from '../../app/config.ts'
import { migrateDatabase } from '../../app/installation.ts'
import { realContext } from '../../context.ts'
import { reindex } from '../../search/reindex.ts'
import { type CommonOptions, databaseCommand, examples, print } from '../terminal.ts'

/** `verso migrate`. */
export function migrateCommand(): Command {
  return databaseCommand('migrate', 'Migrate the database to the schema of this version. Every other command does so by itself.')
    .option('--reindex', 'rebuild the search index; writes wait meanwhile, for some minutes with a million posts')
    .addHelpText('after', examples('verso migrate', 'verso migrate --database sqlite:/var/lib/verso/verso.db', 'verso migrate --reindex'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'> & { readonly reindex?: true }) => {
      const applied = await migrateDatabase(readConfig(options).database, realContext, options.reindex ? reindex : undefined)
      print(options, { applied }, applied.length === 0 ? 'The schema is up to date.' : applied.map((name) => `applied ${name}`).join('\n'))
    })
}
