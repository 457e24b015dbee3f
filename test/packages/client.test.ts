import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Author, type Category, type Media, type Post, Problem, type Tag, Verso } from '@verso/client'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { engines, shared, startVerso } from '../harness/harness.ts'
import { describeSite } from '../harness/site.ts'
import { recorded } from './fetches.ts'

const folder = resolve(import.meta.dirname, '../../packages/client')
const built = readFileSync(join(folder, 'dist/client.js'), 'utf8')

const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error : undefined),
  )

describe('@verso/client as it is built', () => {
  it('has at most 6 kB gzipped, in one file', () => {
    expect(gzipSync(built, { level: 9 }).length).toBeLessThanOrEqual(6 * 1024)
    expect(built).not.toMatch(/\bimport\b|\brequire\b/)
  })

  it('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('peerDependencies')
  })
})

for (const engine of engines) {
  describe(`@verso/client on ${engine.name}`, () => {
    it('posts: creates, reads, changes, deletes and restores', async () => {
      const { app, secret } = await startVerso(engine)
      const verso = new Verso({ url: `${app.url}/`, key: secret })
      const made = await verso.posts.create({ title: 'Harbour', tags: ['Sea'] })
      expectTypeOf(made).toEqualTypeOf<Post>()
      expect(await verso.posts.get('harbour')).toEqual(made)
      const changed = await verso.posts.update(made.id, { status: 'published' }, { ifMatch: made.version })
      expect(changed).toMatchObject({ status: 'published', version: 2 })
      expect(await problemOf(verso.posts.update(made.id, { title: 'Late' }, { ifMatch: 1 }))).toMatchObject({
        code: 'stale_version',
        status: 412,
      })
      expect(await verso.posts.delete(made.id)).toBeUndefined()
      expect(await problemOf(verso.posts.get('harbour'))).toMatchObject({ code: 'not_found' })
      expect(await verso.posts.restore(made.id)).toMatchObject({ slug: 'harbour', status: 'published' })
      expect(await verso.request('GET /v1/tags/{idOrSlug}', { idOrSlug: 'sea' })).toMatchObject({ postCount: 1 })
    })

    it('changes: everything once, then what has changed, and a cursor that is lost begins anew', async () => {
      const { app, secret, context } = await startVerso(engine)
      const verso = new Verso({ url: app.url, key: secret })
      for (const title of ['One', 'Two', 'Three']) await verso.posts.create({ title })
      const read = async (since?: string) => {
        const told: string[] = []
        let cursor = ''
        for await (const page of verso.changes({ since, limit: 2 })) {
          if (page.restarted) told.push('restarted')
          for (const change of page.data) told.push(`${change.action} ${change.type}`)
          cursor = page.nextCursor
        }
        return { told, cursor }
      }
      const first = await read()
      expect(first.told).toEqual(['upsert post', 'upsert post', 'upsert post'])
      expect((await read(first.cursor)).told).toEqual([])
      await verso.posts.delete('two')
      expect((await read(first.cursor)).told).toEqual(['delete post'])
      context.travelTo('2027-06-01T00:00:00.000Z')
      expect((await read(first.cursor)).told).toEqual(['restarted', 'upsert post', 'upsert post'])
      expect((await read('of-another-key')).told[0]).toBe('restarted')
    })
  })
}

const [engine] = engines

describe('@verso/client', () => {
  const site = shared(async () => {
    if (!engine) throw new Error('no engine')
    const started = await startVerso(engine)
    const writer = new Verso({ url: started.app.url, key: started.secret })
    for (let i = 1; i <= 7; i++)
      await writer.posts.create({ title: `Post ${i}`, status: 'published', tags: i % 2 ? ['Odd'] : ['Even', 'A, b'], content: 'Text.' })
    await writer.posts.create({ title: 'Draft', content: 'Not yet.' })
    return { ...started, writer }
  })

  const reader = async (options: Readonly<Record<string, unknown>> = {}) => {
    const { app, public: key } = await site()
    const { fetch, calls } = recorded()
    return { verso: new Verso({ url: app.url, key, fetch, ...options }), calls }
  }

  it('walks all of a list, each item once, and its pages', async () => {
    const { verso, calls } = await reader()
    const titles: string[] = []
    for await (const { title } of verso.posts.all({ limit: 3, sort: 'title' })) titles.push(title)
    expect(titles).toEqual([1, 2, 3, 4, 5, 6, 7].map((i) => `Post ${i}`))
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
    const sizes: number[] = []
    for await (const { data } of verso.posts.pages({ limit: 4, page: 1 })) sizes.push(data.length)
    expect(sizes).toEqual([4, 3])
    const tags: string[] = []
    for await (const { data } of verso.pages('GET /v1/tags', { limit: 2 })) tags.push(...data.map(({ name }) => name))
    expect(tags).toEqual(['A, b', 'Even', 'Odd'])
  })

  it('narrows items to the fields that were asked for, in their type, too', async () => {
    const { verso } = await reader()
    const { data, pagination } = await verso.posts.list({ fields: ['title', 'slug'], tag: ['odd', 'even'], limit: 1, sort: 'title' })
    expect(data).toEqual([{ id: expect.any(String), title: 'Post 1', slug: 'post-1' }])
    expect(pagination).toMatchObject({ total: 7, hasMore: true })
    expectTypeOf(data[0]).toEqualTypeOf<Pick<Post, 'id' | 'title' | 'slug'> | undefined>()
    const without = await verso.posts.list({ exclude: 'content', limit: 1 })
    expectTypeOf(without.data[0]).toEqualTypeOf<Omit<Post, 'content'> | undefined>()
    const related = await verso.posts.related('post-1', { fields: ['title'], limit: 1 })
    expect(Object.keys(related.data[0] ?? {})).toEqual(['id', 'title'])
    expectTypeOf(related.data[0]).toEqualTypeOf<Pick<Post, 'id' | 'title'> | undefined>()
    expectTypeOf(() => verso.posts.related('post-1')).returns.resolves.toEqualTypeOf<{ readonly data: readonly Post[] }>()
    const rendered = await verso.posts.get('post-1', { include: ['html', 'toc'] })
    expect(rendered).toMatchObject({ contentHtml: '<p>Text.</p>\n', toc: [] })
    expectTypeOf(rendered.contentHtml).toEqualTypeOf<string>()
  })

  it('knows the type of each resource', async () => {
    const { verso } = await reader()
    const { data } = await verso.tags.list({ limit: 1 })
    expect(await verso.tags.get(data[0]?.slug ?? '')).toEqual(data[0])
    expectTypeOf(() => verso.authors.get('id')).returns.resolves.toEqualTypeOf<Author>()
    expectTypeOf(() => verso.categories.get('id')).returns.resolves.toEqualTypeOf<Category>()
    expectTypeOf(() => verso.tags.get('id')).returns.resolves.toEqualTypeOf<Tag>()
    expectTypeOf(verso.media.update).returns.resolves.toEqualTypeOf<Media>()
  })

  it('revalidates what it has kept, and nobody changes what is kept', async () => {
    const { verso, calls } = await reader()
    const first = await verso.posts.get('post-1')
    const spoilt = (await verso.posts.get('post-1')) as { title: string }
    spoilt.title = 'Spoilt'
    expect(await verso.posts.get('post-1')).toEqual(first)
    expect(calls.map(({ status }) => status)).toEqual([200, 304, 304])
    expect(calls.map(({ headers }) => headers.has('if-none-match'))).toEqual([false, true, true])
  })

  it('keeps no more than it may: what was used longest ago goes first', async () => {
    const length = JSON.stringify(await (await reader()).verso.posts.get('post-1')).length
    const { verso, calls } = await reader({ cacheSize: Math.round(length * 2.5) })
    for (const slug of ['post-1', 'post-2', 'post-1', 'post-3', 'post-1', 'post-2']) await verso.posts.get(slug)
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 304, 200, 304, 200])
    const { verso: forgetful, calls: asked } = await reader({ cacheSize: 0 })
    for (let i = 0; i < 2; i++) await forgetful.posts.get('post-1')
    expect(asked.map(({ status }) => status)).toEqual([200, 200])
  })

  it('shows a draft to who has its preview token, without sending the key or keeping the answer', async () => {
    const { writer } = await site()
    const { token } = await writer.posts.createPreviewToken('draft', { expiresIn: 60 })
    const { verso, calls } = await reader()
    for (let i = 0; i < 2; i++) expect(await verso.posts.preview('draft', token)).toMatchObject({ content: 'Not yet.' })
    expect(calls.map(({ headers }) => [headers.has('authorization'), headers.has('if-none-match')])).toEqual([
      [false, false],
      [false, false],
    ])
    expect(await problemOf(verso.posts.get('draft'))).toMatchObject({ code: 'not_found' })
  })

  it('shows nothing to who has no preview token, whatever its own key sees', async () => {
    const { secret: key } = await site()
    const { verso, calls } = await reader({ key })
    for (const token of [undefined, null, '']) expect(await problemOf(verso.posts.preview('draft', token as never))).toBeInstanceOf(Problem)
    expect(calls.map(({ headers, status }) => [headers.get('authorization'), status])).toEqual([
      [null, 404],
      [null, 404],
      [null, 400],
    ])
  })

  it('reads feeds as they are, also those that it has kept', async () => {
    const { verso, calls } = await reader()
    await describeSite(await site(), { siteUrl: 'https://example.com', permalink: '/{slug}' })
    for (let i = 0; i < 2; i++) {
      const rss = await verso.request('GET /v1/feeds/{project}/rss.xml', { project: 'default' })
      expect(rss).toMatch(/^<\?xml [\s\S]+<rss [\s\S]+<\/rss>\n$/)
      expectTypeOf(rss).toEqualTypeOf<string>()
    }
    expect(await verso.request('GET /v1/feeds/{project}/sitemap.xml', { project: 'default', page: 1 })).toContain('<urlset ')
    expect(calls.map(({ status }) => status)).toEqual([200, 304, 200])
  })

  it('throws a problem with its code, status, faults and request id', async () => {
    const { verso } = await reader()
    const problem = await problemOf(verso.posts.list({ ...{ statu: 'draft' }, limit: 1 }))
    expect(problem).toMatchObject({
      name: 'Problem',
      code: 'unknown_parameter',
      status: 400,
      message: expect.stringContaining('did you mean `status`'),
      errors: [{ parameter: 'statu', code: 'unknown' }],
      requestId: expect.stringMatching(/^req_/),
      document: { title: 'A parameter is unknown' },
    })
    expect(await problemOf(verso.posts.create({ title: 'No' }))).toMatchObject({ code: 'insufficient_scope', status: 403 })
  })

  it('asks for no other path than the one that is meant', async () => {
    const { verso, calls } = await reader()
    for (const id of ['', '.', '..']) await expect(verso.posts.get(id)).rejects.toThrow(TypeError)
    expect(await problemOf(verso.posts.get('../authors?x=1#y'))).toMatchObject({ status: 404 })
    expect(calls.map(({ path }) => path)).toEqual(['/v1/posts/..%2Fauthors%3Fx%3D1%23y'])
  })

  it('waits for changes, and stops when it is told to', async () => {
    const { writer } = await site()
    const { verso } = await reader()
    let since = ''
    for await (const page of verso.changes()) since = page.nextCursor
    const stop = new AbortController()
    const told: string[] = []
    const following = (async () => {
      for await (const { data } of verso.changes({ since, wait: 30, signal: stop.signal })) {
        told.push(...data.map((change) => `${change.action} ${change.type}`))
        stop.abort(new Error('enough'))
      }
    })()
    await writer.posts.delete('post-7')
    await expect(following).rejects.toThrow('enough')
    expect(told).toEqual(['delete post'])
    await writer.request('POST /v1/posts/batch', { body: { operations: [{ op: 'create', body: { title: 'Post 7' } }] } })
  })
})
