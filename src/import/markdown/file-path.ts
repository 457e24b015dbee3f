/** What the path of a file says about its post. */
export interface PathFacts {
  /** The name of the file, or of the folder of an `index` file, without its date. May be empty. */
  readonly name: string
  /** Year, month and day with `-` between them, as found. */
  readonly date: string | null
  readonly isDraft: boolean
  readonly isIndex: boolean
}

/** The last date in a path, in a name (`2020-9-25-title`) or in folders (`2020/09/25/title`, `2020/09-25-title`), and the rest of the path. */
const dated =
  /^(?:.*\/)?(?:(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[-_/ ]+)|(\d{4})\/(\d\d)\/(\d\d)(?:$|\/)|(\d{4})\/(\d\d)-(\d\d)(?:$|[-_/ ]+))(.*)$/s
const addressDated = /^(?:.*\/)?(\d{4})\/(\d{1,2})\/(\d{1,2})\//
const languageCode = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/
/** The text of a bundle, or a translation of it. */
const indexFile = /^index(?:\.([a-z]{2}(?:[-_][A-Za-z]{2,4})?))?\.[^.]+$/
const languageParents = new Set(['content', 'i18n', 'pages'])
const draftFolder = /^_?(?:drafts?|unpublished)$/i

/** `language`: what is cut off the name of a translation. */
export function factsOf(path: string, language: string | null = null): PathFacts {
  const index = indexFile.exec(nameOf(path))
  const bare = path.replace(/\.[^./]+$/, '')
  const suffix = `.${language ?? ''}`
  const place = index ? folderOf(path) : language !== null && bare.endsWith(suffix) ? bare.slice(0, -suffix.length) : bare
  const parts = dated
    .exec(place)
    ?.slice(1)
    .filter((part) => part !== undefined)
  return {
    name: nameOf(parts ? (parts.at(-1) ?? '') : place),
    date: parts ? parts.slice(0, 3).join('-') : null,
    isDraft:
      /\.drafts?\.[^./]+$/i.test(path) ||
      folderOf(path)
        .split('/')
        .some((folder) => draftFolder.test(folder)),
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

/** The language in the name of a file, if it is one, and the path without it and without the extension. */
export function fileLanguage(path: string): { readonly stem: string; readonly language: string | null; readonly isIndex: boolean } {
  const [, stem = path, language] = /^(.*?)(?:\.([^./]+))?\.[^./]+$/s.exec(path) ?? []
  const isLanguage = language !== undefined && languageCode.test(language)
  return {
    stem: isLanguage ? stem : path.replace(/\.[^./]+$/, ''),
    language: isLanguage ? language : null,
    isIndex: isIndexFile(path),
  }
}

/** The language that a folder of the path names. */
export function folderLanguage(path: string): string | null {
  const folders = folderOf(path).split('/')
  const isNamed = (folder: string, index: number) =>
    languageCode.test(folder) && (index === 0 || languageParents.has(folders[index - 1] ?? ''))
  return folders.find(isNamed) ?? null
}
