import { setImmediate } from 'node:timers/promises'
import type { Perform } from '../actions/action.ts'
import { operator } from '../actions/caller.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../database/engine.ts'
import { newCategory } from '../resources/categories/category.ts'
import { newId, type ProjectId } from '../values/ids.ts'
import { slugBase } from '../values/slug.ts'
import { importPosts } from './import-actions.ts'
import type { BatchReport, ImportBatch } from './import-batch.ts'
import { type Ground, noForesight } from './import-context.ts'
import { type ImportPost, importChecker } from './import-post.ts'
import { type ImportReport, ImportTally } from './import-report.ts'
import type { Timezone } from './markdown/post-fields/timezone.ts'
import { readBlog } from './markdown/read-folder.ts'
import type { BlogScan } from './markdown/scan-folder.ts'
import { planImport } from './plan-import.ts'
import type { SourceFault, SourceSkip } from './source-post.ts'
import { listPostPaths, postPath } from './source-store.ts'

export interface ImportOptions {
  /** For dates without an offset. */
  readonly timezone: Timezone
  /** The source wins where both sides changed. */
  readonly force: boolean
  /** Nothing is written; the report is that of the real run. */
  readonly dryRun: boolean
  /** Asked after every file: what is not written by then is left for another run. */
  isStopped(): boolean
  /** Told how many of the scan's candidates are done. */
  onProgress(done: number): void
}

/** The open database that an import writes into. */
interface Room {
  readonly engine: Engine
  readonly perform: Perform
  readonly context: Context
}

type Run = (batch: ImportBatch) => Promise<BatchReport>

/** So short that a server beside it hardly waits for its turn to write. */
const maxBatchPosts = 100
/** UTF-16 units of content. */
const maxBatchLength = 4 * 1024 * 1024
/** Authors and categories that a batch names, each time counted: SQLite takes 32,766 values in one statement. */
const maxBatchTerms = 1_000
const source = 'markdown'

/**
 * Imports a blog into a project, batch by batch in the order of paths. What was imported before is known again, so that it can be run any
 * number of times, also after it was interrupted.
 */
export async function importBlog(room: Room, projectId: ProjectId, scan: BlogScan, options: ImportOptions): Promise<ImportReport> {
  const run = options.dryRun ? planning(room, projectId) : writing(room, projectId)
  const tally = new ImportTally()
  const seen = new Set<string>()
  let finished = 0
  const takeDown = (file: SourceFault | SourceSkip) => {
    tally.addFile(file)
    if (file.kind === 'fault') seen.add(postPath(file.path))
  }
  for await (const { posts, done } of batchesIn(scan, options, takeDown)) {
    if (posts.length > 0) tally.addBatch(await run({ source, posts, force: options.force }))
    for (const { path } of posts) seen.add(postPath(path))
    finished = done
    options.onProgress(done)
    // Reading and SQLite leave the event loop no turn of its own: signals would wait until the end.
    await setImmediate()
  }
  const stopped = options.isStopped() && finished < scan.candidates.length
  const vanished = stopped || !scan.isWhole ? 0 : await countVanished(room, projectId, seen)
  return tally.report({ vanished, stopped })
}

interface ReadBatch {
  readonly posts: readonly ImportPost[]
  /** How many candidates there were up to here. */
  readonly done: number
}

/** The posts of a blog in batches; whatever holds none is taken down. */
async function* batchesIn(
  scan: BlogScan,
  options: ImportOptions,
  takeDown: (file: SourceFault | SourceSkip) => void,
): AsyncGenerator<ReadBatch, void, void> {
  const check = importChecker()
  const candidates = new Set(scan.candidates)
  let posts: ImportPost[] = []
  let done = 0
  for (const item of readBlog(scan, options)) {
    if (options.isStopped()) return
    const file = item.kind === 'post' ? check(item) : item
    if (candidates.has(file.path)) done += 1
    if (file.kind === 'post') posts.push(file)
    else takeDown(file)
    if (!isFull(posts)) continue
    yield { posts, done }
    posts = []
  }
  yield { posts, done }
}

function isFull(posts: readonly ImportPost[]): boolean {
  const sum = (of: (post: ImportPost) => number) => posts.reduce((total, post) => total + of(post), 0)
  return (
    posts.length >= maxBatchPosts ||
    sum(({ content }) => content.length) >= maxBatchLength ||
    sum(({ authors, categories }) => authors.length + categories.length) >= maxBatchTerms
  )
}

function writing({ engine, perform }: Room, projectId: ProjectId): Run {
  return async (batch) => perform(importPosts, operator(projectId, 'import', await engine.now()), batch)
}

/** Plans every batch as if those before it had been written. */
function planning({ engine, context }: Room, projectId: ProjectId): Run {
  const foresight = noForesight()
  return async (batch) => {
    const caller = operator(projectId, 'import', await engine.now())
    const { random } = context
    const ground: Ground = {
      db: engine.db,
      foresight,
      makeAuthor: async () => undefined,
      makeCategory: async (name) => newCategory(newId('cat', caller.now, random), { name, slug: slugBase(name) }, caller.now),
    }
    return (await planImport(ground, caller, batch, random)).report
  }
}

async function countVanished({ engine }: Room, projectId: ProjectId, seen: ReadonlySet<string>): Promise<number> {
  const paths = await listPostPaths(engine.db, { projectId, source })
  return paths.filter((path) => !seen.has(path)).length
}
