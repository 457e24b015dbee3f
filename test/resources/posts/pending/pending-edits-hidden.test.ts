import { expect, it } from 'vitest'
import { engines, startVerso } from '../../../harness/harness.ts'
import { describeSite } from '../../../harness/site.ts'
import { countText, soakSize } from '../../../harness/soak.ts'

const edits = soakSize(10_000, 100)
const savedAtOnce = 50

/** Every list that a public key can ask for, in several sorts, and what the site shows to everyone. */
const asks = [
  '/v1/posts?limit=100',
  '/v1/posts?limit=100&page=3&sort=title',
  '/v1/posts?sort=-updated_at&fields=title,hasPendingEdit,updatedAt',
  '/v1/posts?tag=a&include=html&limit=5',
  '/v1/posts?search=post%207',
  '/v1/posts?q=pending',
  '/v1/posts/post-7',
  '/v1/posts/post-7/related',
  '/v1/tags',
  '/v1/categories',
  '/v1/authors',
  '/v1/changes?limit=100',
  '/v1/redirects',
]
const feeds = ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml'].map((file) => `/v1/feeds/default/${file}`)

for (const engine of engines) {
  it(`${countText(edits)} pending edits change no byte and no header that the public gets, on ${engine.name}`, {
    tags: ['soak'],
    timeout: 600_000,
  }, async () => {
    const verso = await startVerso(engine)
    await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/blog/{slug}' })
    const ids: string[] = []
    for (let from = 0; from < edits; from += 100) {
      const create = (n: number) => ({
        op: 'create',
        body: { title: `Post ${from + n}`, status: 'published', content: `Text ${n}`, tags: ['a'] },
      })
      const { body } = await verso.post('/v1/posts/batch', { operations: Array.from({ length: 100 }, (_, n) => create(n)) })
      ids.push(...body.results.map((each: { post: { id: string } }) => each.post.id))
    }
    const read = async () => {
      const answers: unknown[] = []
      for (const [key, paths] of [
        [verso.public, asks],
        [null, feeds],
      ] as const)
        for (const path of paths) {
          const { status, headers, text } = await verso.get(path, { key, headers: { 'x-request-id': 'same' } })
          answers.push([path, status, text, [...headers].filter(([name]) => name !== 'date' && name !== 'keep-alive')])
        }
      return answers
    }
    const before = await read()
    const save = (id: string) =>
      verso.patch(`/v1/posts/${id}/pending`, {
        title: `pending ${id}`,
        slug: id.replace('post_', 'pending-'),
        content: 'pending',
        tags: ['pending'],
      })
    for (let from = 0; from < ids.length; from += savedAtOnce) {
      const saved = await Promise.all(ids.slice(from, from + savedAtOnce).map(save))
      expect(new Set(saved.map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect((await verso.get('/v1/posts?fields=hasPendingEdit&limit=1')).body.data).toMatchObject([{ hasPendingEdit: true }])
    expect(await read()).toEqual(before)
  })
}
