import type { Command } from 'commander'
import { readConfig } from '../../../app/config.ts'
import { migrateDatabase } from '../../../app/installation.ts'
import type { UpgradeSteps } from '../../../app/upgrade.ts'
import { realContext } from '../../../context.ts'
import type { Engine } from '../../../database/engine.ts'
import { listProjects } from '../../../resources/projects/project-store.ts'
import { reindex, reindexProjects } from '../../../search/reindex.ts'
import { CommandFailed } from '../../errors.ts'
import { type CommonOptions, databaseCommand, examples, onTerminal, print } from '../../terminal.ts'
import { noBackup, upgradeSteps } from '../../upgrade-steps.ts'

/** `verso migrate`. */
export function migrateCommand(): Command {
  return databaseCommand(
    'migrate',
    'Migrate the database to the schema of this version. The other commands do so by themselves, except backup, epoch and shard --check.',
  )
    .option(
      '--reindex',
      'rebuild the search index, in short turns beside a running service; until it is done, searches find a part, and what they found then is shown until the next write',
    )
    .option(...noBackup)
    .addHelpText('after', examples('verso migrate', 'verso migrate --database sqlite:/var/lib/verso/verso.db', 'verso migrate --reindex'))
    .action(async (options: Pick<CommonOptions, 'database' | 'json'> & { readonly reindex?: true; readonly backup?: false }) => {
      const config = readConfig(options)
      const steps = upgradeSteps(config, { withoutBackup: options.backup === false, tell: onTerminal(options) })
      const parts = options.reindex ? { steps, andThen: (engine: Engine) => reindexAll(engine, steps) } : { steps }
      const applied = await migrateDatabase(config.database, realContext, parts)
      const schema = applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `applied ${name}`)
      print(options, { applied }, [...schema, ...(options.reindex ? ['The search index was rebuilt.'] : [])].join('\n'))
    })
}

async function reindexAll(engine: Engine, { indexing }: UpgradeSteps): Promise<void> {
  if (!engine.db.engine.isSharded) return reindex(engine, indexing)
  const projects = await listProjects(engine.db)
  const left = await reindexProjects(
    engine,
    projects.map(({ id }) => id),
    indexing,
  )
  const slugs = projects.filter(({ id }) => left.includes(id)).map(({ slug }) => slug)
  if (slugs.length > 0)
    throw new CommandFailed(
      `The index is done except for these projects, whose server is away: ${slugs.join(', ')}. Run this again when it is back.`,
    )
}
