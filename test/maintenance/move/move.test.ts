import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DatabaseAddress } from '../../../src/app/config.ts'
import { openInstallation } from '../../../src/app/installation.ts'
import type { Engine } from '../../../src/database/engine.ts'
import { cancelMove } from '../../../src/maintenance/move/move.ts'
import { unobserved } from '../../../src/values/observations.ts'
import { emptyDatabase, migratedDatabase, serveFrom, startOn } from '../../harness/given-database.ts'
import { engines, type TestEngine, testContext } from '../../harness/harness.ts'
import { everyAnswer, everyRow, failingAt, fillWithOddities, moveFrom, stateOf, withEngine } from './move-fixture.ts'

const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const))

/** Opens a database as `verso serve` and every command but `move` does. */
async function open(database: DatabaseAddress): Promise<void> {
  const installation = await openInstallation({ database, context: testContext(), observations: unobserved })
  await installation.close()
}

async function databases(from: TestEngine, to: TestEngine) {
  return { from: await migratedDatabase(from), to: await emptyDatabase(to) }
}

for (const [fromEngine, toEngine] of pairs)
  describe(`a move from ${fromEngine.name} to ${toEngine.name}`, () => {
    it('keeps every row, answer, ETag and cursor; from then on only the target takes writes', async () => {
      const { from, to } = await databases(fromEngine, toEngine)
      const source = await startOn(from)
      await fillWithOddities(source)
      const keys = [source.secret, source.public]
      const first = await source.get('/v1/posts?limit=3&sort=title')
      const before = await everyAnswer(source, keys)
      const rows = await everyRow(from)
      const { tables } = await moveFrom(from, to)

      expect(await everyRow(to)).toEqual(rows)
      expect(tables.every(({ rows }) => rows > 0)).toBe(true)
      const target = await serveFrom(to, source.context, source.secret)
      expect(await everyAnswer(target, keys)).toEqual(before)
      expect(await everyAnswer(source, keys)).toEqual(before)
      const path = `/v1/posts?limit=3&sort=title&cursor=${first.body.pagination.nextCursor}`
      expect((await target.get(path)).text).toBe((await source.get(path)).text)
      const tag = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
      expect((await target.get('/v1/posts?limit=3&sort=title', tag)).status).toBe(304)

      const refused = await source.post('/v1/posts', { title: 'late' })
      expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable', detail: expect.stringContaining('has moved') } })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(refused.text).not.toMatch(/sqlite|postgres/i)
      const repeated = await target.post('/v1/posts', { title: 'once' }, { headers: { 'idempotency-key': 'once' } })
      expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
      expect((await target.post('/v1/posts', { title: 'on time' })).status).toBe(201)
      expect(await everyAnswer(source, keys)).toEqual(before)
    })

    it('that fails midway opens the source again, leaves a target that says so, and can be begun anew', async () => {
      const { from, to } = await databases(fromEngine, toEngine)
      const source = await startOn(from)
      await fillWithOddities(source)
      const outcomes: string[] = []
      const failing = moveFrom(from, to, { target: failingAt(6), watch: { failed: (outcome) => void outcomes.push(outcome) } })
      await expect(failing).rejects.toThrow('the disk is gone')

      expect(outcomes).toEqual(['reopened'])
      expect((await source.post('/v1/posts', { title: 'meanwhile' })).status).toBe(201)
      expect(await stateOf(to)).toBe('incomplete')
      await expect(open(to)).rejects.toThrow(
        'The database holds an incomplete copy of an installation. Run verso move or verso restore again',
      )
      const rows = await everyRow(from)
      expect(await moveFrom(from, to)).toMatchObject({ targetState: 'partial' })
      expect(await everyRow(to)).toEqual(rows)
      await open(to)
    })

    it('is refused where something is already, and nothing of either side is changed', async () => {
      const { from, to } = await databases(fromEngine, toEngine)
      const source = await startOn(from)
      const other = await startOn(to)
      await other.post('/v1/posts', { title: 'mine' })
      const rows = await everyRow(to)
      await expect(moveFrom(from, to)).rejects.toThrow('holds an installation already; a move needs an empty database.')
      expect(await everyRow(to)).toEqual(rows)
      expect((await source.post('/v1/posts', { title: 'on' })).status).toBe(201)
      expect((await other.post('/v1/posts', { title: 'on' })).status).toBe(201)
    })
  })

describe('a move there and back', () => {
  const [sqlite, ...others] = engines as [TestEngine, ...TestEngine[]]
  it.each(others.map((other) => [other.name, other] as const))('SQLite to %s to SQLite: every row is as it was', async (_, other) => {
    const { from, to } = await databases(sqlite, other)
    const source = await startOn(from)
    await fillWithOddities(source)
    const rows = await everyRow(from)
    const back = await emptyDatabase(sqlite)
    const there = await moveFrom(from, to)
    expect((await moveFrom(to, back)).tables).toEqual(there.tables)
    expect(await everyRow(back)).toEqual(rows)
  })
})

for (const engine of engines)
  describe(`a move on ${engine.name}`, () => {
    /** A database with a few posts, an empty one, and the way to see what becomes of them. */
    async function prepared() {
      const { from, to } = await databases(engine, engine)
      const source = await startOn(from)
      for (const title of ['one', 'two', 'three']) await source.post('/v1/posts', { title, status: 'published' })
      const outcomes: string[] = []
      const watch = { failed: (outcome: string) => void outcomes.push(outcome) }
      return { from, to, source, outcomes, watch, write: async () => (await source.post('/v1/posts', { title: 'more' })).status }
    }

    it('needs an installation, and a target that may have a schema and nothing else', async () => {
      const { from, to } = await prepared()
      await expect(moveFrom(to, from)).rejects.toThrow('holds no installation.')
      expect(await moveFrom(from, to)).toMatchObject({ targetState: 'empty' })
      await expect(moveFrom(from, to)).rejects.toThrow(/has moved to .* already; verso move --cancel would make it take writes again/)
    })

    it('is refused where rows are that no installation has', async () => {
      const { from, to, write } = await prepared()
      await moveFrom(from, to).catch(() => undefined)
      await withEngine(to, (there) => there.alone((tx) => tx.deleteFrom('installation').execute()))
      await withEngine(from, (here) => cancelMove({ engine: here, place: 'here' }, testContext()))
      await expect(moveFrom(from, to)).rejects.toThrow('is not empty: there are rows in its table projects.')
      expect(await write()).toBe(201)
    })

    it('finds the smallest difference when it reads back, and leaves the source open', async () => {
      const { from, to, outcomes, watch, write } = await prepared()
      const tampering = (there: Engine): Engine => ({
        ...there,
        async snapshot(work) {
          await there.alone((tx) => tx.updateTable('posts').set({ excerpt: '' }).where('title', '=', 'two').execute())
          return there.snapshot(work)
        },
      })
      await expect(moveFrom(from, to, { target: tampering, watch })).rejects.toThrow(
        /The copy is not the same: posts has 3 rows with the hash \w{64} instead of 3 rows with the hash \w{64}/,
      )
      expect([outcomes, await write(), await stateOf(to)]).toEqual([['reopened'], 201, 'incomplete'])
    })

    it('that dies when all is copied is finished by the next one, without copying again', async () => {
      const { from, to, outcomes, watch, write } = await prepared()
      let isCopied = false
      const dying = (there: Engine): Engine => ({
        ...there,
        alone: (work) => (isCopied ? Promise.reject(new Error('gone')) : there.alone(work)),
      })
      const noting = {
        ...watch,
        begins: (step: string) => {
          isCopied = step === 'verify'
        },
      }
      await expect(moveFrom(from, to, { target: dying, watch: noting })).rejects.toThrow('gone')
      expect([outcomes, await write(), await stateOf(from), await stateOf(to)]).toEqual([['copied'], 503, 'moved', 'incomplete'])
      expect(await moveFrom(from, to)).toEqual({ targetState: 'copied', tables: [] })
      await open(to)
      expect(await everyRow(to)).toEqual(await everyRow(from))
    })

    it('that dies while it copies leaves a source that is moving, until the next one or --cancel', async () => {
      const { from, to, write, source } = await prepared()
      let end = () => {}
      const dead = (there: Engine): Engine => ({
        ...there,
        alone: () =>
          new Promise((_, reject) => {
            end = () => reject(new Error('gone'))
          }),
      })
      const dying = moveFrom(from, to, { target: dead })
      onTestFinished(async () => {
        end()
        await dying.catch(() => undefined)
      })
      await vi.waitUntil(async () => (await stateOf(from)) === 'moving', { timeout: 30_000 })
      const refused = await source.post('/v1/posts', { title: 'no' })
      expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('is being moved') } })
      expect(await moveFrom(from, to)).toMatchObject({ targetState: 'partial' })
      expect(await withEngine(from, (here) => cancelMove({ engine: here, place: 'here' }, testContext()))).toMatchObject({ state: 'moved' })
      expect(await write()).toBe(201)
      await expect(withEngine(to, (there) => cancelMove({ engine: there, place: 'there' }, testContext()))).resolves.toMatchObject({
        state: 'open',
      })
    })

    it('that is asked to stop opens the source again', async () => {
      const { from, to, outcomes, watch, write } = await prepared()
      let batches = 0
      await expect(moveFrom(from, to, { watch: { ...watch, isStopped: () => ++batches > 3 } })).rejects.toThrow('The move was stopped.')
      expect([outcomes, await write()]).toEqual([['reopened'], 201])
    })

    it('that another one overtakes gives up, and the other one holds', async () => {
      const { from, to, outcomes, watch, write } = await prepared()
      let batches = 0
      const overtaken = (there: Engine): Engine => ({
        ...there,
        async alone(work) {
          if (++batches === 3) expect(await moveFrom(from, to)).toMatchObject({ targetState: 'partial' })
          return there.alone(work)
        },
      })
      await expect(moveFrom(from, to, { target: overtaken, watch })).rejects.toThrow(/given up: another one, or verso move --cancel/)
      expect([outcomes, await write(), await stateOf(from), await stateOf(to)]).toEqual([[], 503, 'moved', 'open'])
      expect(await everyRow(to)).toEqual(await everyRow(from))
    })

    it('that is cancelled meanwhile opens no target', async () => {
      const { from, to, outcomes, watch, write } = await prepared()
      const cancelling = (there: Engine): Engine => ({
        ...there,
        async snapshot(work) {
          await withEngine(from, (here) => cancelMove({ engine: here, place: 'here' }, testContext()))
          return there.snapshot(work)
        },
      })
      await expect(moveFrom(from, to, { target: cancelling, watch })).rejects.toThrow(/given up/)
      expect([outcomes, await write(), await stateOf(to)]).toEqual([[], 201, 'incomplete'])
      await expect(withEngine(to, (there) => cancelMove({ engine: there, place: 'there' }, testContext()))).rejects.toThrow(
        /incomplete copy/,
      )
    })
  })
