import { describe, expect, it } from 'vitest'
import type { Action } from '../../../../src/actions/action.ts'
import { operator } from '../../../../src/actions/caller.ts'
import { insertPosts } from '../../../../src/import/post-bulk-store.ts'
import { createPost, type Status } from '../../../../src/resources/posts/post.ts'
import { logPostChanges } from '../../../../src/resources/posts/post-write.ts'
import { newId } from '../../../../src/values/ids.ts'
import { type Instant, toInstant } from '../../../../src/values/instant.ts'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

/** Beyond 2,000 posts, pages are come by in leaps of whole days. */
const many = 2_700
/** The last two of ten. */
const hidden = ['archived', 'draft'] as const

const fill: Action<{ readonly from: number; readonly to: number }, void> = {
  name: 'test.fill',
  async run(tx, caller, { from, to }, random) {
    const written = Array.from({ length: to - from }, (_, n) => {
      const i = from + n
      const status: Status = hidden[(i % 10) - 8] ?? 'published'
      const publishedAt = status === 'draft' || i % 40 === 8 ? null : dateOf(i)
      const edits = { title: `Post ${i}`, slug: `post-${i}`, status, publishedAt }
      return { before: undefined, change: createPost(newId('post', caller.now, random), edits, caller.now) }
    })
    const posts = written.map(({ change }) => change.post)
    await insertPosts(tx, caller.projectId, posts)
    await logPostChanges(tx, caller, written)
  },
}

/** Nine days, one of them with half of all, its posts at its first and last moment. */
function dateOf(i: number): Instant {
  const day = i % 2 ? '2026-01-05' : `2026-01-0${1 + (i % 9)}`
  return `${day}${i % 3 ? 'T00:00:00.000Z' : 'T23:59:59.999Z'}` as Instant
}

async function idsOn(verso: TestApp, query: string, key: string, page: number): Promise<readonly string[]> {
  const { body } = await verso.get(`/v1/posts?fields=id&limit=100&page=${page}${query}`, { key })
  return body.data.map(({ id }: { id: string }) => id)
}

async function allIds(verso: TestApp, query: string, key: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await verso.get(`/v1/posts?fields=id&limit=100${query}${cursor}`, { key })
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.pagination.nextCursor) return ids
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

for (const engine of engines)
  describe(`pages far down a list on ${engine.name}`, { timeout: 120_000 }, () => {
    it('have the posts that are there by cursor', async () => {
      const verso = await startVerso(engine)
      const caller = operator(verso.projectId, 'cli', toInstant(verso.context.now()))
      for (let from = 0; from < many; from += 300) await verso.app.installation.perform(fill, caller, { from, to: from + 300 })
      await verso.app.installation.engine.analyze?.()
      const lists = [
        ['', verso.secret],
        ['&status=published,archived', verso.secret],
        ['&status=archived,draft,published', verso.secret],
        ['&sort=published_at', verso.secret],
        ['', verso.public],
      ] as const
      for (const [query, key] of lists) {
        const ids = await allIds(verso, query, key)
        const last = Math.ceil(ids.length / 100) + 1
        for (const page of [20, 21, 22, 24, 27, last].filter((each) => each <= last)) {
          expect(await idsOn(verso, query, key, page), `${query} page ${page}`).toEqual(ids.slice((page - 1) * 100, page * 100))
        }
      }
    })
  })
