import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrateDatabase, openEngine } from '../../src/app/installation.ts'
import type { Engine } from '../../src/database/engine.ts'
import { type Migration, migrate, needsReindex, releasedMigrations } from '../../src/database/migrate.ts'
import { up } from '../../src/database/migrations/0001-first-schema.ts'
import { unobserved } from '../../src/values/observations.ts'
import { engines, startVerso, type TestEngine, testContext } from '../harness/harness.ts'
import { addressText, verso as command } from '../harness/program.ts'

/** An empty database of the test's own, opened without a schema. */
async function openEmpty(engine: TestEngine) {
  const { address, drop } = await engine.createEmpty()
  onTestFinished(drop)
  const database = await openEngine(address, testContext(), unobserved)
  onTestFinished(() => database.close())
  return { address, database }
}

const now = () => new Date('2030-01-01T00:00:00Z')

async function migrationsOf({ db }: Engine) {
  return (await sql<{ name: string; reindex: number }>`select name, reindex from migrations order by name`.execute(db)).rows
}

for (const engine of engines)
  describe(`migrating on ${engine.name}`, () => {
    it('verso: a database that was made before the first release is refused in one line, and left as it is', async () => {
      const { address, database } = await openEmpty(engine)
      const old: Migration = { name: '0001-start', up: async () => undefined }
      expect(await migrate(database, now, [old])).toEqual(['0001-start'])
      for (const args of [['serve', '--port', '0'], ['migrate'], ['project', 'list']]) {
        const { code, stdout, stderr } = await command([...args, '--database', addressText(address)])
        expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
        expect(stderr).toMatch(/^error: .*made before the first release of Verso.*Start with an empty database\.$/m)
      }
      expect(await migrationsOf(database)).toEqual([{ name: '0001-start', reindex: 0 }])
    })

    it('a migration that changes what searches go through is marked, until the next start has made the index anew', async () => {
      const { address, database } = await openEmpty(engine)
      expect(await migrate(database, now, [{ name: '0001-first-schema', reindex: true, up }])).toEqual(['0001-first-schema'])
      expect(await needsReindex(database.db)).toBe(true)
      const verso = await startVerso({ ...engine, lend: async () => ({ address, drop: async () => undefined }) })
      expect(await needsReindex(database.db)).toBe(false)

      await verso.post('/v1/posts', { title: 'Red', status: 'published' })
      await database.migrate(async (schema) => {
        await sql`update migrations set reindex = 1`.execute(schema)
        const { invertedIndex } = database.db.engine
        await (invertedIndex === 'fts5'
          ? sql`insert into search_words (search_words) values ('delete-all')`
          : sql`delete from search_words`
        ).execute(schema)
      })
      const found = async (query: string) => (await verso.get(`/v1/posts?total=false&${query}`)).body.data.length
      expect(await found('q=red')).toBe(0)
      expect(await migrateDatabase(address, verso.context)).toEqual([])
      expect([await found('q=red&limit=9'), await needsReindex(database.db)]).toEqual([1, false])
      expect((await migrationsOf(database)).map(({ name }) => name)).toEqual(releasedMigrations.map(({ name }) => name))
    })
  })
