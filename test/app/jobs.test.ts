import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { jobOf } from '../resources/webhooks/receiver.ts'

const [sqlite] = engines

/** Tables that grow with what people write. */
const large = '(posts|contents|revisions|post_tags|changes|webhook_deliveries|search_posts)'
const wholeIndex = new RegExp(`^(SCAN ${large}|SEARCH ${large} USING( COVERING)? INDEX \\w+$)`)
/** These indexes have what is still to be done, and nothing else. */
const ofWork = /INDEX (posts_due|webhook_deliveries_open)/

describe('jobs on SQLite', () => {
  it('read what is to be done, and never go through everything', async () => {
    if (!sqlite) throw new Error('SQLite is not among the engines')
    const verso = await startVerso(sqlite)
    await verso.post('/v1/posts', { title: 'Later', status: 'scheduled', scheduledFor: '2027-01-01T00:00:00Z' })
    verso.statements.length = 0
    for (const job of verso.app.jobs) await job.runOnce()
    const queries = [...new Set(verso.statements)].filter((text) => new RegExp(`^\\s*(select|update|delete)[^]*${large}`).test(text))
    expect(queries.length).toBeGreaterThan(4)
    const slow: string[] = []
    for (const query of queries) {
      const plan = sql<{ detail: string }>`explain query plan ${sql.raw(query.replaceAll('?', "'1'"))}`
      const { rows } = await plan.execute(verso.app.installation.db)
      slow.push(...rows.filter(({ detail }) => wholeIndex.test(detail) && !ofWork.test(detail)).map(({ detail }) => `${detail}: ${query}`))
    }
    expect(slow).toEqual([])
  })
})

for (const engine of engines)
  describe(`the use of keys on ${engine.name}`, () => {
    it('is kept until it can be stored', async () => {
      const verso = await startVerso(engine)
      const { db, engine: opened } = verso.app.installation
      const become = (state: 'open' | 'moved') => opened.alone((tx) => tx.updateTable('installation').set({ state }).execute())
      expect((await verso.get('/v1/posts')).status).toBe(200)
      await become('moved')
      await expect(jobOf(verso, 'key-use')).rejects.toThrow()
      await become('open')
      await jobOf(verso, 'key-use')
      const keys = await db.selectFrom('api_keys').select(['kind', 'last_used_at']).execute()
      expect(keys.find(({ kind }) => kind === 'secret')?.last_used_at).toBe(verso.context.now().toISOString())
    })
  })

for (const engine of engines)
  it(`GET /readyz: reads one project of all, on ${engine.name}`, async () => {
    const verso = await startVerso(engine)
    await verso.otherProject('other')
    verso.statements.length = 0
    expect((await verso.get('/readyz', { key: null })).status).toBe(200)
    expect(verso.statements).toEqual([expect.stringMatching(/from "projects" limit /)])
  })
