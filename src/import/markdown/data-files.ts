import { basename } from 'node:path'
import { type FieldMap, type FieldValue, type FrontMatterFormat, isFieldMap } from '../front-matter/field-value.ts'
import { booleanOf } from '../front-matter/find-field.ts'
import { parseFrontMatter, parseText } from '../front-matter/parse-front-matter.ts'
import { splitFrontMatter } from '../front-matter/split-front-matter.ts'
import { isTextFault, type SourceFault } from '../source-post.ts'
import { type AuthorFile, isAuthorFile, peopleIn } from './author-files.ts'
import { extensionOf, folderOf, nameOf } from './file-path.ts'
import { readSourceFile } from './read-file.ts'
import { factsOfProgram, isDataProgram, programsBeside, programsFor } from './site/data-programs.ts'
import { cascadesIn, fieldsInScope, type ScopedFields, type Site, siteOf } from './site/site-config.ts'

/** Defaults for the posts of a folder, by the path of the data file. */
type FolderFiles = ReadonlyMap<string, readonly ScopedFields[]>

/** What the files beside the posts say of them. */
export interface DataFiles {
  readonly authorFiles: readonly AuthorFile[]
  readonly folderFiles: FolderFiles
  /** Files that say more of posts and cannot be read: programs, and Nikola's fields. */
  readonly unread: ReadonlySet<string>
  readonly faults: readonly SourceFault[]
}

/** The files beside posts, relative to `folder`. */
interface DataPaths {
  readonly folder: string
  readonly dataFiles: readonly string[]
  /** Files that would say more of posts if somebody ran or read them. */
  readonly programs: readonly string[]
  readonly sites: readonly Site[]
}

const formats: Readonly<Record<string, FrontMatterFormat>> = { yml: 'yaml', yaml: 'yaml', toml: 'toml', json: 'json' }

/** Fields for which a folder has no defaults. */
const ownFields = new Set(['title', 'slug', 'permalink', 'url', 'path', 'date', 'aliases'])

/** Whether a file has data about posts. */
export function isDataFile(path: string): boolean {
  return isAuthorFile(path) || isFolderFile(path)
}

export function readDataFiles({ folder, dataFiles, programs, sites }: DataPaths): DataFiles {
  const authorFiles: AuthorFile[] = []
  const folderFiles = new Map<string, readonly ScopedFields[]>()
  const faults: SourceFault[] = []
  for (const path of dataFiles) {
    if (isSectionFile(path)) {
      folderFiles.set(path, sectionFields(folder, path, siteOf(sites, path)))
      continue
    }
    const value = readDataFile(folder, path)
    if (isTextFault(value)) faults.push({ kind: 'fault', path, line: value.line, message: value.fault })
    else if (isAuthorFile(path)) authorFiles.push({ path, people: peopleIn(path, value.value) })
    else folderFiles.set(path, everywhere(fieldsIn(value.value)))
  }
  const unread = new Set<string>()
  for (const path of programs) {
    const file = isDataProgram(path) ? readSourceFile(folder, path) : undefined
    const facts = file && !isTextFault(file) ? factsOfProgram(file.text) : undefined
    if (facts) folderFiles.set(path, everywhere(facts.fields))
    if (!facts || facts.isUnclear || isOfOnePost(folder, path)) unread.add(path)
  }
  return { authorFiles, folderFiles, unread, faults }
}

function readDataFile(folder: string, path: string) {
  const file = readSourceFile(folder, path)
  const format = formats[extensionOf(path)]
  if (isTextFault(file)) return file
  return format === undefined ? readPerson(file.text) : parseText(format, file.text.replace(/^\uFEFF/, ''), 1)
}

/** A person in a Markdown file, whose text is what is said of them. */
function readPerson(text: string) {
  const matter = splitFrontMatter(text)
  if (isTextFault(matter)) return matter
  const parsed = parseFrontMatter(matter)
  if (isTextFault(parsed)) return parsed
  const about: readonly (readonly [string, FieldValue])[] = matter.body.trim() === '' ? [] : [['about', matter.body.trim()]]
  return { ...parsed, value: new Map([...parsed.fields, ...about]) }
}

function isSectionFile(path: string): boolean {
  return /^_index\./.test(nameOf(path))
}

/** What the page of a section says of posts below it: Hugo's `cascade`, and Zola's `draft`. What cannot be read says nothing. */
function sectionFields(folder: string, path: string, site: Site | undefined): readonly ScopedFields[] {
  const file = readSourceFile(folder, path)
  const matter = isTextFault(file) ? file : splitFrontMatter(file.text)
  const parsed = isTextFault(matter) ? matter : parseFrontMatter(matter)
  if (isTextFault(parsed)) return []
  if (site?.generator === 'zola') return everywhere(new Map([...parsed.fields].filter(([name]) => name === 'draft')))
  return cascadesIn(parsed.fields.get('cascade')).map(({ scope, fields }) => ({ scope, fields: fieldsIn(fields) }))
}

function everywhere(fields: FieldMap): readonly ScopedFields[] {
  return [{ scope: '', fields }]
}

/** Eleventy's data files: `news/news.json`, `news/news.11tydata.json`, `news/post.11tydata.json`; and Quarto's `_metadata.yml`. */
function isFolderFile(path: string): boolean {
  return path.endsWith('.11tydata.json') || nameOf(path) === `${nameOf(folderOf(path))}.json` || /^_metadata\.ya?ml$/.test(nameOf(path))
}

/** A program that is not for all posts of its folder is for one of them. */
function isOfOnePost(root: string, path: string): boolean {
  const folder = folderOf(path)
  return !programsFor(folder, nameOf(folder) || basename(root)).includes(path)
}

function fieldsIn(value: FieldValue): FieldMap {
  const isDefault = ([name, each]: readonly [string, FieldValue]) =>
    !ownFields.has(name) || (name === 'permalink' && booleanOf(each) === false)
  return new Map(isFieldMap(value) ? [...value].filter(isDefault) : [])
}

/** The defaults of a post: of the data file beside it, then of its folders, the nearest first. */
export function fieldsFor(root: string, postPath: string, files: FolderFiles): FieldMap {
  const fields = new Map<string, FieldValue>()
  // The scopes of sections begin at the content of their site; where nobody knows where that is, they are for all posts below.
  const within = /(?:^|\/)(content\/.*)$/s.exec(postPath)?.[1]
  for (const path of filesFor(root, postPath)) {
    const all = files.get(path) ?? []
    const fitting = within === undefined ? new Map(all.flatMap((each) => [...each.fields])) : fieldsInScope(all, within)
    for (const [name, value] of fitting) if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

/** The file that says more of a post and is not read, if there is one. */
export function unreadFileFor(root: string, postPath: string, unread: DataFiles['unread']): string | undefined {
  return unread.size === 0 ? undefined : [...programsBeside(postPath), ...filesFor(root, postPath)].find((path) => unread.has(path))
}

function filesFor(root: string, postPath: string): readonly string[] {
  const paths = [`${postPath.replace(/\.[^./]+$/, '')}.11tydata.json`]
  for (let folder = folderOf(postPath); ; folder = folderOf(folder)) {
    const within = folder === '' ? '' : `${folder}/`
    const name = nameOf(folder) || basename(root)
    paths.push(
      `${within}${name}.11tydata.json`,
      ...programsFor(folder, name),
      ...[`${name}.json`, '_index.md', '_index.html', '_metadata.yml', '_metadata.yaml'].map((file) => within + file),
    )
    if (folder === '') return paths
  }
}
