import { setImmediate } from 'node:timers/promises'
import type { Action, Perform } from '../../actions/action.ts'
import { operator } from '../../actions/caller.ts'
import { runDry } from '../../actions/dry-run.ts'
import type { Engine } from '../../database/engine.ts'
import { exportFiles } from '../../maintenance/export/export-format.ts'
import { byPath } from '../../resources/site/alias.ts'
import type { ProjectId } from '../../values/ids.ts'
import { type ImportReport, ImportTally } from '../import-report.ts'
import { isFileError } from '../markdown/read-file.ts'
import { batchLimits, quoted } from '../source-limits.ts'
import type { SourceFault } from '../source-post.ts'
import { type ExportedPost, exportedPostReader } from './exported-posts.ts'
import { type ExportedRecords, readExportedRecords } from './exported-records.ts'
import { importExportedPosts, type KnownPost } from './import-export-actions.ts'
import { importExportedRecords } from './import-records.ts'
import { listPostFiles, toFault } from './read-export.ts'
import { readTakenPosts, type TakenPosts } from './taken-posts.ts'

interface Target {
  readonly engine: Engine
  readonly perform: Perform
}

interface Options {
  readonly force: boolean
  readonly dryRun: boolean
  isStopped(): boolean
  begins(total: number): void
  onProgress(done: number): void
}

type Records = Omit<ExportedRecords, 'faults'>

/**
 * Imports an export of `verso export`, with its ids, slugs and dates. What is there already is left as it is; a post that was edited in the
 * folder is updated, if it was not changed here since the export or the last import of the folder.
 */
export async function importExport(
  { engine, perform }: Target,
  projectId: ProjectId,
  folder: string,
  options: Options,
): Promise<ImportReport> {
  const tally = new ImportTally()
  const run = async <I, R>(action: Action<I, R>, input: I): Promise<R> => {
    const caller = operator(projectId, 'import', await engine.now())
    return options.dryRun ? runDry(perform, action, caller, input) : perform(action, caller, input)
  }
  const { faults, ...records } = readExportedRecords(folder)
  for (const fault of faults) tally.addOther(fault)
  // A dry run makes no authors and categories, so that every batch misses them.
  const promised: string[] = []
  for (const part of partsOf(records)) {
    const { made, names, notes } = await run(importExportedRecords, { ...part, force: options.force })
    if (options.dryRun) promised.push(...names)
    tally.addBatch({ outcomes: [], made })
    tally.addNotes(notes)
  }
  // A dry run makes no tags, so that every batch finds them new.
  const tags = new Set(options.dryRun ? records.tags.map(({ name }) => name) : [])
  const isNewTag = (tag: string) => !tags.has(tag) && tags.add(tag)
  const paths = await listPostFiles(folder)
  options.begins(paths.length)
  const read = exportedPostReader(folder)
  const repeated = repeatFinder()
  const takenPosts = await readTakenPosts(folder, projectId)
  let posts: KnownPost[] = []
  const writeBatch = async () => {
    const { force, dryRun } = options
    const { outcomes, faults: refused, newTags, taken } = await run(importExportedPosts, { posts, force, dry: dryRun, promised })
    for (const fault of refused) tally.addOther(fault)
    for (const { exported, here } of taken) takenPosts.take(exported, here)
    tally.addBatch({ outcomes, made: { authors: 0, categories: 0, tags: newTags.filter(isNewTag).length, media: 0 } })
    posts = []
  }
  let done = 0
  for (const path of paths) {
    if (options.isStopped()) break
    const item = read(path)
    const fault = item.kind === 'post' ? repeated(item) : item
    if (item.kind === 'post' && !fault) {
      posts.push({ ...item, known: takenPosts.knownOf(item) })
      if (item.note !== null) tally.addNotes([{ path, note: item.note }])
    }
    if (fault) tally.addOther(fault)
    done += 1
    if (posts.length < batchLimits.posts && lengthOf(posts) < batchLimits.contentLength) continue
    await writeBatch()
    options.onProgress(done)
    // Reading and SQLite block the event loop: without this, signals would wait until the end.
    await setImmediate()
  }
  if (posts.length > 0) await writeBatch()
  if (!options.dryRun) tally.addNotes(await noted(takenPosts))
  return tally.report({ vanished: 0, stopped: done < paths.length })
}

/** Saves what the folder is to remember. The posts are imported, whether or not that is possible. */
async function noted(takenPosts: TakenPosts): Promise<ImportReport['notes']> {
  try {
    await takenPosts.save()
    return []
  } catch (error) {
    if (!isFileError(error)) throw error
    return [{ path: exportFiles.state, note: `cannot be written (${error.code}), so that the next import of an edited file is a conflict` }]
  }
}

/** The records in parts that fit into one statement each. */
function* partsOf({ authors, categories, tags, media }: Records): Generator<Records, void, void> {
  const most = Math.max(authors.length, categories.length, tags.length, media.length)
  for (let from = 0; from < most; from += batchLimits.references) {
    const part = <T>(all: readonly T[]) => all.slice(from, from + batchLimits.references)
    yield { authors: part(authors), categories: part(categories), tags: part(tags), media: part(media) }
  }
}

/** Makes the finder of posts that have the id, the slug or an alias of a post of a file before theirs. */
function repeatFinder(): (exported: ExportedPost) => SourceFault | undefined {
  const files = new Map<string, string>()
  return ({ path, post: { id, slug, aliases } }) => {
    const names = [['id', id], ['slug', slug], ...[...byPath(aliases).keys()].map((alias) => ['alias', alias])] as const
    for (const [kind, name] of names) {
      const earlier = files.get(`${kind} ${name}`)
      if (earlier !== undefined) return toFault(path, `${earlier} has the same ${kind} ${quoted(name)}; left out`)
    }
    for (const [kind, name] of names) files.set(`${kind} ${name}`, path)
    return undefined
  }
}

function lengthOf(posts: readonly ExportedPost[]): number {
  return posts.reduce((total, { post }) => total + post.content.length, 0)
}
