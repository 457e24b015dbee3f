import { setImmediate } from 'node:timers/promises'
import type { Perform } from '../actions/action.ts'
import { operator } from '../actions/caller.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../database/engine.ts'
import { findTagSlugs } from '../resources/posts/post-tag-store.ts'
import type { ProjectId } from '../values/ids.ts'
import { importPosts } from './import-actions.ts'
import { type ImportContext, nothingPlanned } from './import-context.ts'
import { type ImportBatch, type ImportPost, importChecker } from './import-post.ts'
import { type BatchReport, type ImportReport, ImportTally } from './import-report.ts'
import { planImport } from './plan-import.ts'
import { batchLimits } from './source-limits.ts'
import type { ImportSource, SourceFault, SourceKind, SourceMedia, SourceSkip } from './source-post.ts'
import { listPostPaths, postPath } from './source-store.ts'

interface ImportOptions {
  /** The source wins where both sides have changed. */
  readonly force: boolean
  /** Nothing is written; the report is that of the real run. */
  readonly dryRun: boolean
  /** Asked after every item. What is not written by then is left for another run. */
  isStopped(): boolean
  /** Told how many items of the source are done. */
  onProgress(done: number): void
}

/** The open database that an import writes to. */
interface Target {
  readonly engine: Engine
  readonly perform: Perform
  readonly context: Context
}

type RunBatch = (batch: ImportBatch) => Promise<BatchReport>

/**
 * Imports a source into a project, batch by batch. What was imported before is recognised, so that it can be run any number of times, also
 * after it was interrupted.
 */
export async function runImport(target: Target, projectId: ProjectId, source: ImportSource, options: ImportOptions): Promise<ImportReport> {
  const runBatch = options.dryRun ? planning(target, projectId) : writing(target, projectId)
  const tally = new ImportTally()
  const seen = new Set<string>()
  let finished = 0
  const addOther = (other: SourceFault | SourceSkip) => {
    tally.addOther(other)
    // A post of a language that was not asked for is in the source all the same.
    if (other.kind === 'fault' || other.reason === 'language') seen.add(postPath(other.path))
  }
  for (const other of source.others) addOther(other)
  for await (const { done, ...read } of batchesOf(source, options, { seen, addOther })) {
    if (read.posts.length + read.pictures.length > 0) tally.addBatch(await runBatch({ source: source.kind, ...read, force: options.force }))
    finished = done
    options.onProgress(done)
    // Reading and SQLite block the event loop: without this, signals would wait until the end.
    await setImmediate()
  }
  const stopped = options.isStopped() && finished < source.total
  const vanished = stopped || !source.isWhole ? 0 : await countVanished(target, projectId, source.kind, seen)
  return tally.report({ vanished, stopped })
}

interface ReadBatch {
  readonly posts: readonly ImportPost[]
  readonly pictures: readonly SourceMedia[]
  /** How many items were read up to here. */
  readonly done: number
}

async function* batchesOf(
  source: ImportSource,
  { isStopped }: ImportOptions,
  { seen, addOther }: { readonly seen: Set<string>; addOther(other: SourceFault | SourceSkip): void },
): AsyncGenerator<ReadBatch, void, void> {
  const check = importChecker()
  let posts: ImportPost[] = []
  let pictures: SourceMedia[] = []
  let done = 0
  const isRepeated = ({ path }: ImportPost) => seen.size === seen.add(postPath(path)).size
  for await (const item of source.read()) {
    if (isStopped()) return
    const checked = item.kind === 'post' || item.kind === 'picture' ? check(item) : item
    done += 1
    if (checked.kind === 'post' && isRepeated(checked)) addOther(repeated(checked))
    else if (checked.kind === 'post') posts.push(checked)
    else if (checked.kind === 'picture') pictures.push(checked.media)
    else addOther(checked)
    if (!isFull(posts, pictures)) continue
    yield { posts, pictures, done }
    posts = []
    pictures = []
  }
  yield { posts, pictures, done }
}

/** Two posts of one name, such as those of two sites that somebody put into one file. */
function repeated({ path }: ImportPost): SourceFault {
  return { kind: 'fault', path, line: null, message: 'another post of this source has the same name or id; left out' }
}

function isFull(posts: readonly ImportPost[], pictures: readonly SourceMedia[]): boolean {
  const sum = (of: (post: ImportPost) => number) => posts.reduce((total, post) => total + of(post), 0)
  return (
    posts.length >= batchLimits.posts ||
    sum(({ content }) => content.length) >= batchLimits.contentLength ||
    sum(({ authors, categories, media }) => authors.length + categories.length + media.length) + pictures.length >= batchLimits.references
  )
}

function writing({ engine, perform }: Target, projectId: ProjectId): RunBatch {
  return async (batch) => perform(importPosts, operator(projectId, 'import', await engine.now()), batch)
}

/** Plans every batch as if those before it had been written. */
function planning({ engine, context: { random } }: Target, projectId: ProjectId): RunBatch {
  const planned = nothingPlanned()
  return async (batch) => {
    const caller = operator(projectId, 'import', await engine.now())
    const context: ImportContext = {
      db: engine.db,
      planned,
      slugsOfTags: (folded) => findTagSlugs(engine.db, projectId, folded),
    }
    return (await planImport(context, caller, batch, random)).report
  }
}

async function countVanished({ engine }: Target, projectId: ProjectId, source: SourceKind, seen: ReadonlySet<string>): Promise<number> {
  const paths = await listPostPaths(engine.db, { projectId, source })
  return paths.filter((path) => !seen.has(path)).length
}
