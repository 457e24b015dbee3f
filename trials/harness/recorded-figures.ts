import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { figureText, isMet, numberText } from './figure.ts'
import type { TrialOutcome } from './trial-report.ts'

type Recorded = Omit<TrialOutcome, 'trial' | 'engine' | 'control' | 'failures'> & { readonly date: string; readonly machine: string }

/** The last run of each trial, by trial and engine (`once` for a trial that knows no engine). */
type RecordedFigures = Readonly<Record<string, Readonly<Record<string, Recorded>>>>

const figuresPath = resolve(import.meta.dirname, '../figures.json')
const pagePath = resolve(import.meta.dirname, '../../docs/promises.md')

/** Adds a run to what is known, and writes the table of docs/promises.md again. */
export function recordFigures(outcomes: readonly TrialOutcome[]): void {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const date = new Date().toISOString().slice(0, 10)
  const known: Record<string, Record<string, Recorded>> = JSON.parse(readFileSync(figuresPath, 'utf8'))
  for (const { trial, engine, control, failures: _, ...outcome } of outcomes)
    if (control === null && outcome.state !== 'skipped') known[trial] = withRun(known[trial] ?? {}, engine, { ...outcome, date, machine })
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(figuresPath, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(pagePath, withTable(readFileSync(pagePath, 'utf8'), sorted))
}

/** The last runs of a trial with one more. A trial that runs over engines now loses its figures from when it ran once, and the other way round. */
export function withRun<R>(runs: Readonly<Record<string, R>>, engine: string | null, run: R): Record<string, R> {
  const { once: _, ...overEngines } = runs
  return engine === null ? { once: run } : { ...overEngines, [engine]: run }
}

/** The page with the table of these figures between its two marks. */
export function withTable(page: string, figures: RecordedFigures): string {
  return page.replace(/(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/, (_, start, end) => `${start}\n${tableOf(figures)}\n\n${end}`)
}

function tableOf(figures: RecordedFigures): string {
  const rows = Object.entries(figures).map(([name, runs]) => {
    const { once, SQLite, PostgreSQL } = runs
    const cells = once ? cellsOf(once) : [cellOf(SQLite), cellOf(PostgreSQL)]
    return `| ${Object.values(runs)[0]?.promise}<br>\`${name}\` | ${cells.join(' | ')} |`
  })
  return ['| promise and trial | SQLite | PostgreSQL |', '|---|---|---|', ...rows].join('\n')
}

/** A trial that runs once has one column of figures, and says in the other what it covers. */
function cellsOf(run: Recorded): readonly string[] {
  if (run.covers === 'SQLite') return [cellOf(run), 'SQLite only']
  return [cellOf(run), run.covers === 'the source' ? 'the same run: it reads the source' : 'the same run, both engines']
}

function cellOf(run: Recorded | undefined): string {
  if (!run) return '–'
  const figures = run.figures.map((figure) => (isMet(figure) ? figureText(figure) : `**${figureText(figure)}**`))
  const about = `*${run.state === 'passed' ? '' : 'FAILED, '}${run.size}, ${numberText(run.seconds)} s, seed ${run.seed}, ${run.date}*`
  return [...figures, ...run.notes, about]
    .join('<br>')
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
}
