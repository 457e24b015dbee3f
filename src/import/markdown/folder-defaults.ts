import { type FieldMap, type FieldValue, isFieldMap } from '../front-matter/field-value.ts'
import { folderOf, nameOf } from './file-path.ts'

/** What data files say of the posts in their folders, by the path of the file. */
export type FolderFiles = ReadonlyMap<string, FieldMap>

/** What a post has of itself alone, whatever a folder's file says. */
const ownFields = new Set(['title', 'slug', 'permalink', 'url', 'path', 'date', 'aliases'])

/** Whether a file speaks for the posts around it, as Eleventy has it: `news/news.json`, `news/news.11tydata.json`, `news/post.11tydata.json`. */
export function isFolderFile(path: string): boolean {
  return path.endsWith('.11tydata.json') || nameOf(path) === `${nameOf(folderOf(path))}.json`
}

export function fieldsIn(value: FieldValue): FieldMap {
  return new Map(isFieldMap(value) ? [...value].filter(([name]) => !ownFields.has(name)) : [])
}

/** The fields for a post: of the file beside it, then of its folders, the nearest first. */
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
