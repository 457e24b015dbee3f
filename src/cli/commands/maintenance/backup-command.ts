import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../../app/config.ts'
import { realContext } from '../../../context.ts'
import { type BackupContents, makeBackup, removeOutdated, rowsIn, verifyBackup } from '../../../maintenance/backup/backup.ts'
import { requireDatabase, withSide } from '../../database-side.ts'
import { UsageError } from '../../errors.ts'
import { writingTo } from '../../output-path.ts'
import { type CommonOptions, counted, databaseCommand, examples, print } from '../../terminal.ts'
import { showSteps } from './backup-progress.ts'
import { sourceOf, type TargetOptions, targetOf } from './backup-target.ts'

interface BackupOptions extends Pick<CommonOptions, 'database' | 'json'>, TargetOptions {
  readonly keep?: number
  readonly verify?: true
}

/** `verso backup`: exit code 1 if there is no verified backup. */
export function backupCommand(): Command {
  return databaseCommand('backup', 'Write a verified backup of the whole installation, while the service runs.')
    .argument('<target>', 'a file, a folder (with --keep always), or s3://<bucket>/<prefix>; in a folder the name has the time')
    .option('--keep <time>', 'then remove the backups in the folder that are older than this (12h, 7d, 8w), never the newest', parseKeep)
    .option('--verify', 'write nothing: read the backup <target> to its end and compare its hashes')
    .option('--endpoint <url>', 'the S3 service, if it is not Amazon (or AWS_ENDPOINT_URL)')
    .addHelpText(
      'after',
      examples(
        'verso backup backup.ndjson.gz',
        'verso backup /var/backups/verso/ --keep 7d',
        'verso backup s3://my-backups/verso --keep 30d',
        'verso backup --verify backup.ndjson.gz',
      ),
    )
    .action((target: string, options: BackupOptions) => (options.verify ? verify(target, options) : backUp(target, options)))
}

async function backUp(target: string, options: BackupOptions): Promise<void> {
  const { database } = readConfig(options)
  requireDatabase(database)
  const { keep } = options
  const { file, folder } = await writingTo(target, () => targetOf(target, options, keep !== undefined))
  const watch = showSteps(options)
  const make = () => withSide(database, (source) => makeBackup({ source, file, context: realContext, watch }))
  const contents = await writingTo(target, make).finally(watch.ends)
  const removed = folder && keep !== undefined ? await removeOutdated(folder, { context: realContext, keepMs: keep }) : []
  const also = removed.length > 0 ? `\nRemoved ${removed.length} older than ${timeText(keep ?? 0)}.` : ''
  print(options, { file: file.name, ...shown(contents), removed }, `${file.name}: ${countText(contents)} written and verified.${also}`)
}

async function verify(address: string, options: BackupOptions): Promise<void> {
  if (options.keep !== undefined) throw new UsageError('--keep removes backups, --verify changes nothing: give one of them.')
  const open = await sourceOf(address, options)
  const watch = showSteps(options)
  const contents = await verifyBackup(open(), watch).finally(watch.ends)
  const { createdAt, program, migrations } = contents.header
  const about = `made ${createdAt} by Verso ${program}, schema ${migrations.at(-1)}`
  print(options, { file: address, ...shown(contents) }, `${address}: whole, ${countText(contents)}, ${about}.`)
}

function countText({ header, tables }: BackupContents): string {
  return `${rowsIn(header).toLocaleString('en')} rows of ${tables.length} tables`
}

function shown({ header: { createdAt, program, migrations }, tables }: BackupContents) {
  return { createdAt, program, migrations, tables }
}

const unitMs = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

function parseKeep(text: string): number {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (amount === undefined || (unit !== 'h' && unit !== 'd' && unit !== 'w'))
    throw new InvalidArgumentError('It must be a time such as 12h, 7d or 8w.')
  return Number(amount) * unitMs[unit]
}

function timeText(ms: number): string {
  return ms % unitMs.d === 0 ? counted(ms / unitMs.d, 'day') : counted(ms / unitMs.h, 'hour')
}
