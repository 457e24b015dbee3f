import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { DatabaseAddress } from '../../../src/app/config.ts'
import { placeOf } from '../../../src/cli/database-side.ts'
import type { Engine } from '../../../src/database/engine.ts'
import type { Migration } from '../../../src/database/migrate.ts'
import { type BackupContents, type BackupWatch, makeBackup, verifyBackup } from '../../../src/maintenance/backup/backup.ts'
import { localFile, readLocal } from '../../../src/maintenance/backup/file-place.ts'
import { type Restored, restoreBackup, verifyRestorable } from '../../../src/maintenance/backup/restore.ts'
import { testContext } from '../../harness/harness.ts'
import { withEngine } from '../move/move-fixture.ts'

export const quiet: BackupWatch = { begins: () => undefined, reached: () => undefined, isStopped: () => false }

interface Options {
  readonly engine?: (engine: Engine) => Engine
  readonly watch?: Partial<BackupWatch>
  readonly migrations?: readonly Migration[]
}

/** `verso backup` within the test. */
export async function backUp(
  from: DatabaseAddress,
  path: string,
  { engine = (each) => each, watch }: Options = {},
): Promise<BackupContents> {
  const context = testContext()
  return withEngine(from, (found) =>
    makeBackup({
      source: { engine: engine(found), place: placeOf(from) },
      file: localFile(path, context.random),
      context,
      watch: { ...quiet, ...watch },
    }),
  )
}

/** `verso restore` within the test. */
export async function restore(
  path: string,
  to: DatabaseAddress,
  { engine = (each) => each, watch, migrations }: Options = {},
): Promise<Restored> {
  const watching = { ...quiet, ...watch }
  const contents = await verifyRestorable(readLocal(path), watching, migrations)
  return withEngine(to, (found) =>
    restoreBackup({
      target: { engine: engine(found), place: placeOf(to) },
      contents,
      open: () => readLocal(path),
      context: testContext(),
      watch: watching,
      ...(migrations && { migrations }),
    }),
  )
}

export function verify(path: string): Promise<BackupContents> {
  return verifyBackup(readLocal(path), quiet)
}

/** The lines of a backup. */
export async function linesOf(path: string): Promise<readonly string[]> {
  return gunzipSync(await readFile(path))
    .toString('utf8')
    .trimEnd()
    .split('\n')
}

export async function writeLines(path: string, lines: readonly string[]): Promise<void> {
  await writeFile(path, gzipSync(`${lines.join('\n')}\n`))
}

/** The lines of a backup with the hash that a forger would write. */
export function withSum(lines: readonly string[]): readonly string[] {
  const all = lines.slice(0, -1)
  const sha256 = createHash('sha256')
    .update(all.map((line) => `${line}\n`).join(''))
    .digest('hex')
  return [...all, JSON.stringify({ complete: true, sha256 })]
}

/** Every name in a folder, hidden ones too. */
export function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

export const backupIn = (folder: string) => join(folder, 'backup.ndjson.gz')
