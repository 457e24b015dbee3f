import type { Sight } from '../../actions/caller.ts'
import type { Db, Engine } from '../../database/engine.ts'
import type { Post } from '../../resources/posts/post.ts'
import { type ExportFolder, openExportFolder, type Written } from './export-folder.ts'
import { exportFiles, mediaFile, postFile, postPath, recordsFile, tagsFile } from './export-format.ts'
import {
  countExported,
  type ExportFilter,
  listEveryAuthor,
  listEveryCategory,
  listEveryMedia,
  listExported,
  listExportedSlugs,
  listOldSlugs,
  listTagsInUse,
} from './export-store.ts'

interface ExportOptions extends ExportFilter {
  /** Writes into a folder of other files, and over files that were edited since the last export. */
  readonly force: boolean
  begins(total: number): void
  reached(done: number): void
  isStopped(): boolean
}

/** What an export did to the files of its folder. */
export interface ExportReport {
  readonly posts: number
  /** Pending edits of these posts, which an export leaves out. */
  readonly pendingEdits: number
  readonly files: { readonly written: number; readonly unchanged: number; readonly removed: number }
  /** Paths that were left alone because somebody else changed or wrote them. */
  readonly edited: readonly string[]
  readonly stopped: boolean
}

/**
 * Writes a project as files: one Markdown file for each post outside the trash, and its authors, categories, tags and media as YAML. The same
 * project gives the same bytes, and only files that have changed are written.
 */
export async function exportProject(engine: Engine, sight: Sight, folder: string, options: ExportOptions): Promise<ExportReport> {
  const place = await openExportFolder(folder, sight.projectId, options.force)
  const tally: Tally = { written: 0, unchanged: 0, edited: [] }
  const { posts, pendingEdits, keeps } = await engine.snapshot((db) => writeProject(db, sight, { place, tally, options }))
  const stopped = options.isStopped()
  // What a run that was stopped, or of recent changes alone, did not write is not gone.
  const gone = keeps && !stopped ? await place.removeOthers((path) => keeps.has(path)) : { removed: 0, edited: [] }
  await place.close()
  const { written, unchanged } = tally
  return { posts, pendingEdits, files: { written, unchanged, removed: gone.removed }, edited: [...tally.edited, ...gone.edited], stopped }
}

interface Tally {
  written: number
  unchanged: number
  readonly edited: string[]
}

interface Work {
  readonly place: ExportFolder
  readonly tally: Tally
  readonly options: ExportOptions
}

async function writeProject(db: Db, sight: Sight, { place, tally, options }: Work) {
  const write = async (path: string, text: string) => count(tally, path, await place.write(path, text))
  options.begins(await countExported(db, sight, options))
  const authors = await listEveryAuthor(db, sight)
  const categories = await listEveryCategory(db, sight)
  await write(exportFiles.authors, recordsFile(authors))
  await write(exportFiles.categories, recordsFile(categories))
  await write(exportFiles.tags, tagsFile(await listTagsInUse(db, sight)))
  await write(exportFiles.media, mediaFile(await listEveryMedia(db, sight)))
  const names = new Map<string, string>([...authors, ...categories].map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  let posts = 0
  let pendingEdits = 0
  for await (const batch of listExported(db, sight, options)) {
    if (options.isStopped()) break
    const oldSlugs = await listOldSlugs(db, sight.projectId, ids(batch))
    for (const post of batch) {
      const around = { author: nameOf(post.authorId), category: nameOf(post.categoryId), oldSlugs: oldSlugs.get(post.id) ?? [] }
      await write(postPath(post.slug), postFile(post, around))
    }
    posts += batch.length
    pendingEdits += batch.filter(({ hasPendingEdit }) => hasPendingEdit).length
    options.reached(posts)
  }
  const all = options.since === undefined ? await listExportedSlugs(db, sight, options) : undefined
  const { authors: a, categories: c, tags: t, media: m } = exportFiles
  return { posts, pendingEdits, keeps: all && new Set([a, c, t, m, ...all.map(postPath)]) }
}

function ids(posts: readonly Post[]) {
  return posts.map(({ id }) => id)
}

function count(tally: Tally, path: string, outcome: Written): void {
  if (outcome === 'edited') tally.edited.push(path)
  else tally[outcome] += 1
}
