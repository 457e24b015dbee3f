import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readS3, s3Address } from '../../../app/config.ts'
import { realContext } from '../../../context.ts'
import { readBackup } from '../../../maintenance/backup/backup-format.ts'
import { type BackupFile, type BackupFolder, backupName, backupsAmong } from '../../../maintenance/backup/backup-place.ts'
import { localFile, localFolder, readLocal } from '../../../maintenance/backup/file-place.ts'
import type { S3Place } from '../../../maintenance/backup/s3-place.ts'
import { toInstant } from '../../../values/instant.ts'
import { UsageError } from '../../errors.ts'

export interface TargetOptions {
  readonly endpoint?: string
}

/** Where a backup goes: a file of that name, or one with the time in its name in a folder. */
export interface BackupTarget {
  readonly file: BackupFile
  readonly folder?: BackupFolder
}

/** A request to S3 with a part of 16 MiB takes a second or two, over a slow line a minute. */
const s3TimeoutMs = 120_000

/** A folder is one that exists, or an address that ends with a slash, or any with `--keep`; in S3 every address but `….gz`. */
export async function targetOf(address: string, options: TargetOptions, isFolder: boolean): Promise<BackupTarget> {
  const name = backupName(toInstant(realContext.now()))
  const s3 = await openIfS3(address, options)
  if (s3) {
    if (s3.key.endsWith('.gz') && !isFolder) return { file: s3.place.file(s3.key) }
    const folder = s3.place.folder(s3.key === '' || s3.key.endsWith('/') ? s3.key : `${s3.key}/`)
    return { folder, file: folder.file(name) }
  }
  const path = resolve(address)
  const found = statSync(path, { throwIfNoEntry: false })
  const exists = found !== undefined
  if (found?.isDirectory() || (!exists && (isFolder || address.endsWith('/')))) {
    const folder = localFolder(path, realContext.random)
    return { folder, file: folder.file(name) }
  }
  if (isFolder) throw new UsageError(`--keep needs a folder; ${address} is a file.`)
  // A pipe would be read for ever, and could not be read back.
  if (found && !found.isFile()) throw new UsageError(`${address} is neither a file nor a folder; a backup is written to one of these.`)
  if (exists) await requireBackup(path, address)
  return { file: localFile(path, realContext.random) }
}

/** A way to read the backup at an address. */
export async function sourceOf(address: string, options: TargetOptions): Promise<() => AsyncIterable<Uint8Array>> {
  const s3 = await openIfS3(address, options)
  if (s3) {
    if (!s3.key.endsWith('.gz')) throw new UsageError(namesIn(address, await s3.place.folder(s3.key.replace(/(?<!\/)\/*$/, '/')).list()))
    return () => s3.place.read(s3.key)
  }
  const path = resolve(address)
  if (!existsSync(path)) throw new UsageError(`there is no file ${address}.`)
  if (statSync(path).isDirectory()) throw new UsageError(namesIn(address, await localFolder(path, realContext.random).list()))
  return () => readLocal(path)
}

/** What is read twice must be a file: a pipe is empty the second time. */
export function requireFile(address: string): void {
  const path = resolve(address)
  if (existsSync(path) && !statSync(path).isFile())
    throw new UsageError(`${address} is not a file; a restore reads the backup twice, so save it as a file first.`)
}

function namesIn(address: string, names: readonly string[]): string {
  const newest = backupsAmong(names).at(-1)
  const folder = address.replace(/(?<!\/)\/*$/, '/')
  return newest === undefined
    ? `${address} is a folder without backups.`
    : `${address} is a folder; the newest backup in it is ${folder}${newest}`
}

async function openIfS3(address: string, options: TargetOptions): Promise<{ readonly place: S3Place; readonly key: string } | undefined> {
  if (!/^s3:/.test(address)) return undefined
  const [, bucket, key = ''] = s3Address.exec(address) ?? []
  if (bucket === undefined) throw new UsageError(`${address} is not an address s3://<bucket>/<prefix>.`)
  const { openS3 } = await import('../../../maintenance/backup/s3-place.ts')
  const patience = { timeoutMs: s3TimeoutMs, pause: (ms: number) => pause(ms) }
  return { place: openS3({ bucket, settings: readS3(options), patience }), key }
}

async function beginsAsBackup(path: string): Promise<boolean> {
  try {
    for await (const { kind } of readBackup(readLocal(path))) return kind === 'header'
  } catch {
    // It has no header that can be read.
  }
  return false
}

/** A name that is taken may be taken over from an older backup only: a slip must not replace a database. */
async function requireBackup(path: string, address: string): Promise<void> {
  if (await beginsAsBackup(path)) return
  throw new UsageError(`${address} exists and is not a backup; choose another name than ${basename(path)}.`)
}
