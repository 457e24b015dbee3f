import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInstallation } from '../../src/maintenance/check/check-installation.ts'
import { reindex } from '../../src/search/reindex.ts'
import { fold } from '../../src/values/letters/case-fold.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'

const pieces = [
  'red',
  'Blue',
  'GREEN',
  'straße',
  'e\u0301t\u00e9',
  '42',
  '漢',
  '字',
  ' ',
  ' ',
  ' ',
  '-',
  "'",
  '"',
  '*',
  ':',
  'AND',
  'NOT',
  '\u0001',
  '😀',
]
const text = (max: number) => fc.array(fc.constantFrom(...pieces), { maxLength: max }).map((parts) => parts.join(''))
const posts = fc.array(
  fc.record({
    title: text(4).map((title) => `x${title}`.trim()),
    excerpt: fc.option(text(5)),
    content: text(12),
    status: fc.constantFrom('draft', 'published', 'published', 'archived'),
  }),
  { minLength: 30, maxLength: 30 },
)

const filter = fc.constantFrom<Filter>(
  { query: '', passes: () => true },
  { query: '&status=published', passes: ({ status }) => status === 'published' },
  { query: '&published_after=2025-01-05T00:00:00Z', passes: ({ publishedAt }) => (publishedAt ?? '') >= '2025-01-05' },
)

interface Filter {
  readonly query: string
  passes(post: Listed): boolean
}

interface Listed {
  readonly id: string
  readonly title: string
  readonly excerpt: string | null
  readonly content: string
  readonly status: string
  readonly publishedAt: string | null
}

/** What a text must have, of which blanks and signs part words and each two Chinese letters are one; found without any index. */
const asked = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}\p{M}漢字]+|(?<=[漢字])(?=[^漢字])|(?<=[^漢字])(?=[漢字])/u)
    .flatMap((word) => (/^[漢字]{2,}$/.test(word) ? [...word].slice(1).map((letter, i) => `${[...word][i]}${letter}`) : word))
    .filter((word) => word !== '')
const holds = (text: string, word: string) => (/[漢字]/.test(word) ? fold(text).includes(word) : asked(text).includes(word))

/** By which field a post is found; none where it is not. */
function fieldOf({ title, excerpt, content }: Listed, words: readonly string[]): number | undefined {
  const fields = [title, excerpt ?? '', content]
  const best = fields.findIndex((field) => words.every((word) => holds(field, word)))
  if (best >= 0) return best
  return words.every((word) => fields.some((field) => holds(field, word))) ? 3 : undefined
}

const ask = (verso: TestApp, query: string, key = verso.secret) => verso.get(`/v1/posts?${query}`, { key })
const found = async (verso: TestApp, query: string, key = verso.secret) =>
  (await ask(verso, query, key)).body.data.map(({ title }: Listed) => title).join(' ')

for (const engine of engines) {
  describe(`GET /v1/posts?q= on ${engine.name}`, () => {
    it('finds what a look at every word finds, the best field first, for every key, page and cursor', { timeout: 60_000 }, async () => {
      const verso = await startVerso(engine)
      for (const [i, post] of (fc.sample(posts, { numRuns: 1, seed: 7 })[0] ?? []).entries()) {
        const publishedAt = `2025-01-${String(1 + (i % 9)).padStart(2, '0')}T00:00:00Z`
        await verso.post('/v1/posts', { ...post, ...(post.status !== 'draft' && { publishedAt }) })
      }
      const all: readonly Listed[] = (await ask(verso, 'limit=100')).body.data
      expect(all.length).toBe(30)
      await fc.assert(
        fc.asyncProperty(text(4), fc.boolean(), fc.integer({ min: 1, max: 9 }), filter, async (text, isPublic, limit, filter) => {
          const words = asked(text)
          const matches = all.flatMap((post) => {
            const isListed = (post.status === 'published' || !isPublic) && filter.passes(post)
            const field = words.length > 0 && isListed ? fieldOf(post, words) : undefined
            return field === undefined ? [] : [{ ...post, field }]
          })
          const order = ({ field, publishedAt, id }: Listed & { field: number }) => [9 - field, publishedAt ?? '', id].join(' ')
          const ids = matches.toSorted((a, b) => (order(a) < order(b) ? 1 : -1)).map(({ id }) => id)
          const key = isPublic ? verso.public : verso.secret
          const query = `q=${encodeURIComponent(text)}&limit=${limit}${filter.query}`
          if (text === '') return
          const { body } = await ask(verso, query, key)
          expect(body.pagination.total).toBe(ids.length)
          const got = body.data.map(({ id }: Listed) => id)
          const second = (await ask(verso, `${query}&page=2`, key)).body.data.map(({ id }: Listed) => id)
          const { nextCursor } = body.pagination
          if (nextCursor)
            expect((await ask(verso, `${query}&cursor=${nextCursor}`, key)).body.data.map(({ id }: Listed) => id)).toEqual(second)
          expect([...got, ...second]).toEqual(ids.slice(0, 2 * limit))
        }),
        { numRuns: 120 },
      )
    })

    it('200, empty and at most 200 characters: as `search`; words that are none find nothing; 400 beyond', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      expect((await ask(verso, 'q=')).body.pagination.total).toBe(1)
      expect((await ask(verso, 'q=!!!')).body.pagination.total).toBe(0)
      expect((await ask(verso, `q=${encodeURIComponent('漢字'.repeat(100))}`)).body.pagination.total).toBe(0)
      expect((await ask(verso, `q=${'a+'.repeat(99)}one`)).status).toBe(400)
      expect((await ask(verso, `q=${'a'.repeat(201)}`)).body.errors).toMatchObject([{ parameter: 'q', code: 'too_long' }])
      expect((await ask(verso, 'q=a&q=b')).body.errors).toMatchObject([{ parameter: 'q', code: 'repeated' }])
    })

    it('a sort of its own comes before the best field, and a cursor belongs to one of the two', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'B', content: 'red' })
      await verso.post('/v1/posts', { title: 'Red', content: 'x' })
      await verso.post('/v1/posts', { title: 'A', excerpt: 'red' })
      expect(await found(verso, 'q=red')).toBe('Red A B')
      expect(await found(verso, 'q=red&sort=title')).toBe('A B Red')
      const { nextCursor } = (await ask(verso, 'q=red&limit=1')).body.pagination
      expect(await found(verso, `q=red&limit=1&cursor=${nextCursor}`)).toBe('A')
      expect((await ask(verso, `q=red&sort=-published_at&cursor=${nextCursor}`)).body.code).toBe('invalid_cursor')
    })

    it('goes together with every other filter', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Xylophone', content: 'wood', tags: ['Music'], status: 'published' })
      await verso.post('/v1/posts', { title: 'Chair', content: 'wood' })
      expect(await found(verso, 'q=wood&tag=music')).toBe('Xylophone')
      expect(await found(verso, 'q=wood&search=hai')).toBe('Chair')
      expect(await found(verso, 'q=wood&status=draft')).toBe('Chair')
      expect(await found(verso, 'q=wood&published_after=2020-01-01T00:00:00Z')).toBe('Xylophone')
      expect(await found(verso, 'q=wood&updated_after=2030-01-01T00:00:00Z')).toBe('')
      expect((await ask(verso, 'q=wood&status=draft', verso.public)).status).toBe(403)
    })

    it('follows a post through every change: fields, status, trash, restore, old versions, erasure', async () => {
      const verso = await startVerso(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'One', content: 'red' })).body
      const both = async (q: string) => [await found(verso, `q=${q}`), await found(verso, `q=${q}`, verso.public)]
      expect(await both('red')).toEqual(['One', ''])
      await verso.patch(`/v1/posts/${id}`, { status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      expect(await both('red')).toEqual(['One', ''])
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect(await both('red')).toEqual(['One', 'One'])
      await verso.patch(`/v1/posts/${id}`, { content: 'blue', excerpt: 'green' })
      expect([await both('red'), await both('blue+green')]).toEqual([
        ['', ''],
        ['One', 'One'],
      ])
      await verso.patch(`/v1/posts/${id}`, { excerpt: null, title: 'Two' })
      expect([await both('green'), await both('two')]).toEqual([
        ['', ''],
        ['Two', 'Two'],
      ])
      await verso.delete(`/v1/posts/${id}`)
      expect([await both('two'), await found(verso, 'q=blue&trashed=true')]).toEqual([['', ''], 'Two'])
      await verso.post(`/v1/posts/${id}/restore`)
      await verso.post(`/v1/posts/${id}/revisions/1/restore`)
      expect([await both('red'), await both('blue')]).toEqual([
        ['One', 'One'],
        ['', ''],
      ])
      await verso.delete(`/v1/posts/${id}?permanent=true`)
      expect([await both('red'), await found(verso, 'q=red&trashed=true')]).toEqual([['', ''], ''])
    })

    it('a write that is undone leaves no words behind', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts?dry_run=true', { title: 'Dry' })
      const operations = [
        { op: 'create', body: { title: 'Good' } },
        { op: 'create', body: { title: 'Bad', authorId: 'auth_0' } },
      ]
      await verso.post('/v1/posts/batch', { operations })
      expect([await found(verso, 'q=dry'), await found(verso, 'q=good')]).toEqual(['', ''])
      await verso.post('/v1/posts/batch', { operations, atomic: false })
      expect([await found(verso, 'q=good'), await found(verso, 'q=bad')]).toEqual(['Good', ''])
    })

    it('holds the first 100,000 characters of a content', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Long', content: `${'é '.repeat(49_998)}ten beyond` })
      expect([await found(verso, 'q=ten'), await found(verso, 'q=beyond')]).toEqual(['Long', ''])
    })

    it('holds the first 40,000 different words of a content', async () => {
      const verso = await startVerso(engine)
      // Every letter is a word, and so is every pair.
      const letters = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(0x4e00 + i))
      const backwards = letters.toReversed()
      await verso.post('/v1/posts', { title: 'Many', content: `early ${letters.join('')}${backwards.join('')} late` })
      expect([await found(verso, 'q=early'), await found(verso, 'q=late')]).toEqual(['Many', ''])
    })

    it('201 for a letter with 25,600 marks, and is found by what is beside it', async () => {
      const verso = await startVerso(engine)
      // Not to be compressed: what an index of PostgreSQL takes is limited after compression.
      const bytes = Array.from({ length: 400 }, (_, i) => [...createHash('sha512').update(`${i}`).digest()]).flat()
      const marks = String.fromCharCode(...bytes.map((byte) => 0x300 + (byte % 64)))
      expect((await verso.post('/v1/posts', { title: 'Marked', content: `漢${marks}字 a${marks} blue` })).status).toBe(201)
      expect(await found(verso, 'q=blue')).toBe('Marked')
    })

    it('keeps projects apart', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      for (const requests of [verso, other, verso]) await requests.post('/v1/posts', { title: 'Red' })
      expect((await ask(verso, 'q=red')).body.pagination.total).toBe(2)
      expect((await ask(verso, 'q=red', other.secret)).body.pagination.total).toBe(1)
    })

    it('verso check finds a post that the index lacks or has another way, and verso migrate --reindex makes it right', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'Red', content: 'blue', status: 'published' })
      await verso.post('/v1/posts', { title: 'Green' })
      const { engine: database } = verso.app.installation
      const findings = async () => {
        const found: string[] = []
        for await (const finding of checkInstallation(database)) found.push(finding)
        return found
      }
      const remedy = 'verso migrate --reindex makes the index anew'
      expect(await findings()).toEqual([])
      const isTable = database.db.engine.invertedIndex === 'fts5'
      await database.write((tx) =>
        (isTable
          ? sql`delete from search_words where rowid = (select number from search_posts where id = ${post.id})`
          : sql`update search_words set digest = 'another' where id = ${post.id}`
        ).execute(tx),
      )
      expect(await findings()).toEqual([`${post.id} cannot be found by its words; ${remedy}`])
      if (isTable) {
        await database.write((tx) => sql`update search_posts set status = 'draft' where id = ${post.id}`.execute(tx))
        expect(await findings()).toContain(`${post.id} is not as searches know it; ${remedy}`)
      }
      await reindex(database)
      expect(await findings()).toEqual([])
      for (const query of ['q=blue', 'search=red', 'q=red&sort=title'])
        expect(await found(verso, `${query}&limit=9`, verso.public), query).toBe('Red')
    })

    it('finds words by an index', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Red' })
      verso.statements.length = 0
      await ask(verso, 'q=red&total=false')
      const statement = verso.statements.findLast((each) => each.includes('search_words'))
      expect(statement).toContain(engine.name === 'SQLite' ? 'search_words match' : '@> array[')
      if (engine.name === 'SQLite') return
      // Where matches are few, a limit keeps the planner from looking for the words in one post after the other.
      expect(statement?.match(/::text\[\] limit \$\d+\) as "matches"/g)).toHaveLength(1)
      const indexes = sql<{ indexdef: string }>`select indexdef from pg_indexes where indexname = 'search_words_by_word'`
      expect((await indexes.execute(verso.app.installation.db)).rows[0]?.indexdef).toContain('gin (title, excerpt, content)')
    })
  })
}
