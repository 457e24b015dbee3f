import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openUpkeep } from '../../../src/database/sqlite/upkeep-worker.ts'
import { engines, requestsTo, startVerso } from '../../harness/harness.ts'
import { addressText, serve, temporaryFolder } from '../../harness/program.ts'

/** A database that makes no checkpoints itself, and the thread that makes them for it. */
async function prepared({ threadPath, logBytesKept = 2 ** 30 }: { readonly threadPath?: string; readonly logBytesKept?: number } = {}) {
  const database = await engines[0]?.create()
  if (database?.address.kind !== 'sqlite') throw new Error('this is about SQLite')
  const { path } = database.address
  const writer = new Database(path)
  writer.pragma('journal_mode = wal')
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('create table words (id integer primary key, word text)')
  const insert = writer.prepare('insert into words (word) values (?)')
  const log = () => (writer.pragma('wal_checkpoint(noop)') as readonly { log: number; checkpointed: number }[])[0]
  // Each page counts ten times, so that a tenth is enough.
  const pagesWaiting = () => 10 * ((log()?.log ?? 0) - (log()?.checkpointed ?? 0))
  let lastResorts = 0
  const checkpoints = openUpkeep({
    path: threadPath ?? path,
    logBytesKept,
    pagesWaiting,
    rowsWritten: () => 0,
    lastResort() {
      lastResorts++
      writer.pragma('wal_checkpoint(passive)')
    },
  })
  /** Each row fills a page. */
  const write = (count: number) => writer.transaction(() => Array.from({ length: count }, () => insert.run('x'.repeat(4_000))))()
  onTestFinished(async () => {
    await checkpoints.close()
    writer.close()
    await database.drop()
  })
  return {
    writer,
    checkpoints,
    lastResorts: () => lastResorts,
    write,
    log,
    bytes: () => statSync(path).size,
    logBytes: () => statSync(`${path}-wal`).size,
  }
}

describe('checkpoints of SQLite', () => {
  it('are made when much was written, beside the writer, and the log begins anew', async () => {
    const { writer, checkpoints, write, bytes, logBytes } = await prepared()
    const before = bytes()
    write(50)
    expect(checkpoints.committed()).toBeUndefined()
    expect(bytes()).toBe(before)
    for (let times = 0; times < 5; times++) {
      write(1_000)
      await checkpoints.committed()
    }
    expect(bytes()).toBeGreaterThan(2_000_000)
    expect(logBytes()).toBeLessThan(bytes())
    expect(writer.prepare('select count(*) as count from words').get()).toEqual({ count: 5_050 })
    expect(writer.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('that cannot be made disturb nobody', async () => {
    const { checkpoints, write, bytes } = await prepared({ threadPath: '/nowhere/verso.db' })
    const before = bytes()
    for (let times = 0; times < 3; times++) {
      write(1_000)
      await checkpoints.committed()
    }
    expect(bytes()).toBe(before)
  })

  it('that cannot be made beside the writer are made by it once the log is long', async () => {
    const { checkpoints, write, log } = await prepared({ threadPath: '/nowhere/verso.db' })
    for (let times = 0; times < 5; times++) {
      expect(log()?.checkpointed ?? 0).toBe(0)
      write(1_000)
      await checkpoints.committed()
    }
    expect(log()?.checkpointed).toBeGreaterThan(5_000)
  })

  it('are given up, and tried again later, where no thread can be started', async () => {
    let pages = 10_000
    // What cannot be copied to a thread fails as a system without threads does: at once.
    const upkeep = openUpkeep({
      path: (() => '') as never,
      logBytesKept: 0,
      pagesWaiting: () => pages,
      rowsWritten: () => 0,
      lastResort: () => undefined,
    })
    await expect(upkeep.committed()).resolves.toBeUndefined()
    pages = 20_000
    await expect(upkeep.committed()).resolves.toBeUndefined()
    await upkeep.close()
  })

  it('that a reader holds up are left to the thread, however long the log grows', async () => {
    const { checkpoints, write, writer, log, lastResorts } = await prepared()
    const reader = new Database(writer.name, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from words').get()
    for (let times = 0; times < 6; times++) {
      write(1_000)
      await checkpoints.committed()
    }
    expect(log()?.log).toBeGreaterThan(5_000)
    reader.close()
    write(1_000)
    await checkpoints.committed()
    expect(lastResorts()).toBe(0)
    expect(log()?.checkpointed).toBe(log()?.log)
  })

  it('cut a long log once nobody reads in it, and a commit does not', async () => {
    const { checkpoints, write, writer, logBytes } = await prepared({ logBytesKept: 1_000_000 })
    const reader = new Database(writer.name, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from words').get()
    for (let times = 0; times < 2; times++) {
      write(1_000)
      await checkpoints.committed()
    }
    expect(logBytes()).toBeGreaterThan(8_000_000)
    reader.close()
    write(1)
    expect(logBytes()).toBeGreaterThan(8_000_000)
    write(1_000)
    await checkpoints.committed()
    expect(logBytes()).toBe(0)
    write(1)
    expect(logBytes()).toBeGreaterThan(0)
    expect(writer.prepare('select count(*) as count from words').get()).toEqual({ count: 3_002 })
  })

  it('that fail once are tried again, and a thread that has died is replaced', async () => {
    const folder = temporaryFolder()
    const { checkpoints, write, writer, log } = await prepared({ threadPath: join(folder, 'link.db') })
    write(1_000)
    await checkpoints.committed()
    symlinkSync(writer.name, join(folder, 'link.db'))
    writer.exec('begin')
    writer.exec('rollback')
    expect(log()?.checkpointed).toBe(0)
    write(1_000)
    await checkpoints.committed()
    expect(log()?.checkpointed).toBeGreaterThan(0)
  })

  it('are made by the built program', async () => {
    const database = await engines[0]?.create()
    if (database?.address.kind !== 'sqlite') throw new Error('this is about SQLite')
    onTestFinished(database.drop)
    const { path } = database.address
    const running = await serve(addressText(database.address))
    const before = statSync(path).size
    const requests = requestsTo(running.url, /verso_live_\w+/.exec(running.stdout())?.[0] ?? '')
    const operations = Array.from({ length: 50 }, (_, i) => ({ op: 'create', body: { title: `Title ${i}`, content: 'x'.repeat(40_000) } }))
    for (let times = 0; times < 24; times++) expect((await requests.post('/v1/posts/batch', { operations })).status).toBe(200)
    await expect.poll(() => statSync(path).size, { timeout: 30_000 }).toBeGreaterThan(before)
  })
})

describe('parts of search indexes on SQLite', () => {
  it('are merged beside the writer, as often as posts are written', async () => {
    const [sqlite] = engines
    if (!sqlite) throw new Error('SQLite is not among the engines')
    const verso = await startVerso(sqlite)
    for (let i = 0; i < 120; i++) await verso.post('/v1/posts', { title: `Title ${i}`, content: `Words of ${i}` })
    const parts = async (table: string) => {
      const { rows } = await sql<{ parts: number }>`select count(distinct segid) as parts from ${sql.raw(table)}`.execute(
        verso.app.installation.db,
      )
      return rows[0]?.parts
    }
    for (const table of ['search_words_idx', 'search_titles_idx']) {
      expect(await parts(table)).toBeGreaterThan(0)
      await expect.poll(() => parts(table), { timeout: 30_000 }).toBeLessThan(60)
    }
    expect((await verso.get('/v1/posts?q=words&limit=1')).body.pagination.total).toBe(120)
  })
})
