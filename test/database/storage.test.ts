import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/actions/action.ts'
import { operator } from '../../src/actions/caller.ts'
import { toInstant } from '../../src/values/instant.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'
import { rowCounts } from '../harness/rows.ts'

/** Sets how many pages the database may have; it never becomes smaller than it is, so 1 means that no page is left. */
async function allowPages(verso: TestApp, pages: number): Promise<void> {
  const limit: Action<null, void> = {
    name: 'test.allowPages',
    async run(tx) {
      await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx)
    },
  }
  await verso.app.installation.perform(limit, operator(verso.projectId, 'cli', toInstant(verso.context.now())), null)
}

const plenty = 1_000_000
const big = { content: 'x'.repeat(100_000) }

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe(`a full disk under ${engine.name}`, () => {
    it('POST and PATCH: 503 storage_full with Retry-After, nothing is half-written, and it mends by itself', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      const counts = await rowCounts(verso.app)
      await allowPages(verso, 1)
      const answers = [
        await verso.post('/v1/posts', { title: 'Two', ...big, tags: ['b'] }),
        await verso.patch('/v1/posts/one', { title: 'Two', slug: 'two', tags: ['c'], ...big }),
      ]
      for (const answer of answers) {
        expect(answer.body).toMatchObject({ status: 503, code: 'storage_full' })
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(await rowCounts(verso.app)).toEqual(counts)
      expect((await verso.get('/v1/posts/one')).body).toEqual(post)
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(1)
      await allowPages(verso, plenty)
      expect((await verso.patch('/v1/posts/one', big)).body.version).toBe(2)
    })

    it('due posts that cannot be published: reads go on with the last settled state, /readyz says so, and the log once, and it mends by itself', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      const logged = () => lines.map((line) => JSON.parse(line).msg).filter((text) => text.startsWith('due posts'))
      await verso.post('/v1/posts', { title: 'There', status: 'published' })
      const scheduled = { status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z', excerpt: 'é'.repeat(1_000) }
      for (let i = 0; i < 10; i++) await verso.post('/v1/posts', { title: `Due ${i}`, ...scheduled })
      await allowPages(verso, 1)
      verso.context.travelTo('2026-06-02T00:00:01Z')
      const checks = async () => (await verso.get('/readyz')).body.checks
      expect(await checks()).toEqual({ database: 'ok', scheduling: 'ok' })
      for (const key of [verso.public, verso.secret]) {
        const list = await verso.get('/v1/posts?sort=slug', { key })
        expect([list.status, list.body.pagination.total]).toEqual([200, key === verso.public ? 1 : 11])
        expect((await verso.get('/v1/posts/there', { key })).status).toBe(200)
      }
      expect((await verso.get('/v1/posts/due-3')).body).toMatchObject({ status: 'scheduled', version: 1 })
      expect((await verso.get('/v1/posts/due-3', { key: verso.public })).status).toBe(404)
      expect(await checks()).toEqual({ database: 'ok', scheduling: 'failing' })
      expect((await verso.get('/readyz')).status).toBe(200)
      await verso.app.jobs.find((job) => job.name === 'settle')?.runOnce()
      expect(await checks()).toEqual({ database: 'ok', scheduling: 'failing' })
      expect(logged()).toEqual(['due posts could not be published; reads continue without them'])
      await allowPages(verso, plenty)
      expect((await verso.get('/v1/posts', { key: verso.public })).body.pagination.total).toBe(11)
      expect(logged().slice(1)).toEqual(['due posts are published again'])
      expect(await checks()).toEqual({ database: 'ok', scheduling: 'ok' })
      const { changes } = await rowCounts(verso.app)
      expect(changes).toBe(21)
    })
  })
}
