import { describe, expect, it } from 'vitest'
import { permalinkFault, permalinkOf, postPath } from '../../../src/resources/site/site.ts'
import { engines, startVerso } from '../../harness/harness.ts'
import { describeSite } from '../../harness/site.ts'

const post = { id: 'post_1', slug: 'hello', categorySlug: 'news', date: '2026-03-04T05:06:07.000Z' }

describe('permalinks', () => {
  it.each([
    ['/{slug}', '/hello'],
    ['/blog/{slug}/', '/blog/hello/'],
    ['/{year}/{month}/{day}/{slug}.html', '/2026/03/04/hello.html'],
    ['/{category}/{slug}', '/news/hello'],
    ['/p/{id}-{slug}', '/p/post_1-hello'],
  ])('%s is %s', (permalink, path) => {
    expect(permalinkFault(permalink)).toBeUndefined()
    expect(postPath(permalink, post)).toBe(path)
    expect(permalinkOf({ siteUrl: 'https://a.example/x/', permalink }, post)?.href).toBe(`https://a.example/x${path}`)
  })

  it('without a category, its segment is left out', () => {
    expect(postPath('/{category}/{slug}', { ...post, categorySlug: null })).toBe('/hello')
    expect(postPath('/blog/{category}/{slug}', { ...post, categorySlug: null })).toBe('/blog/hello')
  })

  it.each([
    '',
    'blog/{slug}',
    '/blog',
    '/{year}/{category}',
    '//{slug}',

    '/{slug',
    '/{name}/{slug}',
    '/\\{slug}',
  ])('%j is none', (pattern) => {
    expect(permalinkFault(pattern)).toContain('must be a path that begins with /')
  })

  it.each([
    ['/a b/{slug}', 'white space'],
    ['/{slug} ', 'white space'],
    ['/{slug}#top', 'a #'],
    ['/50%/{slug}', 'a %'],
    ['/%2/{slug}', 'a %'],
    ['/../{slug}', 'a segment . or ..'],
    ['/blog/{slug}/.', 'a segment . or ..'],
    ['/%2E%2e/{slug}', 'a segment . or ..'],
    ['/./{slug}', 'a segment . or ..'],
  ])('%j is none, for what it has in it', (pattern, stray) => {
    expect(permalinkFault(pattern)).toContain(`The permalink has ${stray} in it`)
  })

  it.each(['/50%25/{slug}', '/.well-known/{slug}', '/...{slug}', '/a.b/{slug}..html', '/?p={id}'])('%j is one', (pattern) => {
    expect(permalinkFault(pattern)).toBeUndefined()
  })
})

for (const engine of engines) {
  describe(`the project on ${engine.name}`, () => {
    it('GET /v1/project: slug, name, siteUrl, permalink and timeZone, as every key; a new ETag once a setting has changed', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const first = await verso.get('/v1/project', { key: verso.public })
      expect(first.body).toEqual({ slug: 'default', name: 'default', siteUrl: null, permalink: null, timeZone: 'UTC' })
      const etag = first.headers.get('etag') ?? ''
      const ifChanged = { key: verso.public, headers: { 'if-none-match': etag } }
      expect((await verso.get('/v1/project', ifChanged)).status).toBe(304)
      const site = { siteUrl: 'https://a.example', permalink: '/{slug}', timeZone: 'Asia/Tokyo' }
      await describeSite(verso, { ...site, feedContent: 'excerpt', feedUrl: 'https://a.example/feeds' })
      for (const key of [verso.public, admin]) {
        const { status, body } = await verso.get('/v1/project', { ...ifChanged, key })
        expect([status, body]).toEqual([200, { slug: 'default', name: 'default', ...site }])
      }
      const other = await verso.otherProject('other')
      expect((await other.get('/v1/project')).body.slug).toBe('other')
      expect((await verso.get('/v1/project?x=1')).body.code).toBe('unknown_parameter')
    })

    it('a change of settings is in the log: lists have another ETag, and the feed goes on', async () => {
      const verso = await startVerso(engine)
      const as = { key: verso.public }
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const before = (await verso.get('/v1/posts', as)).headers.get('etag')
      const { nextCursor } = (await verso.get('/v1/changes', as)).body
      await describeSite(verso, { permalink: '/{slug}' })
      expect((await verso.get('/v1/posts', as)).headers.get('etag')).not.toBe(before)
      const { status, body } = await verso.get(`/v1/changes?since=${nextCursor}`, as)
      expect([status, body.data, body.hasMore]).toEqual([200, [], false])
      await verso.post('/v1/posts', { title: 'Two', status: 'published' })
      expect((await verso.get(`/v1/changes?since=${body.nextCursor}`, as)).body.data).toHaveLength(1)
    })
  })
}
