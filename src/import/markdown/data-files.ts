import { type FieldMap, type FieldValue, type FrontMatterFormat, isFieldMap } from '../front-matter/field-value.ts'
import { parseText } from '../front-matter/parse-front-matter.ts'
import { isTextFault, type SourceFault } from '../source-post.ts'
import { type AuthorFile, isAuthorFile, peopleIn } from './author-files.ts'
import { extensionOf, folderOf, nameOf } from './file-path.ts'
import { readSourceFile } from './read-file.ts'

/** Defaults for the posts of a folder, by the path of the data file. */
type FolderFiles = ReadonlyMap<string, FieldMap>

/** What the files beside the posts say of them. */
export interface DataFiles {
  readonly authorFiles: readonly AuthorFile[]
  readonly folderFiles: FolderFiles
  readonly faults: readonly SourceFault[]
}

const formats: Readonly<Record<string, FrontMatterFormat>> = { yml: 'yaml', yaml: 'yaml', toml: 'toml', json: 'json' }

/** Fields for which a folder has no defaults. */
const ownFields = new Set(['title', 'slug', 'permalink', 'url', 'path', 'date', 'aliases'])

/** Whether a file has data about posts. */
export function isDataFile(path: string): boolean {
  return isAuthorFile(path) || isFolderFile(path)
}

export function readDataFiles(folder: string, paths: readonly string[]): DataFiles {
  const authorFiles: AuthorFile[] = []
  const folderFiles = new Map<string, FieldMap>()
  const faults: SourceFault[] = []
  for (const path of paths) {
    const value = readDataFile(folder, path)
    if (isTextFault(value)) faults.push({ kind: 'fault', path, line: value.line, message: value.fault })
    else if (isAuthorFile(path)) authorFiles.push({ path, people: peopleIn(value.value) })
    else folderFiles.set(path, fieldsIn(value.value))
  }
  return { authorFiles, folderFiles, faults }
}

function readDataFile(folder: string, path: string) {
  const file = readSourceFile(folder, path)
  return isTextFault(file) ? file : parseText(formats[extensionOf(path)] ?? 'none', file.text.replace(/^\uFEFF/, ''), 1)
}

/** Eleventy's data files: `news/news.json`, `news/news.11tydata.json`, `news/post.11tydata.json`. */
function isFolderFile(path: string): boolean {
  return path.endsWith('.11tydata.json') || nameOf(path) === `${nameOf(folderOf(path))}.json`
}

function fieldsIn(value: FieldValue): FieldMap {
  return new Map(isFieldMap(value) ? [...value].filter(([name]) => !ownFields.has(name)) : [])
}

/** The defaults of a post: of the data file beside it, then of its folders, the nearest first. */
export function fieldsFor(postPath: string, files: FolderFiles): FieldMap {
  const fields = new Map<string, FieldValue>()
  for (const path of filesFor(postPath)) {
    for (const [name, value] of files.get(path) ?? []) if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

function filesFor(postPath: string): readonly string[] {
  const paths = [`${postPath.replace(/\.[^./]+$/, '')}.11tydata.json`]
  for (let folder = folderOf(postPath); folder !== ''; folder = folderOf(folder)) {
    paths.push(`${folder}/${nameOf(folder)}.11tydata.json`, `${folder}/${nameOf(folder)}.json`)
  }
  return paths
}
