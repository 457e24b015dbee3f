import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../context.ts'
import { exportFiles, exportFormat, isExportPath, postsFolder } from './export-format.ts'

/** A folder that an export may not write to. */
export class ForeignFolder extends Error {
  constructor(folder: string) {
    super(`${folder} holds other files and no export. Name an empty folder, or use --force to write among them.`)
    this.name = 'ForeignFolder'
  }
}

/** A later version of Verso wrote the folder. */
export class UnknownExport extends Error {
  constructor(folder: string) {
    super(`${folder} was exported by another version of Verso; use that one, or another folder.`)
    this.name = 'UnknownExport'
  }
}

/** What an export wrote, by path: the SHA-256 of the bytes, in hexadecimal. */
type Hashes = ReadonlyMap<string, string>

/** What happened to a file. `edited`: it was changed since the last export, or is none of an export, and was left alone. */
export type Written = 'written' | 'unchanged' | 'edited'

/** A folder that holds an export, or is going to. */
export interface ExportFolder {
  write(path: string, text: string): Promise<Written>
  /** Removes the files of earlier exports that `keeps` does not name. Edited files stay. Returns how many are gone. */
  removeOthers(keeps: (path: string) => boolean): Promise<{ readonly removed: number; readonly edited: readonly string[] }>
  /** Saves what was written: the next export knows by it which files are its own. */
  close(): Promise<void>
}

/** With `force` the export writes into a folder of other files, and over files that were edited. */
export async function openExportFolder(folder: string, force: boolean): Promise<ExportFolder> {
  makeFolder(folder)
  const { before, isInterrupted } = await readState(folder, force)
  const after = new Map(before)
  // If the program is killed, the next run knows its files by their look.
  await saveState(folder, before, true)
  const isOwn = (path: string, present: Buffer) =>
    force || before.get(path) === hashOf(present) || (isInterrupted && present.subarray(0, 64).toString().startsWith('---\nid: post_'))
  return {
    async write(path, text) {
      const present = await readIfThere(join(folder, path))
      const hash = hashOf(text)
      if (present && hashOf(present) === hash) {
        after.set(path, hash)
        return 'unchanged'
      }
      if (present && !isOwn(path, present)) return 'edited'
      await replaceFile(folder, path, text)
      after.set(path, hash)
      return 'written'
    },
    async removeOthers(keeps) {
      const edited: string[] = []
      let removed = 0
      for (const path of [...after.keys()].filter((each) => !keeps(each))) {
        const present = await readIfThere(join(folder, path))
        if (present && !isOwn(path, present)) edited.push(path)
        else if (present) {
          await rm(join(folder, path))
          removed += 1
        }
        after.delete(path)
      }
      return { removed, edited }
    },
    close: () => saveState(folder, after, false),
  }
}

interface StateFile {
  readonly format: number
  readonly interrupted?: true
  readonly files: Readonly<Record<string, string>>
}

async function readState(folder: string, force: boolean): Promise<{ readonly before: Hashes; readonly isInterrupted: boolean }> {
  const text = await readIfThere(join(folder, exportFiles.state))
  if (!text) {
    const others = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    if (others.length > 0 && !force) throw new ForeignFolder(folder)
    return { before: new Map(), isInterrupted: false }
  }
  const { format, interrupted, files } = JSON.parse(text.toString()) as StateFile
  if (format !== exportFormat) throw new UnknownExport(folder)
  // Other files are none of an export, whoever wrote the list: they may lie outside of the folder.
  const own = Object.entries(files).filter(([path]) => isExportPath(path))
  return { before: new Map(own), isInterrupted: interrupted === true }
}

/** In code-point order of paths, one a line: the same export is the same file, and a change is a line in a diff. */
async function saveState(folder: string, hashes: Hashes, interrupted: boolean): Promise<void> {
  const files = Object.fromEntries([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)))
  const state: StateFile = { format: exportFormat, ...(interrupted && { interrupted }), files }
  await replaceFile(folder, exportFiles.state, `${JSON.stringify(state, null, 1)}\n`)
}

const temporaryName = '.verso-export.tmp'

/** Writes a file completely or not at all. */
async function replaceFile(folder: string, path: string, text: string): Promise<void> {
  const place = join(folder, path)
  if (dirname(path) === postsFolder) makeFolder(dirname(place))
  await writeFile(join(folder, temporaryName), text)
  await rename(join(folder, temporaryName), place)
}

async function readIfThere(place: string): Promise<Buffer | undefined> {
  return readFile(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
