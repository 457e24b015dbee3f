import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCheckpoints } from '../../../src/database/sqlite/checkpoint-worker.ts'
import { engines, requestsTo } from '../../harness/harness.ts'
import { addressText, serve, temporaryFolder } from '../../harness/program.ts'

/** A database that makes no checkpoints itself, and the thread that makes them for it. */
async function prepared(threadPath?: string) {
  const database = await engines[0]?.create()
  if (database?.address.kind !== 'sqlite') throw new Error('this is about SQLite')
  const { path } = database.address
  const writer = new Database(path)
  writer.pragma('journal_mode = wal')
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table words (id integer primary key, word text)')
  const insert = writer.prepare('insert into words (word) values (?)')
  const rows = writer.prepare<[], number>('select total_changes()').pluck()
  const checkpoints = openCheckpoints({ path: threadPath ?? path, rowsWritten: () => rows.get() ?? 0 })
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
    const { checkpoints, write, bytes } = await prepared('/nowhere/verso.db')
    const before = bytes()
    for (let times = 0; times < 3; times++) {
      write(5_000)
      await checkpoints.committed()
    }
    expect(bytes()).toBe(before)
  })

  it('that fail once are tried again, and a thread that has died is replaced', async () => {
    const folder = temporaryFolder()
    const { checkpoints, write, writer } = await prepared(join(folder, 'link.db'))
    write(5_000)
    await checkpoints.committed()
    symlinkSync(writer.name, join(folder, 'link.db'))
    writer.exec('begin')
    writer.exec('rollback')
    const logged = () => (writer.pragma('wal_checkpoint(noop)') as readonly { checkpointed: number }[])[0]?.checkpointed
    expect(logged()).toBe(0)
    write(5_000)
    await checkpoints.committed()
    expect(logged()).toBeGreaterThan(0)
  })

  it('are made by the built program', async () => {
    const database = await engines[0]?.create()
    if (database?.address.kind !== 'sqlite') throw new Error('this is about SQLite')
    onTestFinished(database.drop)
    const { path } = database.address
    const running = await serve(addressText(database.address))
    const before = statSync(path).size
    const requests = requestsTo(running.url, /verso_live_\w+/.exec(running.stdout())?.[0] ?? '')
    const operations = Array.from({ length: 50 }, (_, i) => ({ op: 'create', body: { title: `Title ${i}`, tags: ['a', 'b', 'c'] } }))
    for (let times = 0; times < 12; times++) expect((await requests.post('/v1/posts/batch', { operations })).status).toBe(200)
    await expect.poll(() => statSync(path).size, { timeout: 30_000 }).toBeGreaterThan(before)
  })
})
