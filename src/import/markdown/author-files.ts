import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from '../front-matter/field-value.ts'
import { folderOf } from './file-path.ts'
import { authorKey } from './post-fields/authors.ts'

/** The people of one author file, by the key that posts use. */
export interface AuthorFile {
  readonly path: string
  readonly people: ReadonlyMap<string, FieldMap>
}

const fileName = /(?:^|\/)(?:authors?|team|people|members|contributors)\.(?:ya?ml|json|toml)$/i
/** A collection of Astro: a file for each person. */
const personFile = /(?:^|\/)src\/(?:content|data)\/authors?\/([^/]+)\.(?:mdx?|ya?ml|json|toml)$/
const dataFolder = /(?:^|\/)_?data(?:\/|$).*$/s
/** For nested groups, such as a list of teams. */
const maxDepth = 4

export function isAuthorFile(path: string): boolean {
  return fileName.test(path) || personFile.test(path)
}

/** Reads a map of people by key, or lists of people with a key each, in groups or not. */
export function peopleIn(path: string, value: FieldValue): ReadonlyMap<string, FieldMap> {
  const people = new Map<string, FieldMap>()
  const [, key] = personFile.exec(path) ?? []
  if (key !== undefined && isFieldMap(value)) return people.set(key, value)
  collect(value, null, maxDepth, people)
  return people
}

/** The person with this key: of the author file nearest to the post, else of any. */
export function findPerson(files: readonly AuthorFile[], postPath: string, key: string): FieldMap | undefined {
  const knowing = files.filter(({ people }) => people.has(key))
  const nearest = knowing.reduce<AuthorFile | undefined>((best, file) => {
    return best && nearness(best, postPath) >= nearness(file, postPath) ? best : file
  }, undefined)
  return nearest?.people.get(key)
}

function collect(value: FieldValue, key: string | null, depth: number, people: Map<string, FieldMap>): void {
  if (isFieldList(value) && depth > 0) for (const item of value) collect(item, null, depth - 1, people)
  if (!isFieldMap(value)) return
  const ownKey = isPerson(value) ? (key ?? authorKey(value)) : null
  if (ownKey !== null && !people.has(ownKey)) people.set(ownKey, value)
  else if (depth > 0) for (const [name, inner] of value) collect(inner, name, depth - 1, people)
}

function isPerson(fields: FieldMap): boolean {
  return ['name', 'bio', 'title', 'url', 'email'].some((name) => typeof fields.get(name) === 'string')
}

/** How near an author file is to a post: the length of its folder's path, or -1 if the post is not below that folder. */
function nearness({ path }: AuthorFile, postPath: string): number {
  const reach = folderOf(path).replace(dataFolder, '')
  return reach === '' || postPath.startsWith(`${reach}/`) ? reach.length : -1
}
