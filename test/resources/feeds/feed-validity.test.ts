import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { editProject } from '../../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { parseUrl } from '../../../src/values/parse-url.ts'
import { engines, shared, startVerso } from '../../harness/harness.ts'
import { allNamed, parseXml, textOf } from './parse-xml.ts'

const atom = (name: string) => `{http://www.w3.org/2005/Atom}${name}`
const sitemap = (name: string) => `{http://www.sitemaps.org/schemas/sitemap/0.9}${name}`
const rfc822 = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const isAbsolute = (url: string | undefined) => url !== undefined && /^https?:$/.test(new URL(url).protocol)

const awkward = ['A & B', '<b>bold</b>', ']]>', '"quoted" \'single\'', 'emoji 🦀', '日本語', 'a\u0001b\u000bc\ufffe', '&amp; &lt;']

for (const engine of engines) {
  describe(`valid feeds on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      const edits = { siteUrl: 'https://example.com/ä', permalink: '/{year}/{category}/{slug}/' }
      const caller = operator(verso.projectId, 'cli', toInstant(verso.context.now()))
      await verso.app.installation.perform(editProject, caller, { slug: 'default', edits })
      const key = await verso.keyWith('admin')
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'A & <B>' }, { key })
      for (const [i, text] of awkward.entries())
        await verso.post('/v1/posts', {
          title: text,
          content: `${text}\n\n[a](b) ![c](/d.png) <img srcset="e.png 1x, /f.png 2x"> <a href="http://[">broken</a>`,
          excerpt: i % 2 === 0 ? text : null,
          authorId: i % 3 === 0 ? author.id : null,
          tags: [text],
          status: 'published',
          publishedAt: `202${i}-01-01T00:00:00Z`.replace('2027', '2025').replace('2026', '2025'),
        })
      const read = async (file: string) => (await verso.get(`/v1/feeds/default/${file}`, { key: null })).text
      return { read, author }
    })

    it('RSS 2.0', async () => {
      const { read } = await started()
      const rss = parseXml(await read('rss.xml'))
      expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0'])
      const [channel] = allNamed('channel', rss)
      if (!channel) throw new Error('there is no channel')
      expect(textOf('title', channel)).toBe('default')
      expect(textOf('description', channel)).not.toBe('')
      expect(isAbsolute(textOf('link', channel))).toBe(true)
      const items = allNamed('item', channel)
      expect(items).toHaveLength(awkward.length)
      for (const item of items) {
        expect(textOf('title', item) || textOf('description', item)).toBeTruthy()
        expect(textOf('description', item)).toBeDefined()
        expect(isAbsolute(textOf('link', item))).toBe(true)
        expect(textOf('pubDate', item)).toMatch(rfc822)
        expect(allNamed('guid', item)).toEqual([
          { name: 'guid', attributes: { isPermaLink: 'false' }, children: [expect.stringMatching(/^post_/)] },
        ])
      }
      expect(new Set(items.map((item) => textOf('guid', item))).size).toBe(items.length)
    })

    it('Atom 1.0', async () => {
      const { read } = await started()
      const feed = parseXml(await read('atom.xml'))
      expect(feed.name).toBe(atom('feed'))
      const entries = allNamed(atom('entry'), feed)
      expect(entries).toHaveLength(awkward.length)
      for (const each of [feed, ...entries]) {
        expect(textOf(atom('id'), each)).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(textOf(atom('title'), each)).toBeDefined()
        expect(textOf(atom('updated'), each)).toMatch(rfc3339)
        for (const link of each.children.filter((child) => typeof child !== 'string' && child.name === atom('link')))
          expect(typeof link !== 'string' && isAbsolute(link.attributes.href)).toBe(true)
      }
      for (const entry of entries) expect(textOf(atom('published'), entry)).toMatch(rfc3339)
      expect(new Set(entries.map((entry) => textOf(atom('updated'), entry))).size).toBe(entries.length)
      expect(allNamed(atom('content'), feed).every(({ attributes }) => attributes.type === 'html')).toBe(true)
      expect(allNamed(atom('link'), feed).filter(({ attributes }) => attributes.rel === 'self')).toHaveLength(1)
    })

    it('JSON Feed 1.1', async () => {
      const { read } = await started()
      const feed = JSON.parse(await read('feed.json'))
      expect(feed).toMatchObject({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'default',
        home_page_url: 'https://example.com/%C3%A4',
      })
      for (const item of feed.items) {
        expect(item).toMatchObject({ id: expect.stringMatching(/^post_/), content_html: expect.any(String), title: expect.any(String) })
        expect([isAbsolute(item.url), rfc3339.test(item.date_published), rfc3339.test(item.date_modified)]).toEqual([true, true, true])
        const urls = [...item.content_html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1])
        expect(urls.filter((url: string) => !parseUrl(url) && url !== 'http://[')).toEqual([])
        expect(item.content_html).toMatch(/srcset="https:\/\/example\.com\/[^"]*e\.png 1x, https:\/\/example\.com\/f\.png 2x"/)
      }
    })

    it('a sitemap', async () => {
      const { read } = await started()
      const urlset = parseXml(await read('sitemap.xml'))
      expect(urlset.name).toBe(sitemap('urlset'))
      const urls = allNamed(sitemap('url'), urlset)
      expect(urls).toHaveLength(awkward.length + 1)
      for (const url of urls) {
        expect(isAbsolute(textOf(sitemap('loc'), url))).toBe(true)
        expect(textOf(sitemap('lastmod'), url) ?? '2026-01-01T00:00:00.000Z').toMatch(rfc3339)
      }
    })

    it('of nobody’s posts: whole documents, too', async () => {
      const { read } = await started()
      expect(allNamed('item', parseXml(await read('rss.xml')))).not.toEqual([])
      for (const file of ['rss.xml', 'atom.xml', 'sitemap.xml']) expect(parseXml(await read(file)).children).not.toEqual([])
    })
  })
}
