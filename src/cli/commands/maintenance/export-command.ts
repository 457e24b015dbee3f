import { type Command, InvalidArgumentError, Option } from 'commander'
import { sightOf } from '../../../actions/caller.ts'
import { ForeignFolder, OtherProject } from '../../../maintenance/export/export-folder.ts'
import { type ExportReport, exportProject } from '../../../maintenance/export/export-project.ts'
import { DamagedExport, UnknownExport } from '../../../maintenance/export/export-record.ts'
import { type Status, statuses } from '../../../resources/posts/post.ts'
import { type Instant, parseInstant } from '../../../values/instant.ts'
import { CommandFailed, UsageError } from '../../errors.ts'
import { startProgress, stopOnSignal } from '../../progress.ts'
import { type CommonOptions, counted, examples, print, projectScoped, say } from '../../terminal.ts'
import { withProject } from '../../with-installation.ts'

interface ExportOptions extends CommonOptions {
  readonly status?: readonly Status[]
  readonly since?: Instant
  readonly force?: true
}

/** `verso export <dir>`: exit code 1 if a file was left alone because somebody edited it, or if the export was stopped. */
export function exportCommand(): Command {
  return projectScoped(
    'export',
    'Write a project as files: a Markdown file for each post, and authors, categories, tags and media as YAML. Run it again to write what has changed. verso import reads such a folder back, with the same ids.',
  )
    .argument('<dir>', 'an empty folder, or one that was exported to before')
    .addOption(
      new Option('--status <statuses>', `only posts of these statuses, separated by commas: ${statuses.join(', ')}`).argParser(
        parseStatuses,
      ),
    )
    .addOption(
      new Option(
        '--since <instant>',
        'only posts that were changed then or later, such as 2026-01-31T00:00:00Z; removes no files',
      ).argParser(parseSince),
    )
    .option('--force', 'write into a folder that holds other files, and over files that were edited since the last export')
    .addHelpText(
      'after',
      examples('verso export ./content', 'verso export ./content --status published', 'verso export ./content --project blog --json'),
    )
    .action(exportTo)
}

async function exportTo(folder: string, options: ExportOptions): Promise<void> {
  const isStopped = stopOnSignal(options)
  const report = await withProject(options, async ({ engine, context }, caller) => {
    const progress = startProgress({ noun: 'posts', now: context.now })
    const { status: chosen, since, force = false } = options
    return exportProject(engine, sightOf(caller), folder, {
      statuses: chosen,
      since,
      force,
      isStopped,
      begins: progress.begin,
      reached: progress.show,
    }).finally(() => progress.end())
  }).catch((error: unknown) => {
    if (error instanceof OtherProject) throw new UsageError(error.message)
    const isExpected = [ForeignFolder, UnknownExport, DamagedExport].some((kind) => error instanceof kind)
    throw isExpected && error instanceof Error ? new CommandFailed(error.message) : error
  })
  for (const path of report.edited) say(options, `${path}: edited since the last export; left alone (--force overwrites it)`)
  if (report.pendingEdits > 0) say(options, `Left out: ${counted(report.pendingEdits, 'pending edit')}. An export has posts as they are.`)
  print(options, { folder, project: options.project, ...report }, exportText(folder, report))
  if (report.edited.length > 0 || report.stopped) process.exitCode = 1
}

function exportText(folder: string, { posts, files, stopped }: ExportReport): string {
  const { written, unchanged, removed } = files
  const number = (count: number) => count.toLocaleString('en')
  const end = stopped ? ' Stopped before the end. The same command continues from here.' : ''
  return `${folder}: ${counted(posts, 'post')}; ${counted(written, 'file')} written, ${number(unchanged)} unchanged, ${number(removed)} removed.${end}`
}

function parseStatuses(text: string): readonly Status[] {
  return text.split(',').map((name) => {
    const status = statuses.find((each) => each === name.trim())
    if (!status) throw new InvalidArgumentError(`It must be one or more of ${statuses.join(', ')}, separated by commas.`)
    return status
  })
}

function parseSince(text: string): Instant {
  const instant = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (!instant) throw new InvalidArgumentError('It must be an instant such as 2026-01-31T00:00:00Z, or a day.')
  return instant
}
