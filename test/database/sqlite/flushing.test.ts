import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInstallation } from '../../../src/app/installation.ts'
import type { OpenFile } from '../../../src/context.ts'
import { openFlushes } from '../../../src/database/sqlite/fsync-queue.ts'
import { type Answer, engines, startVerso, type TestApp, type TestEngine, testContext } from '../../harness/harness.ts'

/** A disk whose flushes a test holds back, lets through or makes fail. */
function heldDisk() {
  const waiting: { through(): void; fail(): void }[] = []
  let isHeld = false
  let asked: () => void = () => undefined
  const flush = (real: OpenFile) => {
    if (!isHeld) return real.datasync()
    asked()
    return new Promise<void>((through, reject) => {
      waiting.push({ through: () => through(real.datasync()), fail: () => reject(Object.assign(new Error('EIO'), { code: 'EIO' })) })
    })
  }
  const end = (how: 'through' | 'fail') => {
    isHeld = false
    for (const each of waiting.splice(0)) each[how]()
  }
  return {
    openFile: (open: (path: string) => Promise<OpenFile>) => async (path: string) => {
      const real = await open(path)
      return { ...real, datasync: () => flush(real) }
    },
    /** From now on no flush ends. Resolves when the next is asked for. */
    hold() {
      isHeld = true
      return new Promise<void>((resolve) => {
        asked = resolve
      })
    },
    letThrough: () => end('through'),
    fail: () => end('fail'),
  }
}

async function startOnHeldDisk(engine: TestEngine, env = {}) {
  const disk = heldDisk()
  const context = testContext()
  const verso = await startVerso(engine, { context: { ...context, openFile: disk.openFile(context.openFile) }, env })
  return { verso, disk }
}

/** Notes answers in the order in which they come. */
function inOrder() {
  const came: string[] = []
  const note = async (name: string, answer: Promise<Answer>) => {
    const { status } = await answer
    came.push(`${name} ${status}`)
    return answer
  }
  return { came, note }
}

const titles = ({ body }: Answer) => body.data.map((post: { title: string }) => post.title).sort()
const listAll = (verso: TestApp) => verso.get('/v1/posts', { key: verso.public })

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe(`what is not on the disk yet, on ${engine.name}`, () => {
    it('leaves the service with no answer: not the write, not a read of it; what was known before is answered at once', async () => {
      const { verso, disk } = await startOnHeldDisk(engine)
      await verso.post('/v1/posts', { title: 'Old', status: 'published' })
      const hot = [await listAll(verso), await listAll(verso)]
      const asked = disk.hold()
      const { came, note } = inOrder()
      const write = note('write', verso.post('/v1/posts', { title: 'New', status: 'published' }))
      await asked
      const cold = note('cold read', verso.get('/v1/posts?sort=title', { key: verso.public }))
      const single = note('single', verso.get('/v1/posts/new', { key: verso.public }))
      const refused = note('refusal', verso.post('/v1/posts', { title: 'x', slug: 'new' }))
      for (let times = 0; times < 10; times++) {
        const answer = await listAll(verso)
        expect([answer.text, answer.headers.get('etag')]).toEqual([hot[1]?.text, hot[0]?.headers.get('etag')])
        const known = { 'if-none-match': answer.headers.get('etag') ?? '' }
        expect((await verso.get('/v1/posts', { key: verso.public, headers: known })).status).toBe(304)
      }
      expect(came).toEqual([])
      disk.letThrough()
      expect((await write).status).toBe(201)
      expect(titles(await cold)).toEqual(['New', 'Old'])
      expect([(await single).status, (await refused).status]).toEqual([200, 409])
      expect(titles(await listAll(verso))).toEqual(['New', 'Old'])
    })

    it('is not shown at the door by what somebody else was about to be answered', async () => {
      const { verso, disk } = await startOnHeldDisk(engine)
      await verso.post('/v1/posts', { title: 'Old', status: 'published' })
      await verso.get('/v1/posts/old', { key: verso.public })
      const asked = disk.hold()
      const write = verso.post('/v1/posts', { title: 'New', status: 'published' })
      await asked
      // Nobody has asked for this list before: the one who does first waits, and whoever comes after it must, too.
      const { came, note } = inOrder()
      const lists = ['first', 'second', 'third'].map((name) => note(name, listAll(verso)))
      for (let times = 0; times < 10; times++) expect((await verso.get('/v1/posts/old', { key: verso.public })).status).toBe(200)
      expect(came).toEqual([])
      disk.letThrough()
      for (const list of lists) expect(titles(await list)).toEqual(['New', 'Old'])
      expect((await write).status).toBe(201)
    })

    it('goes on to be written together: those who come while a flush is under way share the next', async () => {
      const { verso, disk } = await startOnHeldDisk(engine)
      const asked = disk.hold()
      const first = verso.post('/v1/posts', { title: 'One' })
      await asked
      const others = Array.from({ length: 20 }, (_, i) => verso.post('/v1/posts', { title: `Post ${i}` }))
      await verso.get('/healthz')
      disk.letThrough()
      for (const answer of await Promise.all([first, ...others])) expect(answer.status).toBe(201)
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(21)
    })

    it('and never gets there: 503 outcome_unknown for the write, 503 for all that came after it, /readyz 503, /healthz 200', async () => {
      const { verso, disk } = await startOnHeldDisk(engine)
      await verso.post('/v1/posts', { title: 'Old', status: 'published' })
      await listAll(verso)
      const asked = disk.hold()
      const write = verso.post('/v1/posts', { title: 'New', status: 'published' })
      await asked
      const read = verso.get('/v1/posts/new', { key: verso.public })
      disk.fail()
      expect((await write).body).toMatchObject({ status: 503, code: 'outcome_unknown' })
      expect((await read).body).toMatchObject({ status: 503, code: 'database_unavailable' })
      const later = [await verso.post('/v1/posts', { title: 'x' }), await listAll(verso), await verso.get('/v1/posts/new')]
      for (const { body, headers } of later) {
        expect(body).toMatchObject({ status: 503, code: 'database_unavailable' })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await verso.get('/readyz', { key: null })).status).toBe(503)
      expect((await verso.get('/healthz', { key: null })).status).toBe(200)
    })
  })
}

describe('what an earlier process has left in the log', () => {
  /** Starts a service, does something beside it, and starts a second one over the same file. Says what the second did to the log. */
  async function startAgain(beside: (path: string) => void) {
    const engine = engines[0]
    if (engine?.name !== 'SQLite') throw new Error('this is about SQLite')
    const database = await engine.lend()
    const { address } = database
    if (address.kind !== 'sqlite') throw new Error('this is about SQLite')
    const lend = async () => database
    const first = await startVerso({ ...engine, lend })
    await first.post('/v1/posts', { title: 'Old' })
    beside(address.path)
    const before = readFileSync(`${address.path}-wal`)
    const done: string[] = []
    const context = testContext()
    const openFile = async (path: string): Promise<OpenFile> => {
      const real = await context.openFile(path)
      const noting =
        <T>(what: string, work: () => Promise<T>) =>
        async () => {
          const result = await work()
          done.push(what)
          return result
        }
      return { ...real, rewrite: noting('rewritten', real.rewrite), datasync: noting('flushed', real.datasync) }
    }
    const observations = { ...first.app.installation.observations }
    const second = await openInstallation({ database: address, context: { ...context, openFile }, observations })
    onTestFinished(() => second.close())
    await second.engine.serving?.begin()
    return { first, before, after: readFileSync(`${address.path}-wal`), done }
  }

  it('is copied into the database by the next start, and the log begins anew', async () => {
    const { first, before, after, done } = await startAgain(() => undefined)
    expect(before.length).toBeGreaterThan(0)
    expect([after.length, done.includes('rewritten')]).toEqual([0, false])
    expect(titles(await first.get('/v1/posts'))).toEqual(['Old'])
  })

  it('is written again and flushed, each byte as it was, where a reader still needs the log', async () => {
    const { first, before, after, done } = await startAgain((path) => {
      const reader = new Database(path, { readonly: true })
      onTestFinished(() => void reader.close())
      reader.exec('begin')
      reader.prepare('select count(*) from posts').get()
    })
    expect(done.join()).toContain('rewritten,flushed')
    expect(before.length).toBeGreaterThan(0)
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect(titles(await first.get('/v1/posts'))).toEqual(['Old'])
  })
})

describe('which state is on the disk', () => {
  it('is asked of SQLite once in a turn of the event loop, and anew in the next', async () => {
    let foreign = 1
    let asks = 0
    const disk = { datasync: async () => undefined, rewrite: async () => undefined, close: async () => undefined }
    const readForeign = () => {
      asks++
      return foreign
    }
    const flushes = openFlushes({ foreign: readForeign, readable: () => 7, openFile: async () => disk })
    await flushes.flush()
    await new Promise(setImmediate)
    asks = 0
    expect([flushes.flushed(), flushes.flushed(), asks]).toEqual([7, 7, 1])
    foreign = 2
    expect(flushes.flushed()).toBe(7)
    await new Promise(setImmediate)
    expect(flushes.flushed()).toBeUndefined()
  })
})
