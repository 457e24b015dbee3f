import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exportFiles, postsFolder } from '../../maintenance/export/export-format.ts'
import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from '../front-matter/field-value.ts'
import { readYaml } from '../front-matter/read-yaml.ts'
import { readSourceFile } from '../markdown/read-file.ts'
import { isTextFault, type SourceFault } from '../source-post.ts'

/** Whether a folder is an export of `verso export`. */
export async function isExport(path: string): Promise<boolean> {
  return existsSync(join(path, exportFiles.state)) && (await stat(path)).isDirectory()
}

/** A text of an export as fields, and what follows them. */
export interface ExportText {
  readonly path: string
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string
  readonly fields: FieldMap
  readonly body: string
}

/** About a million records. */
const maxListBytes = 256 * 1024 * 1024

/** The records of one of the lists of an export; none if the file is missing. They are parsed one by one: a list may be as long as it is. */
export function readRecords(folder: string, path: string): readonly FieldMap[] | SourceFault {
  if (!existsSync(join(folder, path))) return []
  const file = readSourceFile(folder, path, maxListBytes)
  if (isTextFault(file)) return toFault(path, file.fault, file.line)
  const records: FieldMap[] = []
  let line = 1
  // What belongs to a record is indented.
  for (const text of file.text.split(/^(?=- )/m)) {
    const parsed = readYaml(text, line)
    if (isTextFault(parsed)) return toFault(path, parsed.fault, parsed.line)
    if (!isRecords(parsed.value)) return toFault(path, 'it is no list of records', line)
    records.push(...(parsed.value ?? []))
    line += text.split('\n').length - 1
  }
  return records
}

/** Null is what stands before the first record: a comment, or the beginning of a document. */
function isRecords(value: FieldValue): value is readonly FieldMap[] | null {
  return value === null || (isFieldList(value) && value.every(isFieldMap))
}

/** The paths of the posts of an export, in order. */
export async function listPostFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, postsFolder))) return []
  const names = await readdir(join(folder, postsFolder))
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith('.'))
  return files.sort((a, b) => (a < b ? -1 : 1)).map((name) => `${postsFolder}/${name}`)
}

/** A post as its file has it. Unlike the front matter of strangers, that of an export may be as long as its values are. */
export function readPostFile(folder: string, path: string): ExportText | SourceFault {
  const file = readSourceFile(folder, path)
  if (isTextFault(file)) return toFault(path, file.fault, file.line)
  // Editors put a byte order mark in front.
  const text = file.text.replace(/^\uFEFF/, '')
  const end = /^---\r?\n/.test(text) ? /\n---(?:\r?\n|$)/.exec(text) : null
  if (!end) return toFault(path, 'it does not begin with the front matter of an export', 1)
  const parsed = readYaml(text.slice(text.indexOf('\n') + 1, end.index + 1), 2)
  if (isTextFault(parsed)) return toFault(path, parsed.fault, parsed.line)
  if (!isFieldMap(parsed.value)) return toFault(path, 'its front matter is no list of names and values', 1)
  return { path, hash: file.hash, fields: parsed.value, body: text.slice(end.index + end[0].length) }
}

export function toFault(path: string, message: string, line: number | null = null): SourceFault {
  return { kind: 'fault', path, line, message }
}

/** The text of a field, or null. */
export function textIn(fields: FieldMap, name: string): string | null {
  const value = fields.get(name)
  return typeof value === 'string' ? value : null
}

/** The texts of a list; one text is a list of one. */
export function textsIn(fields: FieldMap, name: string): readonly string[] {
  const value: FieldValue | undefined = fields.get(name)
  if (isFieldList(value)) return value.filter((item) => typeof item === 'string')
  return typeof value === 'string' && value !== '' ? [value] : []
}
