import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../context.ts'
import type { ProjectId } from '../../values/ids.ts'
import {
  addToJournal,
  DamagedExport,
  type ExportRecord,
  readIfThere,
  readJournal,
  readRecord,
  removeJournal,
  replaceFile,
  saveRecord,
} from './export-record.ts'

/** For its owner alone: an export has drafts and e-mail addresses. A folder that is there keeps its mode. */
const folderMode = 0o700

/** A folder that an export may not write to. */
export class ForeignFolder extends Error {
  constructor(folder: string) {
    super(`${folder} holds other files and no export. Name an empty folder, or use --force to write among them.`)
    this.name = 'ForeignFolder'
  }
}

/** A folder that holds the export of another project, whose files this one would remove. */
export class OtherProject extends Error {
  constructor(folder: string) {
    super(`${folder} holds the export of another project. Name another folder, or remove this one first.`)
    this.name = 'OtherProject'
  }
}

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
export async function openExportFolder(folder: string, project: ProjectId, force: boolean): Promise<ExportFolder> {
  makeFolder(folder, folderMode)
  const record = await recordOf(folder, project, force)
  const { files: before } = record
  const journal = await readJournal(folder)
  const after = new Map([...before, ...journal])
  // If the program is killed, the next run finds an export here.
  await saveRecord(folder, record)
  const written = new Set([...before, ...journal].map(String))
  const isOwn = (path: string, present: Buffer) => force || written.has(String([path, hashOf(present)]))
  return {
    async write(path, text) {
      const present = await readIfThere(join(folder, path))
      const hash = hashOf(text)
      if (present && hashOf(present) === hash) {
        after.set(path, hash)
        return 'unchanged'
      }
      if (present && !isOwn(path, present)) return 'edited'
      await addToJournal(folder, [path, hash])
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
    async close() {
      await saveRecord(folder, { ...record, files: after })
      await removeJournal(folder)
    },
  }
}

async function recordOf(folder: string, project: ProjectId, force: boolean): Promise<ExportRecord> {
  const record = await readRecord(folder).catch((error: unknown) => {
    if (force && error instanceof DamagedExport) return undefined
    throw error
  })
  if (record?.project !== undefined && record.project !== project) throw new OtherProject(folder)
  if (record) return { ...record, project }
  const others = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  if (others.length > 0 && !force) throw new ForeignFolder(folder)
  return { project, files: new Map(), imported: {} }
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
