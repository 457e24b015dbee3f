import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

interface Made {
  readonly title: string
  readonly tags?: readonly string[]
  readonly category?: string
  readonly status?: string
}

/** Posts, each published a day after the one before it. */
async function make(verso: TestApp, posts: readonly Made[]): Promise<void> {
  for (const [day, { category, status = 'published', ...post }] of posts.entries()) {
    const publishedAt = new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
    const dates = status === 'published' ? { publishedAt } : {}
    const body = { ...post, status, ...dates, ...(category && { categoryId: category }) }
    expect((await verso.post('/v1/posts', body)).status).toBe(201)
  }
}

async function startWith(engine: (typeof engines)[number], posts: readonly Made[]): Promise<TestApp> {
  const verso = await startVerso(engine)
  const admin = { key: await verso.keyWith('admin') }
  for (const name of ['News', 'Guides']) await verso.post('/v1/admin/categories', { name }, admin)
  await make(verso, posts)
  return verso
}

async function titles(verso: TestApp, path: string, key = verso.secret): Promise<readonly string[]> {
  const { status, body } = await verso.get(path, { key })
  expect(status).toBe(200)
  return body.data.map(({ title }: { title: string }) => title)
}

for (const engine of engines) {
  describe(`GET /v1/posts/{idOrSlug}/related on ${engine.name}`, () => {
    it('200: by shared tags, then the category, then newness', async () => {
      const verso = await startWith(engine, [
        { title: 'Two tags', tags: ['a', 'B'] },
        { title: 'One tag', tags: ['a'] },
        { title: 'One tag and the category', tags: ['b', 'c'], category: 'news' },
        { title: 'The category', category: 'news' },
        { title: 'Old' },
        { title: 'New', tags: ['other'] },
        { title: 'Draft', tags: ['a', 'b'], category: 'news', status: 'draft' },
        { title: 'This', tags: ['A', 'b'], category: 'news' },
      ])
      const all = ['Two tags', 'One tag and the category', 'One tag', 'The category', 'New', 'Old']
      expect(await titles(verso, '/v1/posts/this/related')).toEqual(all.slice(0, 5))
      for (const limit of [1, 2, 3, 4, 6, 100])
        expect(await titles(verso, `/v1/posts/this/related?limit=${limit}`, verso.public)).toEqual(all.slice(0, limit))
    })

    it('200: of a post with neither tags nor a category, the newest; of the only one, nothing', async () => {
      const verso = await startWith(engine, [{ title: 'One' }])
      expect(await titles(verso, '/v1/posts/one/related')).toEqual([])
      await make(verso, [{ title: 'Two' }, { title: 'Three' }])
      expect(await titles(verso, '/v1/posts/one/related')).toEqual(['Three', 'Two'])
    })

    it('200: what fields and exclude select', async () => {
      const verso = await startWith(engine, [{ title: 'One' }, { title: 'Two' }])
      const { body: whole } = await verso.get('/v1/posts/two')
      const related = async (query: string) => (await verso.get(`/v1/posts/one/related?${query}`)).body.data
      expect(await related('limit=1')).toEqual([whole])
      expect(await related('fields=title,slug')).toEqual([{ id: whole.id, title: 'Two', slug: 'two' }])
      const { content: _, ...without } = whole
      expect(await related('exclude=content')).toEqual([without])
    })

    it('304 until something published changes; a public key never sees that something else has', async () => {
      const verso = await startWith(engine, [{ title: 'One' }, { title: 'Two' }])
      const path = '/v1/posts/one/related'
      const first = await verso.get(path, { key: verso.public })
      const again = async () =>
        (await verso.get(path, { key: verso.public, headers: { 'if-none-match': first.headers.get('etag') ?? '' } })).status
      expect(await again()).toBe(304)
      await make(verso, [{ title: 'Hidden', status: 'draft' }])
      expect(await again()).toBe(304)
      await make(verso, [{ title: 'Shown' }])
      expect(await again()).toBe(200)
    })

    it('404 for a post that the key does not see, and for none; 400 for what is no number and no field', async () => {
      const verso = await startWith(engine, [{ title: 'Draft', status: 'draft' }])
      expect(await titles(verso, '/v1/posts/draft/related')).toEqual([])
      expect((await verso.get('/v1/posts/draft/related', { key: verso.public })).status).toBe(404)
      expect((await verso.get('/v1/posts/none/related')).status).toBe(404)
      for (const query of ['limit=0', 'limit=101', 'limit=', 'fields=title&exclude=slug', 'fields=elephant', 'page=2'])
        expect((await verso.get(`/v1/posts/draft/related?${query}`)).status, query).toBe(400)
    })

    it('400 unknown_parameter for include: the problem lists the parameters and suggests none, since another was not meant', async () => {
      const verso = await startWith(engine, [{ title: 'One' }])
      const { body } = await verso.get('/v1/posts/one/related?include=html')
      const detail = 'There is no parameter `include`; the parameters here are limit, fields, exclude.'
      expect(body).toMatchObject({ code: 'unknown_parameter', detail })
      const { body: pending } = await verso.get('/v1/posts/one/pending?exclude=content')
      expect(pending.detail).toBe('There is no parameter `exclude`; the parameters here are include.')
    })

    it('any posts: the same as sorting all of them by hand', async () => {
      const some = fc.record({
        tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
        category: fc.constantFrom('', 'news', 'guides'),
        status: fc.constantFrom('published', 'published', 'draft'),
      })
      const sorting = fc.asyncProperty(fc.array(some, { minLength: 12, maxLength: 12 }), async (made) => {
        const named = made.map((post, day) => ({ ...post, title: `P${day}` }))
        const posts = named.map((post, day) => ({ ...post, day }))
        const verso = await startWith(engine, named)
        for (const { tags, category, day } of posts) {
          const shared = (other: Made) => tags.filter((name) => other.tags?.includes(name)).length
          const isBeside = (other: Made) => Number(category !== '' && other.category === category)
          const expected = posts
            .filter((other) => other.day !== day && other.status === 'published')
            .sort((a, b) => shared(b) - shared(a) || isBeside(b) - isBeside(a) || b.day - a.day)
          expect(await titles(verso, `/v1/posts/p${day}/related?limit=100`)).toEqual(expected.map(({ title }) => title))
        }
      })
      await fc.assert(sorting, { numRuns: 1 })
    })
  })
}
