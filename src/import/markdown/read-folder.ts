import { isFlaw, type SourceItem } from '../source-post.ts'
import { type AuthorFile, findPerson } from './author-files.ts'
import { readDataFiles } from './data-files.ts'
import { folderOf, isIndexFile } from './file-path.ts'
import { type FolderFiles, fieldsFor } from './folder-defaults.ts'
import type { Timezone } from './post-fields/timezone.ts'
import { toSourcePost } from './post-fields/to-source-post.ts'
import { readSourceFile } from './read-file.ts'
import type { BlogScan } from './scan-folder.ts'
import { crowdedFolders } from './site-layouts.ts'

export interface BlogOptions {
  /** For dates without an offset. */
  readonly timezone: Timezone
}

/**
 * Everything that a look at a blog found: first what is no post, then, in code-point order of paths, one item for each candidate. One file is
 * held in memory at a time.
 */
export function* readBlog(scan: BlogScan, { timezone }: BlogOptions): Generator<SourceItem, void, void> {
  yield* scan.others
  const { authorFiles, folderFiles, faults } = readDataFiles(scan.folder, scan.dataFiles)
  yield* faults
  const around: Surroundings = { scan, timezone, authorFiles, folderFiles, crowded: crowdedFolders(scan.candidates) }
  const bundles = findBundles(around)
  for (const path of scan.candidates) yield readCandidate(path, around, bundles)
}

interface Surroundings extends BlogOptions {
  readonly scan: BlogScan
  readonly authorFiles: readonly AuthorFile[]
  readonly folderFiles: FolderFiles
  readonly crowded: ReadonlySet<string>
}

/** The crowded folders that are one post all the same: their `index` says so by its date. */
function findBundles(around: Surroundings): ReadonlySet<string> {
  const bundles = new Set<string>()
  const unclear = around.scan.candidates.filter((path) => isIndexFile(path) && around.crowded.has(folderOf(path)))
  for (const path of unclear) {
    const item = readCandidate(path, around, bundles)
    if (item.kind === 'post') bundles.add(folderOf(path))
  }
  return bundles
}

function readCandidate(path: string, around: Surroundings, bundles: ReadonlySet<string>): SourceItem {
  const { scan, timezone, authorFiles, folderFiles, crowded } = around
  const source = readSourceFile(scan.folder, path)
  if (isFlaw(source)) return { kind: 'fault', path, line: source.line, message: source.flaw }
  const folder = folderOf(path)
  const file = {
    path,
    ...source,
    folderFields: fieldsFor(path, folderFiles),
    isAmongPosts: crowded.has(folder),
    isInBundle: bundles.has(folder),
  }
  return toSourcePost(file, { timezone, lookup: (key) => findPerson(authorFiles, path, key) })
}
