import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startForRequests, visible } from '../harness/compared-engines.ts'
import { type Answer, engines, type TestApp } from '../harness/harness.ts'
import { describeSite } from '../harness/site.ts'

/** Lists in all their sorts, and what they hold their cursors in. */
const lists = [
  ...['published_at', '-published_at', 'created_at', 'scheduled_for', 'title', 'slug,status'].map((sort) => `/v1/posts?sort=${sort}`),
  ...['/v1/posts?q=text', '/v1/posts?q=text&sort=title', '/v1/posts?search=text', '/v1/posts?tag=news', '/v1/posts/text/revisions?'],
  ...['name', 'created_at', 'slug', '-post_count', 'post_count'].flatMap((sort) => [
    `/v1/tags?sort=${sort}`,
    `/v1/categories?sort=${sort}`,
    `/v1/admin/categories?sort=${sort}`,
  ]),
  ...['/v1/authors?', '/v1/media?', '/v1/redirects?', '/v1/posts/text/preview-tokens?'],
  ...['/v1/admin/authors?', '/v1/admin/keys?', '/v1/admin/webhooks?', '/v1/admin/people?', '/v1/changes?', '/v1/changes?types=author&'],
]

/** On both sides of the borders of the types of columns. */
const borders = [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1]
const value = fc.oneof(
  fc.constantFrom(2 ** 31 - 1, -(2 ** 53) + 1, 2 ** 53, 1e300, -1, 0.5, '', '\u0000', '\ud800'),
  fc.integer(),
  fc.jsonValue(),
)

/** Two of each kind, the second with the same words. */
async function fill(verso: TestApp, key: string): Promise<void> {
  await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/blog/{slug}' })
  for (const name of ['Text', 'Text again']) {
    await verso.post('/v1/admin/authors', { name }, { key })
    const { body: category } = await verso.post('/v1/admin/categories', { name }, { key })
    const tags = ['news', name]
    const post = { title: name, content: 'text', status: 'published', tags, categoryId: category.id, aliases: [`/old/${category.slug}`] }
    await verso.post('/v1/posts', post)
    await verso.post('/v1/posts', { title: `${name}, a draft`, excerpt: 'text' })
    await verso.post('/v1/posts/text/preview-tokens')
    await verso.patch('/v1/posts/text', { excerpt: name })
    const asset = { filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
    await verso.post('/v1/media', { ...asset, url: `https://example.com/${category.slug}.png` })
    await verso.post('/v1/admin/webhooks', { name, url: 'https://example.com/hook', events: ['post.published'] }, { key })
    await verso.post('/v1/admin/people', { name, role: 'writer' }, { key })
  }
}

const cursorOf = ({ body }: Answer): string | null => body.pagination?.nextCursor ?? body.nextCursor ?? null
const valuesIn = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString())

describe('edited cursors', { timeout: 300_000 }, () => {
  it('GET of every list with one value of its cursor replaced by any JSON: 200, 400 or 410, on every engine the same', async () => {
    const seed = 7
    const all = await Promise.all(engines.map((engine) => startForRequests(engine, seed)))
    await Promise.all(all.map(({ verso, tokens }) => fill(verso, tokens.admin)))
    const ask = async (path: string): Promise<Answer> => {
      const get = ({ ask }: (typeof all)[number]) => ask({ method: 'GET', path, key: 'admin', headers: {}, afterMs: 0, again: false })
      const [first, ...others] = await Promise.all(all.map(get))
      if (!first) throw new Error('there is no engine')
      for (const other of others) expect(visible(other), path).toEqual(visible(first))
      return first
    }
    for (const list of lists) {
      const cursor = cursorOf(await ask(`${list}&limit=1`))
      expect(cursor, list).not.toBeNull()
      const made = valuesIn(cursor ?? '')
      const parameter = list.includes('changes') ? 'since' : 'cursor'
      const property = fc.asyncProperty(fc.nat(made.length - 1), value, async (place, wrong) => {
        const edited = Buffer.from(JSON.stringify(made.with(place, wrong))).toString('base64url')
        const { status, body } = await ask(`${list}&limit=1&${parameter}=${edited}`)
        expect([200, 400, 410], `${list}&${parameter}=${edited}`).toContain(status)
        if (status === 400) expect(body).toMatchObject({ code: 'invalid_cursor', errors: [{ parameter }] })
      })
      const examples = made.flatMap((_, place) => borders.map((border): [number, number] => [place, border]))
      await fc.assert(property, { numRuns: examples.length + 10, examples })
    }
  })
})
