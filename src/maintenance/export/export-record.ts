import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../context.ts'
import type { Instant } from '../../values/instant.ts'
import { exportFiles, exportFormat, isExportPath, postsFolder } from './export-format.ts'

/** Another version of Verso wrote the folder. */
export class UnknownExport extends Error {
  constructor(folder: string) {
    super(`${folder} was exported by another version of Verso; use that one, or another folder.`)
    this.name = 'UnknownExport'
  }
}

/** The record of a folder cannot be read. */
export class DamagedExport extends Error {
  constructor(folder: string) {
    super(
      `${join(folder, exportFiles.state)} is damaged. Bring it back from a copy, or write the export anew with --force, over files that were edited.`,
    )
    this.name = 'DamagedExport'
  }
}

/** What an export wrote, by path: the SHA-256 of the bytes, in hexadecimal. */
type Hashes = ReadonlyMap<string, string>

/** A post that an import took from its file: when it was changed last, as the file says, and as the project says since then. */
export interface TakenPost {
  readonly file: Instant
  readonly here: Instant
}

/** By the id of the project, then by that of the post. */
type Imported = Readonly<Record<string, Readonly<Record<string, TakenPost>>>>

/** What a folder says of itself. */
export interface ExportRecord {
  /** The id of the project that was exported; none in the records of older versions. */
  readonly project: string | undefined
  readonly files: Hashes
  readonly imported: Imported
}

interface RecordFile {
  readonly format: number
  readonly project?: string
  readonly files: Readonly<Record<string, string>>
  readonly imported?: Imported
}

/** None if the folder has no export. */
export async function readRecord(folder: string): Promise<ExportRecord | undefined> {
  const text = await readIfThere(join(folder, exportFiles.state))
  if (text === undefined) return undefined
  const { format, ...record } = recordIn(text.toString(), folder)
  if (format !== exportFormat) throw new UnknownExport(folder)
  return record
}

function recordIn(text: string, folder: string): ExportRecord & Pick<RecordFile, 'format'> {
  try {
    const { format, project, files, imported = {} } = JSON.parse(text) as RecordFile
    // Other files are none of an export, whoever wrote the list: they may lie outside of the folder.
    const own = Object.entries(files).filter(([path]) => isExportPath(path))
    return { format, project, files: new Map(own), imported }
  } catch {
    throw new DamagedExport(folder)
  }
}

/** In code-point order of paths, one a line: the same export is the same file, and a change is a line in a diff. */
export async function saveRecord(folder: string, { project, files: hashes, imported }: ExportRecord): Promise<void> {
  const files = Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)))
  const record: RecordFile = {
    format: exportFormat,
    ...(project !== undefined && { project }),
    files,
    ...(Object.keys(imported).length > 0 && { imported }),
  }
  await replaceFile(folder, exportFiles.state, `${JSON.stringify(record, null, 1)}\n`)
}

const journalName = '.verso-export.journal'

/** A file that an export is about to write: its path and hash. */
type JournalEntry = readonly [path: string, hash: string]

/** What exports have written since the record was saved, because they were interrupted. */
export async function readJournal(folder: string): Promise<readonly JournalEntry[]> {
  const text = (await readIfThere(join(folder, journalName)))?.toString() ?? ''
  return text
    .split('\n')
    .flatMap(entryIn)
    .filter(([path]) => isExportPath(path))
}

/** None in a line that was cut off, by a full disk for example: its file was not written. */
function entryIn(line: string): readonly JournalEntry[] {
  try {
    return [JSON.parse(line) as JournalEntry]
  } catch {
    return []
  }
}

export async function addToJournal(folder: string, entry: JournalEntry): Promise<void> {
  // The line before may have been cut off.
  await appendFile(join(folder, journalName), `\n${JSON.stringify(entry)}`)
}

export async function removeJournal(folder: string): Promise<void> {
  await rm(join(folder, journalName), { force: true })
}

const temporaryName = '.verso-export.tmp'

/** Writes a file completely or not at all. */
export async function replaceFile(folder: string, path: string, text: string): Promise<void> {
  const place = join(folder, path)
  if (dirname(path) === postsFolder) makeFolder(dirname(place))
  await writeFile(join(folder, temporaryName), text)
  await rename(join(folder, temporaryName), place)
}

export async function readIfThere(place: string): Promise<Buffer | undefined> {
  return readFile(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
