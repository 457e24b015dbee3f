import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { makeSitemap } from '../../../src/resources/feeds/sitemap.ts'
import { editProject } from '../../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { engines, shared, startVerso, type TestApp } from '../../harness/harness.ts'

const everyone = { key: null }
const files = ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml']
const site = { siteUrl: 'https://blog.example.com', permalink: '/posts/{slug}' }

type Edits = Parameters<typeof editProject.run>[2]['edits']

async function edit({ app, context, projectId }: TestApp, edits: Edits) {
  await app.installation.perform(editProject, operator(projectId, 'cli', toInstant(context.now())), { slug: 'default', edits })
}

async function startWithSite(engine: (typeof engines)[number], edits: Edits = site) {
  const verso = await startVerso(engine)
  await edit(verso, edits)
  const read = (file: string, asked = {}) => verso.get(`/v1/feeds/default/${file}`, { ...everyone, ...asked })
  return { verso, read }
}

for (const engine of engines) {
  describe(`feeds on ${engine.name}`, () => {
    const started = shared(async () => {
      const { verso, read } = await startWithSite(engine)
      const key = await verso.keyWith('admin')
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada & Bob' }, { key })
      const { body: category } = await verso.post('/v1/admin/categories', { name: 'News' }, { key })
      const content = '# Ship <it> ]]> {#ship}\n\n[more](/more) ![](pic.png) [top](#ship)\u000b'
      const first = { title: 'A & B <c> ]]>', slug: 'a-b-c', content, excerpt: 'Short & sweet', status: 'published', tags: ['Sea', 'News'] }
      const { body: post } = await verso.post('/v1/posts', {
        ...first,
        authorId: author.id,
        categoryId: category.id,
        publishedAt: '2026-01-02T03:04:05.678Z',
      })
      await verso.post('/v1/posts', { title: 'Older', status: 'published', publishedAt: '2025-01-02T03:04:05Z' })
      await verso.post('/v1/posts', { title: 'Hidden', content, tags: ['Secret'], authorId: author.id })
      return { verso, read, post, author, category }
    })

    it('GET rss.xml: 200 with the newest posts, whole, escaped and with absolute URLs', async () => {
      const { read, post } = await started()
      const { status, headers, text } = await read('rss.xml')
      expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/rss+xml; charset=utf-8' })
      expect(text).toContain(
        `<item><title>A &amp; B &lt;c&gt; ]]&gt;</title><link>https://blog.example.com/posts/a-b-c</link><guid isPermaLink="false">${post.id}</guid><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><dc:creator>Ada &amp; Bob</dc:creator><category>News</category><category>Sea</category><description>Short &amp; sweet</description>`,
      )
      expect(text).toContain('&lt;a href="https://blog.example.com/more"&gt;more&lt;/a&gt;')
      expect(text).toContain('&lt;img src="https://blog.example.com/posts/pic.png" alt=""&gt;')
      expect(text).toContain('href="https://blog.example.com/posts/a-b-c#user-content-ship"')
      expect(text).not.toContain('Hidden')
      expect(text.indexOf('Older')).toBeGreaterThan(text.indexOf('A &amp; B'))
    })

    it('GET atom.xml and feed.json: 200 with the same posts', async () => {
      const { verso, read, post } = await started()
      const atom = await read('atom.xml')
      expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
      expect(atom.text).toContain('<updated>2026-06-01T12:00:00.000Z</updated>')
      expect(atom.text).toContain('<author><name>Ada &amp; Bob</name></author><category term="News"/><category term="Sea"/>')
      expect(atom.text).toContain(`<link rel="self" href="${verso.app.url}/v1/feeds/default/atom.xml" type="application/atom+xml"/>`)
      const { body, headers } = await read('feed.json')
      expect(headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
      expect(body).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', feed_url: `${verso.app.url}/v1/feeds/default/feed.json` })
      expect(body.items[0]).toMatchObject({ id: post.id, title: 'A & B <c> ]]>', tags: ['News', 'Sea'], authors: [{ name: 'Ada & Bob' }] })
      expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['A & B <c> ]]>', 'Older'])
    })

    it('GET sitemap.xml: 200 with the site and every post', async () => {
      const { read } = await started()
      const { text, headers } = await read('sitemap.xml')
      expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
      expect([...text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]).sort()).toEqual([
        'https://blog.example.com/',
        'https://blog.example.com/posts/a-b-c',
        'https://blog.example.com/posts/older',
      ])
      expect((await read('sitemap.xml?page=1')).text).toBe(text)
      expect((await read('sitemap.xml?page=2')).status).toBe(404)
    })

    it('GET sitemap.xml with more posts than a file holds: an index, and each post in one of its files', async () => {
      const { verso, read } = await startWithSite(engine)
      for (const title of ['A', 'B', 'C', 'D', 'E']) await verso.post('/v1/posts', { title, status: 'published' })
      await verso.post('/v1/posts', { title: 'Draft' })
      const sight = { projectId: verso.projectId, drafts: false, emails: false }
      const publicSite = { ...site, slug: 'default', name: 'Blog', id: verso.projectId } as never
      const about = {
        db: verso.app.installation.db,
        sight,
        site: publicSite,
        subject: undefined,
        selfUrl: 'https://a.example/s.xml',
        most: 2,
      }
      const locations = async (page?: number) => {
        const text = (await makeSitemap({ ...about, page }))?.toString()
        return text && [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
      }
      expect(await locations()).toEqual([1, 2, 3].map((page) => `https://a.example/s.xml?page=${page}`))
      const files = [await locations(1), await locations(2), await locations(3)]
      expect(files.map((urls) => urls?.length)).toEqual([3, 2, 1])
      const posts = ['a', 'b', 'c', 'd', 'e'].map((slug) => `https://blog.example.com/posts/${slug}`)
      expect(files.flat().sort()).toEqual(['https://blog.example.com/', ...posts])
      expect(await locations(4)).toBeUndefined()
      // Validators want some text of every entry, and these posts have none.
      expect((await read('atom.xml')).text).toContain('<summary type="text">A</summary>')
    })

    it('of a tag, a category and an author: 200 with their posts alone; 404 for those that no public post shows', async () => {
      const { read, author, category } = await started()
      for (const part of ['tags/sea', 'categories/news', `categories/${category.id}`, `authors/${author.id}`, `authors/${author.slug}`])
        for (const file of files) {
          const { status, text } = await read(`${part}/${file}`)
          expect({ status, part, has: text.includes('a-b-c'), others: text.includes('lder') }).toEqual({
            status: 200,
            part,
            has: true,
            others: false,
          })
        }
      for (const part of ['tags/secret', 'tags/none', 'categories/none', 'authors/none', 'things/sea'])
        expect((await read(`${part}/rss.xml`)).status).toBe(404)
    })

    it('304 for the ETag, HEAD with the same headers, CORS and caching as for public keys, and no key is looked at', async () => {
      const { read, verso } = await started()
      for (const file of files) {
        const { headers } = await read(file)
        const tag = headers.get('etag') ?? ''
        expect(Object.fromEntries(headers)).toMatchObject({
          'cache-control': 'public, max-age=0, must-revalidate',
          'access-control-allow-origin': '*',
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
        })
        expect((await read(file, { headers: { 'if-none-match': tag } })).status).toBe(304)
        expect((await verso.request('HEAD', `/v1/feeds/default/${file}`, everyone)).headers.get('etag')).toBe(tag)
        expect((await read(`${file}?&`, { headers: { 'if-none-match': tag } })).status).toBe(304)
        expect((await read(file, { key: 'nonsense' })).headers.get('etag')).toBe(tag)
        expect((await read(file, { headers: { accept: 'application/rss+xml' } })).status).toBe(200)
      }
    })

    it('400 for a parameter that is not there', async () => {
      const { read } = await started()
      expect((await read('rss.xml?limit=3')).body).toMatchObject({ status: 400, code: 'unknown_parameter' })
      expect((await read('sitemap.xml?page=0')).body).toMatchObject({ status: 400, code: 'invalid_parameter' })
    })
  })

  describe(`feeds and settings on ${engine.name}`, () => {
    it('404 for a project without a site, the same as for no project, and 200 from then on', async () => {
      const verso = await startVerso(engine)
      const answer = async (slug: string) => {
        const { status, body, headers } = await verso.get(`/v1/feeds/${slug}/rss.xml`, everyone)
        const { instance: _, requestId: __, ...rest } = body ?? {}
        const { date: ___, 'x-request-id': ____, 'content-length': _____, ...kept } = Object.fromEntries(headers)
        return { status, rest, kept }
      }
      expect(await answer('default')).toEqual(await answer('nobody-has-this-slug'))
      expect((await answer('default')).status).toBe(404)
      await edit(verso, site)
      expect((await verso.get('/v1/feeds/default/rss.xml', everyone)).status).toBe(200)
    })

    it('excerpts, another address and another permalink as the project has them, each with another ETag', async () => {
      const { verso, read } = await startWithSite(engine, { siteUrl: 'https://example.com/' })
      await verso.post('/v1/posts', { title: 'A', content: 'Everything', excerpt: 'Some', status: 'published' })
      const tags = new Set([(await read('atom.xml')).headers.get('etag')])
      expect((await read('atom.xml')).text).toContain('href="https://example.com/a"')
      await edit(verso, { feedContent: 'excerpt', feedUrl: 'https://example.com/feeds', permalink: '/{year}/{slug}' })
      const { text, headers } = await read('atom.xml')
      expect(text).toContain('<link rel="self" href="https://example.com/feeds/atom.xml"')
      expect(text).toContain('href="https://example.com/2026/a"')
      expect(text).toContain('<summary type="text">Some</summary>')
      expect(text).not.toContain('Everything')
      expect((await read('feed.json')).body.items[0]).toMatchObject({ content_text: 'Some' })
      expect(tags.add(headers.get('etag')).size).toBe(2)
    })

    it('the address of feeds is a URL as machines read it, whatever letters it has', async () => {
      const { read } = await startWithSite(engine, { siteUrl: 'https://exämple.com', feedUrl: 'https://exämple.com/fünf/' })
      const address = 'https://xn--exmple-cua.com/f%C3%BCnf'
      expect((await read('rss.xml')).text).toContain(`<atom:link href="${address}/rss.xml" rel="self"`)
      expect((await read('atom.xml')).text).toContain(`<link rel="self" href="${address}/atom.xml"`)
      expect((await read('feed.json')).body).toMatchObject({
        feed_url: `${address}/feed.json`,
        home_page_url: 'https://xn--exmple-cua.com/',
      })
    })

    it('what is unpublished changes no byte and no ETag, and what is published does', async () => {
      const { verso, read } = await startWithSite(engine)
      await verso.post('/v1/posts', { title: 'A', content: 'x', tags: ['Sea'], status: 'published' })
      const all = ['', 'tags/sea/'].flatMap((part) => files.map((file) => `${part}${file}`))
      const world = async () => {
        const answers = await Promise.all(all.map((file) => read(file)))
        return answers.map(({ headers, text }) => [headers.get('etag'), headers.get('cache-control'), text])
      }
      const before = await world()
      const { body: draft } = await verso.post('/v1/posts', { title: 'B', content: 'y', tags: ['sea', 'Sky'] })
      await verso.post('/v1/posts', { title: 'C', status: 'scheduled', scheduledFor: '2030-01-01T00:00:00Z' })
      expect(await world()).toEqual(before)
      await verso.patch(`/v1/posts/${draft.id}`, { status: 'published' })
      const after = await world()
      for (const [i, answer] of after.entries()) expect(answer[0]).not.toBe(before[i]?.[0])
    })

    it('a due post is in the feed, whether or not anything ran', async () => {
      const { verso, read } = await startWithSite(engine)
      await verso.post('/v1/posts', { title: 'Later', status: 'scheduled', scheduledFor: '2026-07-01T00:00:00Z' })
      expect((await read('rss.xml')).text).not.toContain('Later')
      verso.context.travelTo('2026-07-01T00:00:00Z')
      if (engine.name === 'SQLite') expect((await read('rss.xml')).text).toContain('Later')
    })
  })
}
