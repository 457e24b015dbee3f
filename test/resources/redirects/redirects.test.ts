import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp, type TestEngine } from '../../harness/harness.ts'
import { describeSite, inheritSite } from '../../harness/site.ts'

async function start(engine: TestEngine, permalink = '/blog/{slug}', siteUrl: string | null = 'https://a.example') {
  const verso = await startVerso(engine)
  await describeSite(verso, { permalink, siteUrl })
  const publish = async (slug: string, more: object = {}) =>
    (await verso.post('/v1/posts', { title: slug, slug, status: 'published', ...more })).body.id as string
  return { verso, publish }
}

const redirectsOf = async (verso: TestApp, query = '') => (await verso.get(`/v1/redirects${query}`, { key: verso.public })).body.data
const pairs = async (verso: TestApp) => (await redirectsOf(verso)).map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)

for (const engine of engines) {
  describe(`redirects on ${engine.name}`, () => {
    it('GET /v1/redirects: aliases, escaped, and paths with former slugs, each to where the post is', async () => {
      const { verso, publish } = await start(engine)
      const id = await publish('one', { aliases: ['/café/a b', '/?p=17', '/100%'] })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      await verso.patch('/v1/posts/two', { slug: 'three' })
      const redirect = (from: string, kind: string) => ({ from, to: '/blog/three', postId: id, kind })
      expect(await redirectsOf(verso)).toEqual([
        redirect('/100%25', 'alias'),
        redirect('/?p=17', 'alias'),
        redirect('/caf%C3%A9/a%20b', 'alias'),
        redirect('/blog/one', 'slug'),
        redirect('/blog/two', 'slug'),
      ])
    })

    it('pages and cursors walk over every redirect once, and the total counts them', async () => {
      const { verso, publish } = await start(engine)
      await publish('one', { aliases: Array.from({ length: 7 }, (_, i) => `/old/${i}`) })
      const all = (await redirectsOf(verso)).map(({ from }: { from: string }) => from)
      expect(all).toHaveLength(7)
      const seen: string[] = []
      for (let cursor = '', more = true; more; ) {
        const { data, pagination } = (await verso.get(`/v1/redirects?limit=2${cursor && `&cursor=${cursor}`}`, { key: verso.public })).body
        seen.push(...data.map(({ from }: { from: string }) => from))
        more = pagination.hasMore
        cursor = pagination.nextCursor
      }
      expect(seen).toEqual(all)
      expect((await verso.get('/v1/redirects?page=4&limit=2')).body.pagination).toMatchObject({ total: 7, totalPages: 4, hasMore: false })
      expect((await redirectsOf(verso, '?sort=-from')).map(({ from }: { from: string }) => from)).toEqual(all.toReversed())
    })

    it('no redirect leads to another or to itself: a path with a post is none, and an alias goes before a former slug', async () => {
      const { verso, publish } = await start(engine)
      await publish('one', { aliases: ['/blog/one', '/blog/one/', '/blog/two', '/a'] })
      await publish('two', { aliases: ['/blog/was'] })
      await publish('was')
      await verso.patch('/v1/posts/was', { slug: 'is' })
      expect(await pairs(verso)).toEqual(['/a /blog/one', '/blog/was /blog/two'])
      await verso.patch('/v1/posts/two', { slug: 'two-again' })
      expect(await pairs(verso)).toEqual(['/a /blog/one', '/blog/two /blog/one', '/blog/was /blog/two-again'])
    })

    it('the permalink decides: dates, categories, a site below a path; ids make no redirect of a former slug', async () => {
      const { verso, publish } = await start(engine, '/{category}/{year}/{slug}/', 'https://a.example/x/')
      const admin = { key: await verso.keyWith('admin') }
      await verso.post('/v1/admin/categories', { name: 'News' }, admin)
      const id = await publish('one', { aliases: ['/old'], categoryId: 'news', publishedAt: '2020-05-06T00:00:00Z' })
      // Aliases that say where their posts are anyway.
      const publishedAt = '2021-05-06T00:00:00Z'
      const own = await publish('own', { aliases: ['/x/2021/own', '/x/2021/own/', '/100%/own', '/p/x'], publishedAt })
      await verso.patch('/v1/posts/own', { aliases: ['/x/2021/own', '/x/2021/own/', '/100%/own', `/p/${own}/`] })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      const others = [`/100%25/own /x/2021/own/`, `/p/${own}/ /x/2021/own/`]
      expect(await pairs(verso)).toEqual([others[0], '/old /x/news/2020/two/', others[1], '/x/news/2020/one/ /x/news/2020/two/'])
      await verso.patch('/v1/posts/two', { categoryId: null })
      expect(await pairs(verso)).toEqual([others[0], '/old /x/2020/two/', others[1], '/x/2020/one/ /x/2020/two/'])
      await describeSite(verso, { permalink: '/p/{id}', siteUrl: null })
      expect(await pairs(verso)).toEqual([`/100%25/own /p/${own}`, `/old /p/${id}`, `/x/2021/own /p/${own}`, `/x/2021/own/ /p/${own}`])
      await inheritSite(verso, { permalink: '/100%/{slug}' })
      await describeSite(verso, { name: 'A change that the log knows' })
      expect(await pairs(verso)).toContain('/old /100%25/two')
      expect(await pairs(verso)).toContain('/100%25/one /100%25/two')
      expect((await pairs(verso)).filter((pair: string) => pair.startsWith('/100%25/own'))).toEqual([])
    })

    it('only published posts have them, for every key; the ETag follows the log', async () => {
      const { verso, publish } = await start(engine)
      const list = (key: string, etag = '') => verso.get('/v1/redirects', { key, headers: { 'if-none-match': etag } })
      await publish('one', { aliases: ['/a'] })
      await verso.post('/v1/posts', { title: 'Draft', aliases: ['/secret'] })
      const { status, headers, text } = await list(verso.public)
      expect([status, (await list(verso.secret)).text]).toEqual([200, text])
      expect(text).not.toContain('secret')
      const etag = headers.get('etag') ?? ''
      await verso.patch('/v1/posts/draft', { aliases: ['/blog/one', '/other'] })
      expect((await list(verso.public, etag)).status).toBe(304)
      await verso.patch('/v1/posts/one', { status: 'archived' })
      expect((await list(verso.public, etag)).body.data).toEqual([])
      await describeSite(verso, { permalink: null })
      expect((await list(verso.public)).body).toMatchObject({ status: 404, code: 'not_found' })
      expect((await verso.get('/v1/redirects', { key: await verso.keyWith('authors:read') })).body.code).toBe('insufficient_scope')
    })
  })
}
