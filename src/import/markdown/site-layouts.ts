import { isDataFile } from './data-files.ts'
import { extensionOf, folderOf, isIndexFile, nameOf } from './file-path.ts'

/** Why a file or folder holds no post. */
export type SkipReason = 'section' | 'partial' | 'redirect' | 'page' | 'data' | 'link' | 'folder' | 'other'

const postExtensions = new Set(['md', 'mdx', 'markdown', 'mdown', 'mkd', 'html', 'htm'])
const postFolders = new Set(['_posts', '_drafts'])
const closedAnywhere =
  /^(?:node_modules|bower_components|_site|_includes|_layouts|_sass|docusaurus-(?:theme|plugin-content-(?:docs|pages)).*)$/
/** Folders at the top of a site without posts, by what is beside them. */
const closedAtTop = [
  { beside: /^content$/, folders: /^(?:archetypes|themes|layouts|templates|public|static|resources)$/ },
  { beside: /^docusaurus\.config\.\w+$/, folders: /^(?:docs|versioned_docs|src|static|build)$/ },
]
const dataFile = /(?:^|\/)_data\/|\.11tydata\.\w+$|(?:^|\/)tags\.ya?ml$/

/** Whether to skip a folder. `names` are all names in its parent. */
export function isClosedFolder(path: string, names: readonly string[]): boolean {
  const name = nameOf(path)
  if (closedAnywhere.test(name)) return true
  return folderOf(path) === '' && closedAtTop.some(({ beside, folders }) => folders.test(name) && names.some((other) => beside.test(other)))
}

/** Whether a blog has its posts in `_posts`. Files elsewhere are pages then. */
export function hasPostFolders(paths: readonly string[]): boolean {
  return paths.some((path) => folderOf(path).split('/').includes('_posts'))
}

/** What a file is, by its path. */
export function roleOf(path: string, inPostFoldersOnly: boolean): SkipReason | 'candidate' {
  const folders = folderOf(path).split('/')
  const isInPosts = folders.some((folder) => postFolders.has(folder))
  if (isDataFile(path) || dataFile.test(path)) return 'data'
  if (!postExtensions.has(extensionOf(path))) return 'other'
  if (/^_index\./.test(nameOf(path))) return 'section'
  if (nameOf(path).startsWith('_')) return 'partial'
  if (isInPosts) return 'candidate'
  if (folders.some((folder) => folder.startsWith('_'))) return 'partial'
  return inPostFoldersOnly ? 'page' : 'candidate'
}

/** Folders with posts besides their own `index`. The `index` of such a folder may be the page of a section. */
export function crowdedFolders(candidates: readonly string[]): ReadonlySet<string> {
  const crowded = new Set<string>()
  for (const path of candidates) {
    let place = isIndexFile(path) ? folderOf(path) : path
    while (place !== '' && !crowded.has(folderOf(place))) {
      place = folderOf(place)
      crowded.add(place)
    }
  }
  return crowded
}
