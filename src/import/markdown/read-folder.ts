import { type ImportSource, isTextFault, type SourceItem } from '../source-post.ts'
import { findPerson } from './author-files.ts'
import { type DataFiles, fieldsFor, readDataFiles } from './data-files.ts'
import { folderOf, isIndexFile } from './file-path.ts'
import type { Timezone } from './post-fields/timezone.ts'
import { type MarkdownPost, toSourcePost } from './post-fields/to-source-post.ts'
import { readSourceFile } from './read-file.ts'
import { type FolderScan, scanFolder } from './scan-folder.ts'
import { crowdedFolders } from './site-layouts.ts'

interface FolderOptions {
  /** For dates without an offset. */
  readonly timezone: Timezone
}

/** Opens a folder of Markdown files, or one file, as a source of posts in code-point order of their paths. */
export async function openFolder(path: string, options: FolderOptions): Promise<ImportSource<MarkdownPost>> {
  return folderSource(await scanFolder(path), options)
}

/** A scanned folder as a source. It keeps one file in memory at a time. */
export function folderSource(scan: FolderScan, options: FolderOptions): ImportSource<MarkdownPost> {
  const { faults, ...data } = readDataFiles(scan.folder, scan.dataFiles)
  return {
    kind: 'markdown',
    isWhole: scan.isWhole,
    others: [...scan.others, ...faults],
    total: scan.candidates.length,
    read: () => readCandidates({ ...options, ...data, scan, crowded: crowdedFolders(scan.candidates) }),
  }
}

interface Surroundings extends FolderOptions, Omit<DataFiles, 'faults'> {
  readonly scan: FolderScan
  readonly crowded: ReadonlySet<string>
}

function* readCandidates(around: Surroundings): Generator<SourceItem<MarkdownPost>, void, void> {
  const bundles = findBundles(around)
  for (const path of around.scan.candidates) yield readCandidate(path, around, bundles)
}

/** The crowded folders that are a single post (a bundle), because their `index` file has a date. */
function findBundles(around: Surroundings): ReadonlySet<string> {
  const bundles = new Set<string>()
  const unclear = around.scan.candidates.filter((path) => isIndexFile(path) && around.crowded.has(folderOf(path)))
  for (const path of unclear) {
    const item = readCandidate(path, around, bundles)
    if (item.kind === 'post') bundles.add(folderOf(path))
  }
  return bundles
}

function readCandidate(path: string, around: Surroundings, bundles: ReadonlySet<string>): SourceItem<MarkdownPost> {
  const { scan, timezone, authorFiles, folderFiles, crowded } = around
  const source = readSourceFile(scan.folder, path)
  if (isTextFault(source)) return { kind: 'fault', path, line: source.line, message: source.fault }
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
