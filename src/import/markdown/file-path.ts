/** What the path of a file says about its post. */
export interface PathFacts {
  /** The name of the file, or of the folder of an `index` file, without its date. May be empty. */
  readonly name: string
  /** Year, month and day with `-` between them, as found. */
  readonly date: string | null
  readonly language: string | null
  readonly isDraft: boolean
  readonly isIndex: boolean
}

/** The last date in a path, in a name (`2020-9-25-title`) or in folders (`2020/09/25/title`), and the rest of the path. */
const dated = /^(?:.*\/)?(?:(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[-_/ ]+)|(\d{4})\/(\d\d)\/(\d\d)(?:$|\/))(.*)$/s
const addressDated = /^(?:.*\/)?(\d{4})\/(\d{1,2})\/(\d{1,2})\//
const languageCode = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/
/** The text of a bundle, or a translation of it. */
const indexFile = /^index(?:\.([a-z]{2}(?:-[A-Za-z]{2,4})?))?\.[^.]+$/
const languageParents = new Set(['content', 'i18n', 'pages'])

export function factsOf(path: string): PathFacts {
  const index = indexFile.exec(nameOf(path))
  const place = index ? folderOf(path) : path.replace(/\.[^./]+$/, '')
  const found = dated.exec(place)
  const folders = folderOf(path).split('/')
  return {
    name: nameOf(found ? (found[7] ?? '') : place),
    date: found ? found.slice(1, 7).filter(Boolean).join('-') : null,
    language: index?.[1] ?? languageOf(folders),
    isDraft: folders.includes('_drafts'),
    isIndex: index !== null,
  }
}

/** The date in a URL path such as `/2014/12/12/title`. */
export function addressDate(address: string): string | null {
  return addressDated.exec(address)?.slice(1, 4).join('-') ?? null
}

export function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** Whether a file is the `index` of its folder. */
export function isIndexFile(path: string): boolean {
  return indexFile.test(nameOf(path))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function languageOf(folders: readonly string[]): string | null {
  const isNamed = (folder: string, index: number) =>
    languageCode.test(folder) && (index === 0 || languageParents.has(folders[index - 1] ?? ''))
  return folders.find(isNamed) ?? null
}
