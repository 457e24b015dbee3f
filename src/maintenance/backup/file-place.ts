import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../context.ts'
import type { Random } from '../../values/ids.ts'
import type { BackupFile, BackupFolder } from './backup-place.ts'

/** Backups hold what is not public, so that only their owner may read them. */
const fileMode = 0o600
const folderMode = 0o700

/** A file that is written under another name beside it and then renamed. */
export function localFile(path: string, random: Random): BackupFile {
  const folder = dirname(path)
  const part = join(folder, `.${basename(path)}.${Buffer.from(random(6)).toString('hex')}.part`)
  return {
    name: path,
    async write(bytes) {
      makeFolder(folder, folderMode)
      const file = await open(part, 'wx', fileMode)
      try {
        for await (const chunk of bytes) await file.writeFile(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    read: () => readLocal(part),
    async commit() {
      await rename(part, path)
      await syncFolder(folder)
    },
    discard: () => rm(part, { force: true }),
  }
}

export function localFolder(path: string, random: Random): BackupFolder {
  return {
    name: path,
    list: () => readdir(path),
    file: (name) => localFile(join(path, name), random),
    remove: (name) => rm(join(path, name), { force: true }),
  }
}

export function readLocal(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 256 * 1024 })
}

/** The new name is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  // Some systems do not flush folders.
  await folder.sync().catch(() => undefined)
  await folder.close()
}
