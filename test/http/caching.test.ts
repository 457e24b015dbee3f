import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso } from '../harness/harness.ts'

/** The headers of an answer that its request decides, without those that tell one request from another. */
function headersOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)))
}

for (const engine of engines) {
  describe(`HEAD on ${engine.name}`, () => {
    it('answers as GET does, every header alike, without a body', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      const admin = await verso.keyWith('admin')
      const { etag = '' } = headersOf(await verso.get('/v1/posts'))
      const asked = [
        ['/v1/posts', {}],
        ['/v1/posts?limit=1&sort=title&fields=title', { key: verso.public }],
        ['/v1/posts', { headers: { 'if-none-match': etag } }],
        ['/v1/posts?limit=0', {}],
        ['/v1/posts', { key: null }],
        ['/v1/posts?status=draft', { key: verso.public }],
        [`/v1/posts/${post.id}`, {}],
        ['/v1/posts/two', { key: verso.public }],
        ['/v1/posts/one', {}],
        ['/v1/posts/none', { key: verso.public }],
        ['/v1/admin/keys', { key: admin }],
        ['/v1/admin/keys/none', { key: admin }],
        ['/v1/nowhere', {}],
        ['/healthz', {}],
        ['/readyz', {}],
      ] as const
      for (const [path, how] of asked) {
        const got = await verso.get(path, how)
        const head = await verso.request('HEAD', path, how)
        expect(head.status, path).toBe(got.status)
        expect(headersOf(head), path).toEqual(headersOf(got))
        expect(head.text, path).toBe('')
        if (got.status !== 304) expect(head.headers.get('content-length'), path).toBe(String(Buffer.byteLength(got.text)))
      }
    })
  })

  describe(`caching on ${engine.name}`, () => {
    it('what caches may do depends on the kind of key and on configuration, never on data', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      for (const path of ['/v1/posts', '/v1/posts/one']) {
        expect((await verso.get(path)).headers.get('cache-control')).toBe('private, no-cache')
        expect((await verso.get(path, { key: await verso.keyWith('posts:read') })).headers.get('cache-control')).toBe('private, no-cache')
        expect((await verso.get(path, { key: verso.public })).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      }
      const shared = await startVerso(engine, { env: { VERSO_SHARED_MAX_AGE: '60' } })
      const { headers } = await shared.get('/v1/posts', { key: shared.public })
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate, s-maxage=60')
      expect((await shared.get('/v1/posts')).headers.get('cache-control')).toBe('private, no-cache')
    })

    it('what was written and what was refused is kept by nobody', async () => {
      const verso = await startVerso(engine)
      const answers = [
        await verso.post('/v1/posts', { title: 'One' }),
        await verso.patch('/v1/posts/one', { title: 'Two' }),
        await verso.delete('/v1/posts/one'),
        await verso.get('/v1/posts/one', { key: verso.public }),
        await verso.get('/v1/posts?limit=0'),
        await verso.get('/v1/posts', { key: null }),
      ]
      expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
    })

    it('Vary names what an answer to a key depends on, refusals and 304 included', async () => {
      const verso = await startVerso(engine)
      const list = await verso.get('/v1/posts')
      const known = { 'if-none-match': list.headers.get('etag') ?? '' }
      const answers = [
        list,
        await verso.get('/v1/posts', { headers: known }),
        await verso.get('/v1/posts/none'),
        await verso.get('/v1/posts', { key: null }),
        await verso.get('/v1/posts', { headers: { accept: 'text/html' } }),
        await verso.post('/v1/posts', { title: 'One' }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 401, 406, 201])
      for (const { headers } of answers) expect(headers.get('vary')).toBe('Authorization, Accept-Encoding, Origin')
    })
  })

  describe(`ETag and 304 on ${engine.name}`, () => {
    it('a single has "<version>.<hash>"; If-None-Match compares the whole of it, weakly', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.patch('/v1/posts/one', { excerpt: 'Two' })
      const etag = (await verso.get('/v1/posts/one')).headers.get('etag') ?? ''
      expect(etag).toMatch(/^"2\.[\w-]{26}"$/)
      const ask = async (known: string) => (await verso.get('/v1/posts/one', { headers: { 'if-none-match': known } })).status
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `W/"other" ,${etag}`, '*', ' * '])
        expect(await ask(known), known).toBe(304)
      for (const known of ['"2"', '"2.other"', etag.slice(1, -1), '', `"${etag.slice(3)}`]) expect(await ask(known), known).toBe(200)
    })

    it('a 304 has the headers of the 200 that tell of caching, and no body', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      for (const path of ['/v1/posts', '/v1/posts/one']) {
        const first = await verso.get(path, { key: verso.public })
        const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'no-cache', pragma: 'no-cache' }
        const again = await verso.get(path, { key: verso.public, headers })
        expect(again.status).toBe(304)
        expect(again.text).toBe('')
        for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin', 'access-control-expose-headers']) {
          expect(again.headers.get(name), name).toBe(first.headers.get(name))
        }
        expect(again.headers.get('content-type')).toBeNull()
      }
    })

    it('a single: the same bytes have the same tag; another name of its author has another, though the version stays', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
      await verso.post('/v1/posts', { title: 'One', authorId: author.id })
      const first = await verso.get('/v1/posts/one')
      expect((await verso.get('/v1/posts/one')).headers.get('etag')).toBe(first.headers.get('etag'))
      await verso.patch(`/v1/admin/authors/${author.id}`, { name: 'Grace' }, admin)
      const second = await verso.get('/v1/posts/one', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
      expect(second.body).toEqual({ ...first.body, author: { id: author.id, name: 'Grace' } })
    })

    it('a list: another tag for every change that the key may know of, and for no other', async () => {
      const verso = await startVerso(engine)
      const tags = async () => {
        const [all, publicly] = await Promise.all([verso.get('/v1/posts'), verso.get('/v1/posts', { key: verso.public })])
        return { all: all.headers.get('etag'), publicly: publicly.headers.get('etag') }
      }
      let last = await tags()
      expect(last.all).not.toBe(last.publicly)
      const steps = [
        [false, () => verso.post('/v1/posts', { title: 'Draft' })],
        [false, () => verso.patch('/v1/posts/draft', { title: 'Still a draft' })],
        [false, () => verso.patch('/v1/posts/draft', { status: 'scheduled', scheduledFor: '2030-01-01T00:00:00Z' })],
        [true, () => verso.patch('/v1/posts/draft', { status: 'published' })],
        [true, () => verso.patch('/v1/posts/draft', { title: 'Public' })],
        [true, () => verso.patch('/v1/posts/draft', { status: 'archived' })],
        [false, () => verso.patch('/v1/posts/draft', { status: 'draft' })],
        [true, () => verso.patch('/v1/posts/draft', { status: 'published' })],
        [true, () => verso.delete('/v1/posts/draft')],
      ] as const
      for (const [seen, step] of steps) {
        const { status, text } = await step()
        expect(status, text).toBeLessThan(300)
        const next = await tags()
        expect(next.all).not.toBe(last.all)
        expect(next.publicly === last.publicly, step.toString()).toBe(!seen)
        last = next
      }
      await verso.patch('/v1/posts/none', {})
      expect(await tags()).toEqual(last)
    })

    it('a list: another tag for another query, key or project', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const seen = new Set<string | null>()
      const queries = [
        '',
        '?limit=5',
        '?page=2',
        '?sort=title',
        '?fields=title',
        '?total=false',
        '?search=a',
        '?status=draft',
        '?trashed=true',
      ]
      for (const query of queries) seen.add((await verso.get(`/v1/posts${query}`)).headers.get('etag'))
      seen.add((await verso.get('/v1/posts', { key: await verso.keyWith('posts:read') })).headers.get('etag'))
      seen.add((await other.get('/v1/posts')).headers.get('etag'))
      seen.add((await other.get('/v1/posts', { key: other.public })).headers.get('etag'))
      seen.add((await verso.get('/v1/admin/keys', { key: await verso.keyWith('admin') })).headers.get('etag'))
      expect(seen.size).toBe(queries.length + 4)
    })

    it('a list: the default said in words, and in another order, has the same tag', async () => {
      const verso = await startVerso(engine)
      const tagOf = async (query: string) => (await verso.get(`/v1/posts${query}`)).headers.get('etag')
      expect(await tagOf('?page=1&limit=20&sort=-published_at&total=true')).toBe(await tagOf(''))
      expect(await tagOf('?limit=5&page=2')).toBe(await tagOf('?page=2&limit=5'))
      const linkOf = async (query: string) => (await verso.get(`/v1/posts${query}`)).headers.get('link')
      expect(await linkOf('?page=1&limit=20')).toContain('</v1/posts?page=1&limit=20>; rel="first"')
      expect(await linkOf('?limit=20&page=1')).toContain('</v1/posts?limit=20&page=1>; rel="first"')
      expect(await linkOf('')).toContain('</v1/posts?page=1>; rel="first"')
    })

    it('another installation has other tags for the same state', async () => {
      const [one, two] = [await startVerso(engine), await startVerso(engine)]
      const etags = await Promise.all([one, two].map(async (verso) => (await verso.get('/v1/posts')).headers.get('etag')))
      expect(etags[0]).not.toBe(etags[1])
    })
  })
}
