import { dirname, join } from 'node:path'
import type { Config } from '../app/config.ts'
import type { UpgradeSteps } from '../app/upgrade.ts'
import { messageOf, realContext } from '../context.ts'
import { CommandFailed } from './errors.ts'

interface Telling {
  /** Without a backup, because the operator said so. */
  readonly withoutBackup: boolean
  tell(text: string): void
}

/** The option of every command that may be the first one of a new version and is likely to be. */
export const noBackup = ['--no-backup', 'if the schema is migrated, write no backup before (or VERSO_UPGRADE_BACKUP=none)'] as const

/** What an upgrade does and says: a verified backup first, then a line for each migration and for each tenth of the search index. */
export function upgradeSteps(config: Pick<Config, 'database' | 'upgradeBackup'>, { withoutBackup, tell }: Telling): UpgradeSteps {
  let told = 0
  return {
    async backUp(pending) {
      const folder = withoutBackup ? undefined : backupFolder(config)
      if (folder === undefined) return tell(`migrating without a backup${withoutBackup ? '' : ': VERSO_UPGRADE_BACKUP is not set'}`)
      tell(`backing up before ${pending.join(', ')}`)
      const name = await backUpTo(folder, config).catch((error: unknown) => {
        const why = messageOf(error)
        const remedy = 'Nothing was migrated. Make room, set VERSO_UPGRADE_BACKUP to another folder, or start with --no-backup.'
        throw new CommandFailed(`The backup before the migration failed: ${why.replace(/\.$/, '')}. ${remedy}`)
      })
      tell(`backed up to ${name}`)
    },
    migrating: (name, place, all) => tell(`migrating to ${name} (${place} of ${all})`),
    indexing(done, all) {
      const tenth = Math.floor((done * 10) / Math.max(all, 1))
      if (tenth > told) tell(`making the search index: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} posts`)
      told = tenth
    },
  }
}

/** Beside a file of SQLite. PostgreSQL is on another machine, and a node need not have a disk: there only where it is configured. */
function backupFolder({ database, upgradeBackup }: Pick<Config, 'database' | 'upgradeBackup'>): string | undefined {
  if (upgradeBackup === 'none') return undefined
  return upgradeBackup ?? (database.kind === 'sqlite' ? join(dirname(database.path), 'backups') : undefined)
}

async function backUpTo(folder: string, { database }: Pick<Config, 'database'>): Promise<string> {
  const [{ targetOf }, { makeBackup }, { withSide }] = await Promise.all([
    import('./commands/maintenance/backup-target.ts'),
    import('../maintenance/backup/backup.ts'),
    import('./database-side.ts'),
  ])
  const { file } = await targetOf(folder, {}, true)
  const watch = { begins: () => undefined, reached: () => undefined, isStopped: () => false }
  await withSide(database, (source) => makeBackup({ source, file, context: realContext, watch }))
  return file.name
}
