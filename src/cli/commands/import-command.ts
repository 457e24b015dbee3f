import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Installation } from '../../app/installation.ts'
import { realContext } from '../../context.ts'
import { FileFault } from '../../import/exports/read-text.ts'
import { MissingSiteUrl } from '../../import/ghost/missing-site-url.ts'
import type { ImportReport } from '../../import/import-report.ts'
import { findTimezone, type Timezone } from '../../import/markdown/post-fields/timezone.ts'
import { runImport } from '../../import/run-import.ts'
import type { ImportSource } from '../../import/source-post.ts'
import { openInThread } from '../../import/threads/threaded-source.ts'
import { importExport } from '../../import/verso/import-export.ts'
import { isExport } from '../../import/verso/read-export.ts'
import { DamagedExport, UnknownExport } from '../../maintenance/export/export-record.ts'
import type { ProjectId } from '../../values/ids.ts'
import { toInstant } from '../../values/instant.ts'
import { parseUrl } from '../../values/parse-url.ts'
import { CommandFailed, UsageError } from '../errors.ts'
import { startProgress, stopOnSignal } from '../progress.ts'
import { type CommonOptions, examples, print, projectScoped, say } from '../terminal.ts'
import { withProject } from '../with-installation.ts'
import { importText, troubles } from './import-report-text.ts'

interface ImportOptions extends CommonOptions {
  readonly dryRun?: true
  readonly force?: true
  readonly verbose?: true
  readonly timezone?: Timezone
  readonly language?: string
  readonly siteUrl?: string
  readonly map?: ReadonlyMap<string, string>
  readonly type?: readonly string[]
  readonly trash?: true
  readonly pages?: true
  readonly primaryTag?: 'category'
}

/** `verso import <path>`: exit code 1 if a file failed, a post was changed on both sides, nothing was found or the import was stopped. */
export function importCommand(): Command {
  return projectScoped(
    'import',
    'Import a blog of Markdown files, an export of WordPress (XML) or one of Ghost (JSON). Run it again to import what has changed.',
  )
    .argument('<path>', 'a folder, a Markdown file, or the file of an export')
    .option('--dry-run', 'report what the import would do, and write nothing')
    .option('--force', 'overwrite posts that were changed both here and in the source')
    .addOption(
      new Option(
        '--timezone <zone>',
        "the time zone of dates without an offset, such as Europe/Berlin (default: that of the blog's configuration, else UTC)",
      ).argParser(parseTimezone),
    )
    .addOption(
      new Option(
        '--site-url <address>',
        'where the blog is, such as https://blog.example.com: makes the addresses of pictures absolute, and stands for __GHOST_URL__',
      ).argParser(parseSiteUrl),
    )
    .addOption(new Option('--language <code>', 'import only the posts in one language, such as ja'))
    .addOption(
      new Option(
        '--map <field=name>',
        'read a field of the front matter under another name, such as topics=tags or by=author; may be repeated',
      ).argParser(addMapping),
    )
    .addOption(
      new Option('--type <name>', 'WordPress: import items of this type as posts, too, such as product; may be repeated').argParser(
        addType,
      ),
    )
    .option('--trash', 'WordPress: import posts in the trash as drafts')
    .option('--pages', 'WordPress and Ghost: import pages as posts')
    .addOption(new Option('--primary-tag <as>', 'Ghost: make the first tag of a post its category').choices(['category']))
    .option('--verbose', 'print every note instead of one of each kind, and every file that was skipped')
    .addHelpText(
      'after',
      examples(
        'verso import ./my-blog --dry-run',
        'verso import ./my-blog --project blog --timezone Europe/Berlin',
        'verso import ./my-blog --site-url https://blog.example.com --map topics=tags',
        'verso import wordpress.2026-11-22.xml --timezone Europe/Berlin --type product',
        'verso import my-site.ghost.2026-11-22.json --site-url https://blog.example.com --primary-tag category',
      ),
    )
    .action(importPath)
}

async function importPath(path: string, options: ImportOptions): Promise<void> {
  const { kind, report, durationMs } = await ((await isExport(path)) ? runExport(path, options) : runSource(path, options))
  for (const line of troubles(report, kind === 'markdown' ? undefined : path)) say(options, line)
  const end = { path, project: options.project, dryRun: options.dryRun === true, durationMs }
  print(options, { ...end, ...report }, importText({ ...end, kind, report }, options.verbose === true))
  if (report.posts.failed > 0 || report.posts.conflicting > 0 || report.stopped || isEmpty(report)) process.exitCode = 1
}

interface Ran {
  readonly kind: ImportSource['kind']
  readonly report: ImportReport
  readonly durationMs: number
}

async function runSource(path: string, options: ImportOptions): Promise<Ran> {
  const source = await open(path, options)
  requireReadable(source, path)
  return run(options, source.kind, (installation, projectId, settings) => {
    settings.begins(source.total)
    return runImport(installation, projectId, source, settings)
  })
}

async function open(path: string, options: ImportOptions): Promise<ImportSource> {
  const { timezone, language, siteUrl, map, type = [], trash = false, pages = false, primaryTag } = options
  const now = () => realContext.now()
  const progress = startProgress({ noun: 'items read', now })
  const about = { timezone, language, siteUrl, renamed: map, types: type, trash, pages, primaryTagIsCategory: primaryTag === 'category' }
  try {
    return await openInThread(path, { ...about, now: toInstant(now()), onProgress: progress.show })
  } catch (error) {
    if (error instanceof MissingSiteUrl) throw new UsageError(`${path}: ${error.message}`)
    throw error instanceof FileFault ? new CommandFailed(`${path}${error.line === null ? '' : `:${error.line}`}: ${error.message}`) : error
  } finally {
    progress.end()
  }
}

/** A folder that `verso export` wrote comes back with its ids. */
async function runExport(path: string, options: ImportOptions): Promise<Ran> {
  return run(options, 'markdown', (installation, projectId, settings) => importExport(installation, projectId, path, settings)).catch(
    (error: unknown) => {
      throw error instanceof UnknownExport || error instanceof DamagedExport ? new CommandFailed(error.message) : error
    },
  )
}

type Work = (installation: Installation, projectId: ProjectId, settings: Parameters<typeof importExport>[3]) => Promise<ImportReport>

async function run(options: ImportOptions, kind: ImportSource['kind'], work: Work): Promise<Ran> {
  const isStopped = stopOnSignal(options)
  return withProject(options, async (installation, { projectId }) => {
    const now = () => installation.context.now()
    const start = now().getTime()
    const progress = startProgress({ noun: kind === 'markdown' ? 'files' : 'items', now })
    const { force = false, dryRun = false } = options
    const report = await work(installation, projectId, {
      force,
      dryRun,
      isStopped,
      begins: progress.begin,
      onProgress: progress.show,
    }).finally(() => progress.end())
    if (!dryRun) await installation.engine.analyze?.()
    return { kind, report, durationMs: now().getTime() - start }
  })
}

/** Nothing was found: most likely another folder was meant. */
function isEmpty({ posts, made }: ImportReport): boolean {
  return made.media === 0 && Object.values(posts).every((count) => count === 0)
}

function requireReadable({ others }: ImportSource, path: string): void {
  const fault = others.find((other) => other.kind === 'fault' && other.path === '')
  if (fault?.kind === 'fault') throw new UsageError(`${path}: ${fault.message}`)
}

function parseSiteUrl(address: string): string {
  if (!/^https?:\/\//i.test(address) || !parseUrl(address)) {
    throw new InvalidArgumentError('It must be an absolute http(s) address, such as https://blog.example.com.')
  }
  return address
}

function addType(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

/** `--map topics=tags --map by=author`. */
function addMapping(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [from, to, ...rest] = text.split('=').map((part) => part.trim())
  if (!from || !to || rest.length > 0) throw new InvalidArgumentError('It must be two names with "=" between them, such as topics=tags.')
  return new Map([...before, [from, to]])
}

function parseTimezone(name: string): Timezone {
  const timezone = findTimezone(name)
  if (timezone === undefined) throw new InvalidArgumentError('It must be a time zone of the IANA database, such as Europe/Berlin or UTC.')
  return timezone
}
