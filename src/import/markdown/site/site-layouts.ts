import { isDataFile } from '../data-files.ts'
import { extensionOf, folderLanguage, folderOf, isIndexFile, nameOf } from '../file-path.ts'
import { isDataProgram } from './data-programs.ts'
import { isSiteMarker, pathInSite, type Site, siteOf } from './site-config.ts'

/** Why a file or folder holds no post. */
export type SkipReason = 'section' | 'partial' | 'redirect' | 'page' | 'data' | 'program' | 'link' | 'folder' | 'language' | 'other'

const postExtensions = new Set(['md', 'mdx', 'markdown', 'mdown', 'mkd', 'html', 'htm'])
const postFolders = new Set(['_posts', '_drafts'])
const closedAnywhere =
  /^(?:node_modules|bower_components|vendor|_(?:site|includes?|layouts?|sass|plugins?|templates?|partials?|components?|snippets|shared|static|assets|private|hidden|archived?|old|trash|build|book|tests?)|docusaurus-(?:theme|plugin-content-(?:docs|pages)).*)$/i
/** Folders without posts at the root of a site, by what is beside them. */
const closedInSites = [
  { beside: /^content$/, folders: /^(?:archetypes|themes|layouts|templates|public|static|resources)$/ },
  { beside: /^docusaurus\.config\.\w+$/, folders: /^(?:docs|versioned_docs|src|static|build)$/ },
]
const dataFile = /(?:^|\/)_data\/|\.11tydata\.\w+$|(?:^|\/)tags\.ya?ml$/
/** Names of pages that nearly every site has. They are no posts beside which `_…` names are partials. */
const pageName = /^(?:readme|index|about|contact|404|search|archives?|tags|categories|license|changelog|contributing|code_of_conduct)\b/i
const pageFolder = /^pages?$/

/** Whether to skip a folder. `names` are all names in its parent. */
export function isClosedFolder(path: string, names: readonly string[]): boolean {
  const name = nameOf(path)
  if (closedAnywhere.test(name)) return true
  const isInSite = folderOf(path) === '' || names.some((other) => isSiteMarker(other, names))
  return isInSite && closedInSites.some(({ beside, folders }) => folders.test(name) && names.some((other) => beside.test(other)))
}

/** What each file is, by the paths of all of them. */
export function rolesOf(files: readonly string[], sites: readonly Site[]): ReadonlyMap<string, SkipReason | 'candidate'> {
  const places = postPlaces(files, sites)
  const roles = new Map(files.map((path) => [path, roleOf(path, siteOf(sites, path), places)]))
  const candidates = files.filter((path) => roles.get(path) === 'candidate')
  for (const path of pagesAmong(candidates)) roles.set(path, 'page')
  return roles
}

interface PostPlaces {
  /** Sites with posts in `_posts` or in collections. Their other files are pages. */
  readonly withPostFolders: ReadonlySet<Site | undefined>
  /** Folders in which, or below which, there are files that may be posts and have no part of their path begin with `_`. */
  readonly withPosts: ReadonlySet<string>
}

function postPlaces(files: readonly string[], sites: readonly Site[]): PostPlaces {
  const withPostFolders = new Set<Site | undefined>()
  const withPosts = new Set<string>()
  for (const path of files) {
    const site = siteOf(sites, path)
    if (isInPostFolder(path) || isInCollection(site, path)) withPostFolders.add(site)
    if (!isText(path) || isDataFile(path) || path.split('/').some((part) => part.startsWith('_'))) continue
    const place = placeOf(path)
    const isPage = isIndexFile(path) ? place === '' : pageName.test(nameOf(path))
    if (!isPage) for (let folder = place; !withPosts.has(folder); folder = folderOf(folder)) withPosts.add(folder)
  }
  return { withPostFolders, withPosts }
}

function roleOf(path: string, site: Site | undefined, places: PostPlaces): SkipReason | 'candidate' {
  // Nikola's files of fields are not read either.
  if (isDataProgram(path) || path.endsWith('.meta')) return 'program'
  if (isDataFile(path) || dataFile.test(path)) return 'data'
  if (!isText(path)) return 'other'
  if (/^_index\./.test(nameOf(path))) return 'section'
  const parts = path.split('/')
  const opened = parts.findLastIndex((part) => postFolders.has(part) || (site?.collections.has(part.slice(1)) && part.startsWith('_')))
  const hidden = parts.findIndex((part, index) => index > opened && part.startsWith('_'))
  // Beside real posts a name that begins with `_` means that the file is none. Alone, it is only a name.
  if (hidden >= 0 && (opened >= 0 || places.withPosts.has(parts.slice(0, hidden).join('/')))) return 'partial'
  if (opened >= 0) return 'candidate'
  return places.withPostFolders.has(site) || places.withPostFolders.has(undefined) ? 'page' : 'candidate'
}

function isText(path: string): boolean {
  return postExtensions.has(extensionOf(path))
}

function isInPostFolder(path: string): boolean {
  return folderOf(path).split('/').includes('_posts')
}

/** Whether a file belongs to one of Jekyll's collections. */
function isInCollection(site: Site | undefined, path: string): boolean {
  return collectionOf(site, path) !== undefined
}

/** The collection of Jekyll that a file belongs to. */
export function collectionOf(site: Site | undefined, path: string): string | undefined {
  if (!site || site.collections.size === 0) return undefined
  const folder = pathInSite(site, path)
    .split('/')
    .slice(0, -1)
    .find((part) => part.startsWith('_') && site.collections.has(part.slice(1)))
  return folder?.slice(1)
}

/** Files directly in `content/`, where its sections hold more, and in `page/` or `pages/`, where other folders hold posts. */
function pagesAmong(candidates: readonly string[]): readonly string[] {
  const placed = candidates.map((path) => ({ path, place: placeOf(path) }))
  const direct = new Map<string, string[]>()
  const deeper = new Map<string, number>()
  for (const { path, place } of placed) {
    const content = contentRoot(path)
    if (content === undefined) continue
    const isDirect = place === content
    if (isDirect) direct.set(content, [...(direct.get(content) ?? []), path])
    else if (!pageFolder.test(place.slice(content.length + 1))) deeper.set(content, (deeper.get(content) ?? 0) + 1)
  }
  const inContent = [...direct].flatMap(([content, paths]) => ((deeper.get(content) ?? 0) > paths.length ? paths : []))
  const inPages = placed.filter(({ place }) => pageFolder.test(nameOf(place)))
  const elsewhere = candidates.length - inContent.length - inPages.length
  const isDated = (path: string) => /^\d{4}-\d{1,2}-\d{1,2}/.test(nameOf(path))
  return [...inContent, ...(elsewhere > 0 ? inPages.map(({ path }) => path) : [])].filter((path) => !isDated(path))
}

/** The folder of a file, or of the bundle around an `index` file. */
function placeOf(path: string): string {
  return isIndexFile(path) ? folderOf(folderOf(path)) : folderOf(path)
}

/** The folder `content` that a file is in, with the folder of its language. */
function contentRoot(path: string): string | undefined {
  const [content] = /^(?:.*?\/)?content(?=\/)/.exec(path) ?? []
  if (content === undefined) return undefined
  const [, next] = path.slice(content.length).split('/')
  return next !== undefined && folderLanguage(`${content}/${next}/a`) === next ? `${content}/${next}` : content
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
