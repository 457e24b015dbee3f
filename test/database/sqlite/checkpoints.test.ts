import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCheckpoints } from '../../../src/database/sqlite/checkpoint-worker.ts'
import { engines } from '../../harness/harness.ts'

const driver = createRequire(import.meta.url).resolve('better-sqlite3')

/** A database that makes no checkpoints itself, and the thread that makes them for it. */
async function prepared(driverPath = driver) {
  const database = await engines[0]?.create()
  if (database?.address.kind !== 'sqlite') throw new Error('this is about SQLite')
  const { path } = database.address
  const writer = new Database(path)
  writer.pragma('journal_mode = wal')
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table words (id integer primary key, word text)')
  const insert = writer.prepare('insert into words (word) values (?)')
  const rows = writer.prepare<[], number>('select total_changes()').pluck()
  const checkpoints = openCheckpoints({ path, driver: driverPath, rowsWritten: () => rows.get() ?? 0 })
  const write = (count: number) => writer.transaction(() => Array.from({ length: count }, () => insert.run('x'.repeat(100))))()
  onTestFinished(async () => {
    await checkpoints.close()
    writer.close()
    await database.drop()
  })
  return { writer, checkpoints, write, bytes: () => statSync(path).size, logBytes: () => statSync(`${path}-wal`).size }
}

describe('checkpoints of SQLite', () => {
  it('are made when much was written, beside the writer, and the log begins anew', async () => {
    const { writer, checkpoints, write, bytes, logBytes } = await prepared()
    const before = bytes()
    write(100)
    expect(checkpoints.committed()).toBeUndefined()
    expect(bytes()).toBe(before)
    for (let times = 0; times < 5; times++) {
      write(5_000)
      await checkpoints.committed()
    }
    expect(bytes()).toBeGreaterThan(2_000_000)
    expect(logBytes()).toBeLessThan(bytes())
    expect(writer.prepare('select count(*) as count from words').get()).toEqual({ count: 25_100 })
    expect(writer.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('that cannot be made disturb nobody', async () => {
    const { checkpoints, write, bytes } = await prepared('nowhere')
    const before = bytes()
    for (let times = 0; times < 3; times++) {
      write(5_000)
      await checkpoints.committed()
    }
    expect(bytes()).toBe(before)
  })
})
