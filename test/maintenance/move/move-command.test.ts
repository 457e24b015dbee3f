import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import type { DatabaseAddress } from '../../../src/app/config.ts'
import { placeOf } from '../../../src/cli/database-side.ts'
import { emptyDatabase, migratedDatabase, startOn } from '../../harness/given-database.ts'
import { engines, requestsTo, type TestApp } from '../../harness/harness.ts'
import { addressText, type Ended, serve, start, temporaryFolder, verso } from '../../harness/program.ts'
import { everyRow, stateOf, withEngine } from './move-fixture.ts'

const pairs = engines.flatMap((from) => engines.filter((to) => to !== from).map((to) => [from, to] as const))
/** So many that a move of them is still under way when it is looked at. */
const manyRows = 150_000

/** Fills a table that refers to nothing. */
async function fillWithRows({ app, projectId }: TestApp): Promise<void> {
  await app.installation.engine.write((tx) =>
    sql`insert into contents (project_id, post_id, hash, body)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(manyRows)})
      select cast(${projectId} as text), 'post_' || cast(i as text), 'h', 'a text of some length, and a number: ' || cast(i as text) from n`.execute(
      tx,
    ),
  )
}

async function copiedRows(database: DatabaseAddress): Promise<number> {
  return withEngine(database, async ({ db }) => (await sql`select 1 from contents limit 10000`.execute(db)).rows.length)
}

/** `verso move` from one database to another. */
function move(from: DatabaseAddress, to: DatabaseAddress, ...more: string[]): Promise<Ended> {
  return verso(moveArgs(from, to, ...more))
}

function moveArgs(from: DatabaseAddress, to: DatabaseAddress, ...more: string[]): string[] {
  return ['move', '--database', addressText(from), '--to', addressText(to), ...more]
}

for (const [fromEngine, toEngine] of pairs)
  describe(`verso move from ${fromEngine.name} to ${toEngine.name}`, () => {
    async function databases() {
      return { from: await migratedDatabase(fromEngine), to: await emptyDatabase(toEngine) }
    }

    /** Starts a move of many rows and waits until some of them are copied. */
    async function underWay() {
      const { from, to } = await databases()
      const source = await startOn(from)
      await fillWithRows(source)
      const moving = start(moveArgs(from, to))
      await vi.waitUntil(async () => (await stateOf(from)) === 'moving', { timeout: 20_000 })
      await vi.waitUntil(async () => (await copiedRows(to)) > 0, { timeout: 20_000 })
      return { from, to, source, moving }
    }

    it('killed midway: the target says so and is not served, the source is read only, and the same command begins anew', async () => {
      const { from, to, source, moving } = await underWay()
      moving.signal('SIGKILL')
      expect((await moving.ended).code).toBe(null)
      expect(await copiedRows(to)).toBeGreaterThan(0)
      const refused = await verso(['serve', '--database', addressText(to), '--port', '0'])
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr:
          'error: The database holds an incomplete copy of an installation. Run verso move or verso restore again, or go on with the database it came from.\n',
      })
      expect((await source.post('/v1/posts', { title: 'no' })).body.detail).toContain('is being moved')
      expect((await source.get('/v1/posts')).status).toBe(200)

      const again = await move(from, to)
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(`has moved from ${placeOf(from)} to ${placeOf(to)}.`) })
      expect(again.stderr).toBe(`Removed the remains of an interrupted move from ${placeOf(to)}.\n`)
      expect(await everyRow(to)).toEqual(await everyRow(from))
      const served = await serve(addressText(to))
      expect((await requestsTo(served.url, source.secret).post('/v1/posts', { title: 'yes' })).status).toBe(201)
    })

    it('SIGINT midway: it stops between two batches, exit code 1, and the source takes writes again', async () => {
      const { to, source, moving } = await underWay()
      moving.signal('SIGINT')
      const { code, stdout, stderr } = await moving.ended
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^Stopping .*\n.* takes writes again\.\nerror: The move was stopped\.\n$/)
      expect((await source.post('/v1/posts', { title: 'yes' })).status).toBe(201)
      expect(await stateOf(to)).toBe('incomplete')
    })

    it('under load: every post that was acknowledged is in the target, and no other', async () => {
      const { from, to } = await databases()
      const source = await startOn(from)
      const acknowledged: string[] = []
      const refusals: string[] = []
      const write = async () => {
        while (refusals.length === 0) {
          const { status, body } = await source.post('/v1/posts', { title: 'the same title', status: 'published' })
          if (status === 201) acknowledged.push(body.id)
          else refusals.push(body.code)
        }
      }
      const writers = Array.from({ length: 6 }, write)
      await vi.waitUntil(() => acknowledged.length > 20, { timeout: 20_000 })
      expect(await move(from, to, '--json')).toMatchObject({ code: 0, stderr: '' })
      await Promise.all(writers)

      expect(new Set(refusals)).toEqual(new Set(['database_unavailable']))
      const found = await withEngine(to, ({ db }) => db.selectFrom('posts').select('id').orderBy('id').execute())
      expect(found.map(({ id }) => id)).toEqual(acknowledged.toSorted())
      expect(await verso(['check', '--database', addressText(to)])).toMatchObject({ code: 0 })
    })

    it('says what it did, as JSON where asked, and nothing that a password stands in; --cancel opens the source', async () => {
      const { from, to } = await databases()
      const source = await startOn(from)
      await source.post('/v1/posts', { title: 'one' })
      const moved = await move(from, to, '--json')
      expect([moved.code, moved.stderr]).toEqual([0, ''])
      const { tables, ...places } = JSON.parse(moved.stdout)
      expect(places).toEqual({ from: placeOf(from), to: placeOf(to) })
      expect(tables).toContainEqual({ table: 'posts', rows: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
      expect(moved.stdout).not.toContain('@')

      expect(await move(from, to)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: .* has moved to .* already; .*\n$/),
      })
      expect(await move(to, from)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: .* holds an installation already; .*\n$/),
      })
      const create = ['author', 'create', 'Ada', '--database', addressText(from)]
      expect(await verso(create)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: The installation has moved .*\n$/),
      })
      expect(await verso(['author', 'list', '--database', addressText(from)])).toMatchObject({ code: 0 })
      const cancelled = await verso(['move', '--cancel', '--database', addressText(from)])
      expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/ takes writes\.\nSo does the copy in .*never both\.\n$/) })
      expect(await verso(create)).toMatchObject({ code: 0 })
    })
  })

describe('verso move', () => {
  it('wrong usage: exit code 2 and one line', async () => {
    const cwd = temporaryFolder()
    for (const args of [[], ['--to', 'nowhere'], ['--to', 'sqlite:a.db', '--cancel'], ['--to', 'sqlite:a.db'], ['--from', 'sqlite:a.db']]) {
      const { code, stdout, stderr } = await verso(['move', ...args], { cwd })
      expect([args, code, stdout, stderr]).toEqual([args, 2, '', expect.stringMatching(/^error: [^\n]+\n/)])
      expect(stderr).not.toContain('VERSO_DATABASE')
    }
  })

  it('helps, with examples', async () => {
    const { code, stdout } = await verso(['move', '--help'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/--to <address>.*--cancel.*Examples:.*verso move --to postgres/s)])
  })

  it('stops a service on what has moved in order, exit code 0', async () => {
    const cwd = temporaryFolder()
    const source = await serve('sqlite:a.db', { cwd })
    const secret = /verso_live_\w+/.exec(source.stdout())?.[0] ?? ''
    expect((await verso(['move', '--database', 'sqlite:a.db', '--to', 'sqlite:b.db'], { cwd })).code).toBe(0)
    expect((await requestsTo(source.url, secret).get('/v1/posts')).status).toBe(200)
    source.signal('SIGTERM')
    expect((await source.ended).code).toBe(0)
    const again = await serve('sqlite:a.db', { cwd })
    expect((await requestsTo(again.url, secret).get('/v1/posts')).status).toBe(200)
    expect(again.stderr()).toContain('"this installation has moved to sqlite:')
  })

  it('names a database without user, password and parameters', () => {
    const limits = { poolSize: 1, statementTimeoutMs: 1, lockTimeoutMs: 1, prepare: true, clock: 'database' } as const
    const url = 'postgres://someone:p%40ss@db.example.com:5433/verso?sslmode=require&password=p%40ss'
    expect(placeOf({ kind: 'postgres', url, ...limits })).toBe('postgres://db.example.com:5433/verso')
    expect(placeOf({ kind: 'sqlite', path: '/data/verso.db' })).toBe('sqlite:/data/verso.db')
  })
})
