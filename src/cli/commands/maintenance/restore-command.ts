import type { Command } from 'commander'
import { type DatabaseAddress, readConfig } from '../../../app/config.ts'
import { realContext } from '../../../context.ts'
import { rowsIn } from '../../../maintenance/backup/backup.ts'
import { type Restored, restoreBackup, verifyRestorable } from '../../../maintenance/backup/restore.ts'
import { withSide } from '../../database-side.ts'
import { type CommonOptions, databaseCommand, examples, print, say } from '../../terminal.ts'
import { showSteps } from './backup-progress.ts'
import { requireFile, sourceOf, type TargetOptions } from './backup-target.ts'

type RestoreOptions = Pick<CommonOptions, 'database' | 'json'> & TargetOptions

/** `verso restore`: exit code 1 if the database cannot be used. */
export function restoreCommand(): Command {
  return databaseCommand('restore', 'Restore a backup into an empty database, SQLite or PostgreSQL. Not while a service runs on it.')
    .argument('<backup>', 'a file or s3://<bucket>/<key>')
    .option('--endpoint <url>', 'the S3 service, if it is not Amazon (or AWS_ENDPOINT_URL)')
    .addHelpText(
      'after',
      examples(
        'verso restore backup.ndjson.gz --database sqlite:data/restored.db',
        'verso restore s3://my-backups/verso/verso-2026-11-22T05-00-00.000Z.ndjson.gz --database postgres://verso:secret@db.example.com/verso',
      ),
    )
    .action(restore)
}

/**
 * Where it fails, what it has made of the database stays: it cannot be used, and the next restore begins anew. To remove a file could remove
 * what another process has made of it.
 */
async function restore(address: string, options: RestoreOptions): Promise<void> {
  const { database } = readConfig(options)
  const open = await sourceOf(address, options)
  requireFile(address)
  const watch = showSteps(options)
  // Before the database, which SQLite would make when it is opened.
  const contents = await verifyRestorable(open(), watch).finally(watch.ends)
  await withSide(database, async (target) => {
    const restored = await restoreBackup({ target, contents, open, context: realContext, watch }).finally(watch.ends)
    if (restored.applied.length > 0) say(options, `Migrated to the schema of this version: ${restored.applied.join(', ')}.`)
    const { createdAt, program } = restored.header
    print(
      options,
      { database: target.place, from: address, createdAt, program, applied: restored.applied, tables: restored.tables },
      restoredText(target.place, address, restored),
    )
    for (const remark of remarksOn(restored, database)) say(options, remark)
  })
}

function restoredText(place: string, address: string, { header, tables }: Restored): string {
  return `${rowsIn(header).toLocaleString('en')} rows of ${tables.length} tables from ${address} were restored, read back and found equal.
${place} is as it was at ${header.createdAt}, with a new epoch: clients read their lists again, followers of the changes feed start again.`
}

/** What a backup cannot bring back, and what it brings back without being asked. */
function remarksOn({ tables }: Restored, database: DatabaseAddress): readonly string[] {
  const hasWebhooks = tables.some(({ table, rows }) => table === 'webhooks' && rows > 0)
  const file = database.kind === 'sqlite' ? `copy the old <database>.secret to ${database.path}.secret, or ` : ''
  return [
    'API keys and posts that were revoked or deleted since the backup are back: revoke or delete them again.',
    ...(hasWebhooks
      ? [`The webhooks need the key of their secrets: ${file}set VERSO_SECRET. If it is lost: verso webhook reseal --renew-lost.`]
      : []),
  ]
}
