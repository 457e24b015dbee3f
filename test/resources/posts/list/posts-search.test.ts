import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertPosts } from '../../../../src/import/post-bulk-store.ts'
import { createPost } from '../../../../src/resources/posts/post.ts'
import { newId } from '../../../../src/values/ids.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { fold } from '../../../../src/values/letters/case-fold.ts'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

const pieces = [
  'a',
  'b',
  'ab',
  'aba',
  ' ',
  '"',
  "'",
  '%',
  '_',
  '\\',
  '*',
  '-',
  '\u0001',
  'ß',
  'SS',
  'Ä',
  'a\u0308',
  'ς',
  'Σ',
  '漢字',
  '😀',
  'HID',
  'TRA',
]
const text = (max: number) => fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: max }).map((parts) => parts.join(''))
const titles = fc.array(fc.record({ title: text(8), status: fc.constantFrom('draft', 'published', 'published', 'archived') }), {
  minLength: 30,
  maxLength: 30,
})

interface Listed {
  readonly id: string
  readonly title: string
  readonly status: string
}

const search = (verso: TestApp, query: string, key = verso.secret) => verso.get(`/v1/posts?fields=title,status&${query}`, { key })
const found = async (verso: TestApp, query: string, key = verso.secret) =>
  (await search(verso, query, key)).body.data.map(({ title }: Listed) => title).join(' ')

for (const engine of engines) {
  describe(`GET /v1/posts?search= on ${engine.name}`, () => {
    it('finds what a look at every title finds, for every key, sort and page', { timeout: 60_000 }, async () => {
      const verso = await startVerso(engine)
      for (const post of fc.sample(titles, { numRuns: 1, seed: 4 })[0] ?? [])
        if (post.title.trim() !== '') await verso.post('/v1/posts', post)
      const all: readonly Listed[] = (await search(verso, 'limit=100')).body.data
      expect(all.length).toBeGreaterThan(20)
      const asked = fc.record({
        text: text(5),
        isPublic: fc.boolean(),
        rest: fc.constantFrom('', '&sort=title', '&limit=2', '&status=published'),
      })
      await fc.assert(
        fc.asyncProperty(asked, async ({ text, isPublic, rest }) => {
          const wanted = all.filter(
            ({ title, status }) => fold(title).includes(fold(text)) && (status === 'published' || !(isPublic || rest.includes('status'))),
          )
          const key = isPublic ? verso.public : verso.secret
          const { body } = await search(verso, `search=${encodeURIComponent(text)}${rest || '&limit=100'}`, key)
          expect(body.pagination.total).toBe(wanted.length)
          const ids = body.data.map(({ id }: Listed) => id)
          const next = body.pagination.nextCursor
          if (next) {
            const more = await search(
              verso,
              `search=${encodeURIComponent(text)}${rest}&limit=100&cursor=${next}`.replace('limit=2&', ''),
              key,
            )
            ids.push(...more.body.data.map(({ id }: Listed) => id))
          }
          expect(ids.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted())
        }),
        { numRuns: 150 },
      )
    })

    it('follows a post through every change: title, status, trash, restore, erasure', async () => {
      const verso = await startVerso(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'Xylophone' })).body
      const both = async (query: string) => [await found(verso, query), await found(verso, query, verso.public)]
      expect(await both('search=xylo')).toEqual(['Xylophone', ''])
      await verso.patch(`/v1/posts/${id}`, { status: 'published' })
      expect(await both('search=xylo')).toEqual(['Xylophone', 'Xylophone'])
      await verso.patch(`/v1/posts/${id}`, { title: 'Marimba', excerpt: 'no xylophone' })
      expect(await both('search=xylo')).toEqual(['', ''])
      expect(await both('search=RIMBA')).toEqual(['Marimba', 'Marimba'])
      await verso.delete(`/v1/posts/${id}`)
      expect(await both('search=rimba')).toEqual(['', ''])
      expect(await found(verso, 'search=rimba&trashed=true')).toBe('Marimba')
      expect(await found(verso, 'search=xylo&trashed=true')).toBe('')
      await verso.post(`/v1/posts/${id}/restore`)
      expect(await both('search=rimba')).toEqual(['Marimba', 'Marimba'])
      await verso.delete(`/v1/posts/${id}?permanent=true`)
      expect(await both('search=rimba')).toEqual(['', ''])
      expect((await verso.post('/v1/posts', { title: 'Marimba' })).status).toBe(201)
      expect(await found(verso, 'search=rimba')).toBe('Marimba')
    })

    it('finds a due post when it is due, and what a batch or an old version brought', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Xylophone', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      expect(await found(verso, 'search=xylo', verso.public)).toBe('')
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect(await found(verso, 'search=xylo', verso.public)).toBe('Xylophone')
      await verso.post('/v1/posts/batch', { operations: [{ op: 'create', body: { title: 'Xylograph' } }] })
      expect(await found(verso, 'search=xylo&sort=title')).toBe('Xylograph Xylophone')
      await verso.patch('/v1/posts/xylograph', { title: 'Woodcut' })
      await verso.post(`/v1/posts/${(await verso.get('/v1/posts/xylograph')).body.id}/revisions/1/restore`)
      expect(await found(verso, 'search=xylo&sort=title')).toBe('Xylograph Xylophone')
    })

    it('keeps projects apart', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      for (const requests of [verso, other, verso]) await requests.post('/v1/posts', { title: 'Xylophone' })
      expect((await search(verso, 'search=xylo')).body.pagination.total).toBe(2)
      expect((await search(verso, 'search=xylo', other.secret)).body.pagination.total).toBe(1)
      const third = await verso.otherProject('third')
      expect((await search(verso, 'search=xylo', third.secret)).body.pagination.total).toBe(0)
    })

    it('goes together with every other filter', async () => {
      const verso = await startVerso(engine)
      const post = { status: 'published', publishedAt: '2025-01-01T00:00:00Z', tags: ['Wood'] }
      await verso.post('/v1/posts', { title: 'Xylophone', ...post })
      await verso.post('/v1/posts', { title: 'Xylograph', ...post, tags: [], publishedAt: '2024-01-01T00:00:00Z' })
      for (const filter of ['tag=wood', 'published_after=2024-06-01T00:00:00Z', 'status=published&tag=wood,none'])
        expect(await found(verso, `search=xylo&${filter}`), filter).toBe('Xylophone')
      for (const filter of ['category=none', 'author=auth_x', 'status=draft', 'updated_after=2027-01-01T00:00:00Z'])
        expect(await found(verso, `search=xylo&${filter}`), filter).toBe('')
    })

    it('finds a title by an index', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Xylophone' })
      verso.statements.length = 0
      await search(verso, 'search=xylo&sort=title')
      if (engine.name === 'SQLite') {
        expect(verso.statements.filter((statement) => statement.includes('search_titles match')).length).toBe(2)
        expect(verso.statements.filter((statement) => statement.includes(' like '))).toEqual([])
        return
      }
      const indexes = sql<{ indexdef: string }>`select indexdef from pg_indexes where indexname = 'posts_title_trigrams'`
      expect((await indexes.execute(verso.app.installation.db)).rows[0]?.indexdef).toContain('gin_trgm_ops')
    })
  })
}

describe('GET /v1/posts?search= of a word that very many titles have', () => {
  it('pages are the same whether posts are walked through or matches fetched', { timeout: 120_000 }, async () => {
    const [sqlite] = engines
    if (!sqlite) throw new Error('there is no engine')
    const verso = await startVerso(sqlite)
    const { engine } = verso.app.installation
    const start = Date.parse('2020-01-01T00:00:00Z')
    const post = (i: number) => {
      const publishedAt = toInstant(new Date(start + i * 60_000))
      const id = newId('post', publishedAt, verso.context.random)
      // The old half has one word more, and none of the newest posts that are walked through has.
      const title = `common ${i < 10_500 ? 'old ' : ''}${i}`
      return createPost(id, { title, slug: `p-${i}`, status: 'published', publishedAt }, toInstant(verso.context.now())).post
    }
    for (let from = 0; from < 16_000; from += 500)
      await engine.write((tx) =>
        insertPosts(
          tx,
          verso.projectId,
          Array.from({ length: 500 }, (_, i) => post(from + i)),
        ),
      )
    const titlesOn = async (query: string) =>
      (await found(verso, query))
        .split(' ')
        .filter((word: string) => /\d/.test(word))
        .join(' ')
    expect(await titlesOn('search=common&limit=3')).toBe('15999 15998 15997')
    expect(await titlesOn('search=common&limit=3&page=5333')).toBe('3 2 1')
    expect(await titlesOn('search=common+old&limit=3')).toBe('10499 10498 10497')
    expect(await titlesOn('search=common&limit=3&sort=published_at')).toBe('0 1 2')
    expect(await titlesOn('search=common&limit=2&sort=title')).toBe('10500 10501')
    expect((await search(verso, 'search=common+old&limit=1', verso.public)).body.pagination.total).toBe(10_500)
    const { nextCursor } = (await search(verso, 'search=common&limit=3')).body.pagination
    expect(await titlesOn(`search=common&limit=2&cursor=${nextCursor}`)).toBe('15996 15995')
    expect(await titlesOn('search=common&limit=2&tag=none')).toBe('')
  })
})
