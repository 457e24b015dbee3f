import type { ImportReport } from '../../import/import-report.ts'
import { groupNotes } from '../../import/import-report.ts'
import type { ImportSource } from '../../import/source-post.ts'
import { rate } from '../progress.ts'
import { table } from '../terminal.ts'

/** An import that has ended. */
interface ImportEnd {
  readonly path: string
  readonly project: string
  readonly kind: ImportSource['kind']
  readonly dryRun: boolean
  readonly durationMs: number
  readonly report: ImportReport
}

/** The report of an import as text. */
export function importText(end: ImportEnd, verbose: boolean): string {
  const { report } = end
  const lists = [archived(end), programs(report), losses(report), notes(report, verbose), verbose ? skips(report) : '']
  return [headline(end), table(['IMPORTED', 'COUNT'], rows(end), ''), remarks(end), ...lists].filter((part) => part !== '').join('\n\n')
}

/** Faults and conflicts, one line each, as `path:line: message`; what is in an export is found by the line of its file. */
export function troubles({ faults, conflicts }: ImportReport, exportFile?: string): readonly string[] {
  return [
    ...faults.map(({ path, line, message }) => {
      const place = `${exportFile ?? path}${line === null ? '' : `:${line}`}`
      return exportFile === undefined ? `${place}: ${message}` : `${place}: ${path}: ${message}`
    }),
    ...conflicts.map(({ path, reason }) =>
      reason === 'changed here'
        ? `${path}: changed here and in the source; left alone (--force overwrites it)`
        : `${path}: deleted here and changed in the source; left out (--force creates it again)`,
    ),
  ]
}

function headline({ path, project, dryRun, durationMs, report }: ImportEnd): string {
  if (dryRun) return `Dry run: importing ${path} into the project ${project} would do this. Nothing was written.`
  const handled = Object.values(report.posts).reduce((sum, count) => sum + count, 0)
  return `Imported ${path} into the project ${project} in ${(durationMs / 1_000).toFixed(1)} s (${rate(handled, durationMs)} posts/s).`
}

function rows({ kind, report }: ImportEnd): readonly (readonly string[])[] {
  const { posts, drafts, scheduled, archived, made, skipped } = report
  const noun = kind === 'markdown' ? 'files' : 'items'
  const counts: readonly (readonly [string, number])[] = [
    ['posts created', posts.created],
    ['posts updated', posts.updated],
    ...some('  created or updated as drafts', drafts),
    ...some('  created or updated as scheduled', scheduled),
    ...some('  created or updated as archived', archived.length),
    ['posts unchanged', posts.unchanged],
    ['posts changed on both sides', posts.conflicting],
    [`${noun} failed`, posts.failed],
    ['authors created', made.authors],
    ['categories created', made.categories],
    ['tags created', made.tags],
    ...some('media records created', made.media),
    ...Object.entries(skipped).map(([reason, count]) => [`${noun} skipped: ${reason}`, count] as const),
  ]
  return counts.map(([label, count]) => [label, count.toLocaleString('en')])
}

function some(label: string, count: number): readonly (readonly [string, number])[] {
  return count > 0 ? [[label, count]] : []
}

function remarks(end: ImportEnd): string {
  const { report } = end
  const { posts, vanished, stopped } = report
  const { created, updated, unchanged, conflicting, failed } = posts
  const isQuiet = created + updated + conflicting + failed === 0
  const lines = [
    stopped ? 'Stopped before the end. The same command continues from here.' : '',
    isQuiet && unchanged > 0 && !stopped ? 'Nothing has changed since the last import.' : '',
    isQuiet && unchanged === 0 && !stopped ? nothingFound(end) : '',
    vanished > 0 ? `Posts of earlier imports that the source no longer has: ${vanished.toLocaleString('en')}. They were left alone.` : '',
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Names the folders that were skipped: the posts may be in one of them. */
function nothingFound({ path, report }: ImportEnd): string {
  const folders = report.skips.flatMap((skip) => (skip.reason === 'folder' ? skip.path : []))
  const named = folders.slice(0, 20).join(', ') + (folders.length > 20 ? `, and ${folders.length - 20} more` : '')
  return `There are no posts in ${path}.${folders.length > 0 ? ` Folders that were skipped: ${named}.` : ''}`
}

function losses({ losses: counts }: ImportReport): string {
  const lines = Object.entries(counts).map(([name, count]) => `  ${count.toLocaleString('en')} × ${name}`)
  return lines.length === 0 ? '' : ['Not kept, or left as it is:', ...lines].join('\n')
}

function skips(report: ImportReport): string {
  if (report.skips.length === 0) return ''
  return ['Skipped:', ...report.skips.map(({ path, reason }) => `  ${path}: ${reason}`)].join('\n')
}

/** By name, every one: somebody has to know which posts readers no longer get. */
function archived({ kind, report: { archived: posts } }: ImportEnd): string {
  if (posts.length === 0) return ''
  // What not everybody could read comes from Markdown as a draft.
  const why = kind === 'markdown' ? 'as they were archived or had expired' : 'because not everybody could read them'
  return [`Archived, ${why} where they come from:`, ...posts.map(({ title, path }) => `  ${title} (${path})`)].join('\n')
}

/** By name: they may say more of posts than is read. */
function programs({ skips: all }: ImportReport): string {
  const paths = all.flatMap(({ path, reason }) => (reason === 'program' ? `  ${path}` : []))
  return paths.length === 0 ? '' : ['Data that a program makes; it was not run:', ...paths].join('\n')
}

function notes(report: ImportReport, verbose: boolean): string {
  if (report.notes.length === 0) return ''
  if (verbose) return ['Notes:', ...report.notes.map(({ path, note }) => `  ${path}: ${note}`)].join('\n')
  const kinds = groupNotes(report.notes).map(({ count, example }) => `  ${count.toLocaleString('en')} × ${example.note} (${example.path})`)
  return ['Notes, with an example of each kind (--verbose prints them all):', ...kinds].join('\n')
}
