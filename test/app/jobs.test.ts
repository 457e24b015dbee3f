import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'

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
