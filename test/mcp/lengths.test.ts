import { expect, it } from 'vitest'
import { engines, startVerso, type TestEngine } from '../harness/harness.ts'
import { agentOn } from './agent-fixture.ts'

const [sqlite] = engines as readonly [TestEngine]
const [usually, atMost] = [8_000, 32_000]
const mebibyte = 1024 * 1024

/** Characters of which JSON makes six. */
const dear = (length: number) => '\u0001'.repeat(length)
const tag = (n: number) => `${n} ${'"'.repeat(70)}`
const filled = (line: (n: number) => string) =>
  Array.from({ length: 20_000 }, (_, n) => line(n))
    .join('\n\n')
    .slice(0, mebibyte)

it('tools that read: at most 8,000 characters by default and 32,000 where more is asked for, with 1 MiB posts, 500 posts and 2,000 tags', async () => {
  const verso = await startVerso(sqlite)
  for (let first = 0; first < 500; first += 100) {
    const operations = Array.from({ length: 100 }, (_, i) => {
      const n = first + i
      const tags = Array.from({ length: 4 }, (_, part) => tag(4 * n + part))
      return { op: 'create', body: { title: `${n} ${dear(290)}`, content: `Words ${n}.`, tags, status: 'published' } }
    })
    expect((await verso.post('/v1/posts/batch', { operations })).status).toBe(200)
  }
  expect((await verso.get('/v1/tags?limit=1')).body.pagination.total).toBe(2_000)
  const project = { notes: '"\n'.repeat(10_000), name: dear(100), siteUrl: `https://example.com/${'a'.repeat(2_000)}` }
  expect((await verso.patch('/v1/admin/project', project, { key: await verso.keyWith('admin') })).status).toBe(200)

  const fields = {
    title: dear(300),
    excerpt: dear(1_000),
    tags: Array.from({ length: 50 }, (_, n) => tag(n)),
    seo: { title: dear(300), description: dear(1_000), canonicalUrl: `https://example.com/${'a'.repeat(2_000)}` },
  }
  const agent = await agentOn(verso.app.url, verso.secret)
  const tried: (readonly [string, Record<string, unknown>])[] = [
    ['whoami', {}],
    ['find_posts', {}],
    ['find_posts', { sort: 'title' }],
    ['find_posts', { words: 'words' }],
    ['list_terms', {}],
    ['list_terms', { kind: 'tags' }],
  ]
  for (const content of [
    filled((n) => `## ${n} ${'"'.repeat(100)}\n\n[a](/b/nowhere-${n}) ![](https://example.com/${n}.jpg)`),
    filled((n) => `${n} ${'"'.repeat(5)} ${'y'.repeat(60)}`),
    'x'.repeat(mebibyte),
  ]) {
    const made = await verso.post('/v1/posts', { title: 'Long', content: 'Short.' })
    const post = made.body.id as string
    for (const status of ['draft', 'published']) {
      const changed = await verso.patch(`/v1/posts/${post}`, status === 'draft' ? { ...fields, content } : { status })
      expect(changed.status).toBe(200)
    }
    tried.push(
      ['read_post', { post }],
      ['read_post', { post, section: 'all' }],
      ['read_post', { post, section: 'all', cursor: '500000' }],
      ['check_post', { post }],
      ['history', { post }],
      ['history', { post, compare: 2 }],
    )
  }
  tried.push(['read_post', { post: String(tried.at(6)?.[1].post), section: '1' }])
  const lengths: (readonly [string, string, number])[] = []
  for (const [name, args] of tried) {
    const takesMore = ['read_post', 'list_terms', 'check_post', 'history'].includes(name)
    const more = takesMore ? { max_tokens: 8_000 } : name === 'find_posts' ? { limit: 50 } : undefined
    for (const [most, given] of [[usually, args], ...(more ? [[atMost, { ...args, ...more }] as const] : [])] as const) {
      const { length } = await agent.call(name, given)
      if (length > most) lengths.push([name, JSON.stringify(given), length])
    }
  }
  expect(lengths).toEqual([])
})
