import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/engine.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'
import { toInstant } from '../../values/instant.ts'
import { version } from '../../values/version.ts'
import type { Side } from '../move/copy.ts'
import { countRows, listBatches } from '../move/copy-store.ts'
import { keyOf } from '../move/moved-tables.ts'
import { digestRows, lineOf } from '../move/row-digest.ts'
import { BackupStopped, UnusableBackup } from './backup-errors.ts'
import { type BackupHeader, compressed, formatVersion, readBackup, type TableDigest } from './backup-format.ts'
import { type BackupFile, type BackupFolder, outdated } from './backup-place.ts'
import { describeDatabase } from './backup-store.ts'

/** Reports the progress of a backup or restore and may stop it. */
export interface BackupWatch {
  begins(step: BackupStep, total: number): void
  /** How many of the total are done. */
  reached(done: number): void
  isStopped(): boolean
}

export type BackupStep = 'write' | 'verify' | 'restore' | 'compare' | 'migrate' | 'index'

/** What a backup holds. */
export interface BackupContents {
  readonly header: BackupHeader
  readonly tables: readonly TableDigest[]
}

export interface BackupParts {
  readonly source: Side
  readonly file: BackupFile
  readonly context: Pick<Context, 'now'>
  readonly watch: BackupWatch
}

/**
 * Writes one snapshot of a database, reads it back, and only then gives it its name. Leaves nothing behind where that fails. Refuses a database
 * that seems to lack its latest writes: a backup of it would be taken for a whole one.
 */
export async function makeBackup({ source, file, context, watch }: BackupParts): Promise<BackupContents> {
  const missing = source.engine.missingLog?.()
  if (missing !== undefined) throw new UnsupportedDatabase(`${source.place}: ${missing}`)
  try {
    const written = await source.engine.snapshot((db) => writeSnapshot(db, { source, file, context, watch }))
    const found = await verifyBackup(file.read(), watch)
    requireSame(written, found)
    await file.commit()
    return found
  } catch (error) {
    await file.discard().catch(() => undefined)
    throw error
  }
}

/** Reads a backup to its end and compares its hashes and counts. Throws `UnusableBackup` if something is wrong with it. */
export async function verifyBackup(bytes: AsyncIterable<Uint8Array>, watch: BackupWatch): Promise<BackupContents> {
  const tables: TableDigest[] = []
  let header: BackupHeader | undefined
  let done = 0
  for await (const part of readBackup(bytes)) {
    if (watch.isStopped()) throw new BackupStopped()
    if (part.kind === 'header') {
      header = part.header
      watch.begins('verify', rowsIn(header))
    } else if (part.kind === 'table') tables.push(part.digest)
    else {
      done += part.rows
      watch.reached(done)
    }
  }
  if (header === undefined) throw new UnusableBackup('This is not a backup of Verso: it is empty.')
  return { header, tables }
}

/** Removes the backups of a folder that are older than `keepMs`, but never the newest. Returns the names of what it removed. */
export async function removeOutdated(folder: BackupFolder, { context, keepMs }: { context: Pick<Context, 'now'>; keepMs: number }) {
  const old = outdated(await folder.list(), toInstant(context.now()), keepMs)
  for (const name of old) await folder.remove(name)
  return old
}

export function rowsIn({ tables }: Pick<BackupHeader, 'tables'>): number {
  return tables.reduce((total, { rows }) => total + rows, 0)
}

async function writeSnapshot(db: Db, { source, file, context, watch }: BackupParts): Promise<readonly TableDigest[]> {
  const { tables: names, ...described } = await describeDatabase(db, source.place)
  const tables: BackupHeader['tables'][number][] = []
  for (const name of names) tables.push({ name, key: keyOf(name), rows: await countRows(db, name) })
  const createdAt = context.now().toISOString()
  const header: BackupHeader = { format: 'verso-backup', formatVersion, createdAt, program: version, ...described, tables }
  watch.begins('write', rowsIn(header))
  const digests: TableDigest[] = []
  const lines = withSum(linesOf(db, { header, watch, onTable: (digest) => void digests.push(digest) }))
  await file.write(compressed(lines))
  return digests
}

interface Lines {
  readonly header: BackupHeader
  readonly watch: BackupWatch
  onTable(digest: TableDigest): void
}

/** Every line but the last, in chunks. */
async function* linesOf(db: Db, { header, watch, onTable }: Lines): AsyncGenerator<string> {
  yield toLine(header)
  let done = 0
  for (const { name, key } of header.tables) {
    const digest = digestRows()
    let isBegun = false
    for await (const rows of listBatches(db, name, key)) {
      if (watch.isStopped()) throw new BackupStopped()
      const lines = rows.map(lineOf)
      for (const line of lines) digest.addLine(line)
      if (!isBegun) yield toLine({ table: name, columns: Object.keys(rows[0] ?? {}).sort() })
      isBegun = true
      yield lines.join('')
      done += rows.length
      watch.reached(done)
    }
    if (!isBegun) yield toLine({ table: name, columns: [] })
    const { rows, sha256 } = digest.result()
    yield toLine({ end: name, rows, sha256 })
    onTable({ table: name, rows, sha256 })
  }
}

async function* withSum(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const total = createHash('sha256')
  for await (const chunk of chunks) {
    total.update(chunk)
    yield chunk
  }
  yield toLine({ complete: true, sha256: total.digest('hex') })
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** What was read from the database and what was read from the file must be one. */
function requireSame(written: readonly TableDigest[], { tables }: BackupContents): void {
  for (const [i, { table, rows, sha256 }] of written.entries())
    if (tables[i]?.table !== table || tables[i]?.rows !== rows || tables[i]?.sha256 !== sha256)
      throw new UnusableBackup(`The backup was not kept: what was read back of the table ${table} is not what was written.`)
}
