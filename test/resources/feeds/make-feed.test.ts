import { expect, it } from 'vitest'
import { makeFeed } from '../../../src/resources/feeds/make-feed.ts'
import type { PublicSite } from '../../../src/resources/feeds/site-feed.ts'

type Rows = Parameters<typeof makeFeed>[1]['rows']

const site: PublicSite = {
  ...{ name: 'A site', siteUrl: 'https://example.org', permalink: null, timeZone: 'UTC', feedUrl: null },
  feedContent: 'html',
  createdAt: '2026-01-01T00:00:00.000Z',
}
const row = {
  ...{ id: 'post_1', title: 'One', slug: 'one', excerpt: null, content_hash: 'hash', version: 1, tags: '[]', seo_og_image: null },
  ...{ published_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z' },
  ...{ author_name: null, category_name: null, category_slug: null },
}

it('feeds that wait for the same post are made in a turn of the event loop each', async () => {
  let isRendered = () => {}
  const rendered = new Promise<void>((resolve) => {
    isRendered = resolve
  })
  const render = async () => {
    await rendered
    return [{ html: new Uint8Array(), isLate: false }]
  }
  let turn = 0
  const turns: number[] = []
  const feeds = ['rss.xml', 'atom.xml', 'feed.json'].map(async (file) => {
    const request = { projectId: 'prj_1', site, subject: undefined, selfUrl: `https://example.org/${file}`, isXml: true }
    await makeFeed(request, { rows: [row] as unknown as Rows, contents: ['# One'] }, { render })
    turns.push(turn)
  })
  const count = () => {
    turn++
    if (turns.length < feeds.length) setImmediate(count)
  }
  count()
  isRendered()
  await Promise.all(feeds)
  expect(new Set(turns).size).toBe(feeds.length)
})
