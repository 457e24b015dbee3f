import { layered } from '../front-matter/field-value.ts'
import { type ImportSource, isTextFault, type SourceItem } from '../source-post.ts'
import { findPerson } from './author-files.ts'
import { type DataFiles, fieldsFor, readDataFiles, unreadFileFor } from './data-files.ts'
import { folderOf, isIndexFile } from './file-path.ts'
import type { ReadSettings } from './post-fields/parsed-post.ts'
import { type MarkdownPost, toSourcePost } from './post-fields/to-source-post.ts'
import { readSourceFile } from './read-file.ts'
import { type FolderScan, scanFolder } from './scan-folder.ts'
import { type Languages, languagesOf } from './site/languages.ts'
import { siteDefaults, siteOf } from './site/site-config.ts'
import { crowdedFolders } from './site/site-layouts.ts'

/** Opens a folder of Markdown files, or one file, as a source of posts in code-point order of their paths. */
export async function openFolder(path: string, settings: ReadSettings): Promise<ImportSource<MarkdownPost>> {
  return folderSource(await scanFolder(path), settings)
}

/** A scanned folder as a source. It keeps one file in memory at a time. */
export function folderSource(scan: FolderScan, settings: ReadSettings): ImportSource<MarkdownPost> {
  const { faults, ...data } = readDataFiles(scan)
  return {
    kind: 'markdown',
    isWhole: scan.isWhole,
    others: [...scan.others, ...faults],
    total: scan.candidates.length,
    read: () => {
      const crowded = crowdedFolders(scan.candidates)
      return readCandidates({ ...data, scan, settings, crowded, languages: languagesOf(scan.candidates, scan.sites) })
    },
  }
}

interface Surroundings extends Omit<DataFiles, 'faults'> {
  readonly scan: FolderScan
  readonly settings: ReadSettings
  readonly languages: Languages
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
  const { scan, settings, authorFiles, folderFiles, unread, crowded, languages } = around
  const source = readSourceFile(scan.folder, path)
  if (isTextFault(source)) return { kind: 'fault', path, line: source.line, message: source.fault }
  const folder = folderOf(path)
  const site = siteOf(scan.sites, path)
  const file = {
    path,
    ...source,
    folderFields: layered(fieldsFor(scan.folder, path, folderFiles), siteDefaults(site, path)),
    isAmongPosts: crowded.has(folder),
    isInBundle: bundles.has(folder),
    language: languages.of(path),
    isTranslation: languages.isTranslation(path),
    program: unreadFileFor(scan.folder, path, unread),
    site,
  }
  return toSourcePost(file, settings, (key) => findPerson(authorFiles, path, key))
}
