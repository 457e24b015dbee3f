import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateDatabase, openEngine } from '../../../src/app/installation.ts'
import { realContext } from '../../../src/context.ts'
import { placements } from '../../../src/database/tables/placements.ts'
import { startOn } from '../../harness/given-database.ts'
import { engines, type TestEngine } from '../../harness/harness.ts'
import { nameOf, runStatement } from '../../harness/postgres-databases.ts'

const silent = { statement: () => undefined, writeBatch: () => undefined, flushFailed: () => undefined }

async function create(engine: TestEngine, kind: 'create' | 'createEmpty') {
  const { address, drop } = await engine[kind]()
  onTestFinished(drop)
  if (address.kind !== 'postgres') throw new Error('Citus is a PostgreSQL')
  return { address, url: address.url }
}

/** The tables with their project that have no shards. */
async function unsharded(url: string): Promise<readonly string[]> {
  const rows = await runStatement(url, `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`)
  const present = await runStatement(
    url,
    `select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  const names = new Set(rows.map(({ name }) => name))
  return present
    .map(({ relname }) => relname)
    .filter((name) => placements[name as keyof typeof placements] === 'with its project' && !names.has(name))
}

/** Tests whose names say PostgreSQL and that are not run on Citus as well. */
const notOnCitus: readonly (readonly [file: string, why: string])[] = [
  [
    'postgres.test.ts',
    'asks for plans, locks and lost connections of one server, and for a pool of one connection, of which Citus needs two',
  ],
  ['postgres-start.test.ts', 'has the answers of a server that cannot be used; the program does not come as far as to see Citus'],
  ['postgres-groups.test.ts', 'locks rows of all projects from outside with one statement, which Citus refuses'],
  ['postgres-look-ups.test.ts', 'is about one statement that looks up keys and their projects; a sharded database is asked in two'],
  ['schema.test.ts', 'compares the schema with that of SQLite, and asks the server of the tests how it sorts'],
  ['differential.test.ts', 'compares SQLite and PostgreSQL answer by answer; every test of the API runs on Citus instead'],
  ['move-blogs.test.ts', 'moves real blogs, which takes long; move.test.ts moves to Citus and back'],
  ['sealed-secrets.test.ts', 'is refused by its settings, before the database is opened'],
  ['plan-query.test.ts', 'has the statement of a list, which is the same'],
]

// They run where `VERSO_TEST_CITUS` names a coordinator.
const citus = engines.filter(({ name }) => name === 'Citus')

if (citus.length === 0) it.skip('a sharded database is asked one server at a time: VERSO_TEST_CITUS names no Citus')
else it.skip.each(notOnCitus)('%s is not run on Citus: it %s', () => undefined)
for (const engine of citus)
  describe(`a database sharded with ${engine.name}`, () => {
    it('304, one post, a list and a new post: every statement is sent to one shard, by the count of Citus itself', async () => {
      const { address, url } = await create(engine, 'create')
      await runStatement(url, `alter database ${nameOf(url)} set citus.enable_stat_counters = on`)
      const verso = await startOn(address)
      await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      const etag = (await verso.get('/v1/posts')).headers.get('etag') ?? ''
      const counted = async () => {
        const [row] = await runStatement(
          url,
          `select query_execution_single_shard::int as single, query_execution_multi_shard::int as multi from citus_stat_counters where name = current_database()`,
        )
        return { single: Number(row?.single), multi: Number(row?.multi) }
      }
      const asks: readonly (readonly [
        what: string,
        status: number,
        most: number,
        ask: (n: number) => Promise<{ readonly status: number }>,
      ])[] = [
        ['a list that has not changed', 304, 1, () => verso.get('/v1/posts', { headers: { 'if-none-match': etag } })],
        ['one post', 200, 2, () => verso.get('/v1/posts/one')],
        ['a list', 200, 4, (n) => verso.get(`/v1/posts?tag=a&published_before=2020-01-01T00:00:${10 + n}Z`)],
        ['a new post', 201, 9, (n) => verso.post('/v1/posts', { title: `New ${n}` })],
      ]
      for (const [what, status, most, ask] of asks) {
        const before = await counted()
        for (let n = 0; n < 10; n++) expect((await ask(n)).status, what).toBe(status)
        const after = await counted()
        expect(after.multi - before.multi, what).toBe(0)
        expect(after.single - before.single, what).toBeGreaterThanOrEqual(10)
        expect(after.single - before.single, what).toBeLessThanOrEqual(10 * most)
      }
    })

    it('verso shard of a filled database keeps every row; again, it changes nothing; a migration shards what it adds', async () => {
      const { address, url } = await create(engine, 'createEmpty')
      await migrateDatabase(address, realContext)
      expect((await unsharded(url)).length).toBeGreaterThan(15)
      const before = await startOn(address)
      for (const title of ['One', 'Two']) await before.post('/v1/posts', { title, tags: ['a'] })
      await before.app.stop()
      const shard = async () => {
        const there = await openEngine(address, realContext, silent)
        return (await there.sharding?.shard().finally(() => there.close())) ?? []
      }
      expect((await shard()).length).toBeGreaterThan(15)
      expect(await unsharded(url)).toEqual([])
      expect(await shard()).toEqual([])
      expect((await runStatement(url, 'select title from posts order by title')).map(({ title }) => title)).toEqual(['One', 'Two'])
      await runStatement(url, 'drop table rate_windows')
      await runStatement(
        url,
        'create table rate_windows (project_id text collate "C" not null, id text not null, primary key (project_id, id))',
      )
      expect(await unsharded(url)).toEqual(['rate_windows'])
      expect(await migrateDatabase(address, realContext)).toEqual([])
      expect(await unsharded(url)).toEqual([])
    })
  })
