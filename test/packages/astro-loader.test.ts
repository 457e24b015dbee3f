import {
  type AuthorData,
  authorPaths,
  feedItems,
  type PostData,
  redirectPaths,
  tagPaths,
  verso,
  versoContent,
  versoLive,
} from '@verso/astro'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestEngine } from '../harness/harness.ts'
import { describeSite } from '../harness/site.ts'
import { collectionOf } from './astro-collection.ts'
import { recorded } from './fetches.ts'

/** A service, a site of three collections over it, and the requests that its builds make. */
async function startSite(engine: TestEngine) {
  const started = await startVerso(engine)
  const { fetch, calls } = recorded()
  const content = versoContent({ url: started.app.url, key: started.public, fetch })
  const [posts, authors, categories] = [content.posts(), content.authors(), content.categories()].map((loader) => collectionOf(loader))
  if (!posts || !authors || !categories) throw new Error('no collections')
  const build = async () => {
    calls.length = 0
    await Promise.all([posts, authors, categories].map((each) => each.load()))
    return calls.map(({ path }) => path.replace(/\?.*/, ''))
  }
  const admin = await started.keyWith('admin')
  const publish = (title: string, fields = {}) => started.post('/v1/posts', { title, status: 'published', ...fields })
  return { ...started, posts, authors, categories, build, admin, publish }
}

const ids = (collection: { readonly entries: ReadonlyMap<string, unknown> }) => [...collection.entries.keys()].sort()

for (const engine of engines)
  describe(`@verso/astro: content collections on ${engine.name}`, () => {
    it('a build after one edit makes one request, for all collections together, and renders one post', async () => {
      const { posts, authors, categories, build, publish, post, patch, admin } = await startSite(engine)
      const { body: author } = await post('/v1/admin/authors', { name: 'Mira Holt' }, { key: admin })
      await post('/v1/admin/categories', { name: 'Log book' }, { key: admin })
      for (let i = 1; i <= 3; i++)
        await publish(`Post ${i}`, { content: `Text ${i}`, authorId: author.id, categoryId: 'log-book', tags: ['Sea'] })
      await post('/v1/posts', { title: 'Draft' })
      expect(await build()).toEqual(['/v1/changes'])
      expect([ids(posts), ids(categories)]).toEqual([['post-1', 'post-2', 'post-3'], ['log-book']])
      expect([...authors.entries.values()].map(({ data }) => data.name)).toEqual(['Mira Holt'])
      expect(posts.entries.get('post-1')).toMatchObject({
        body: 'Text 1',
        rendered: { html: '<p>Text 1</p>', metadata: { imagePaths: [] } },
        data: { title: 'Post 1', publishedAt: expect.any(Date), date: expect.any(Date), tagSlugs: ['sea'], author: { name: 'Mira Holt' } },
      })
      expect(posts.entries.get('post-1')?.data).not.toHaveProperty('content')

      posts.rendered.length = 0
      await patch('/v1/posts/post-2', { content: 'New text' })
      expect(await build()).toEqual(['/v1/changes'])
      expect(posts.rendered).toEqual(['New text'])
      expect(await build()).toEqual(['/v1/changes'])
      expect([posts.rendered, posts.said.at(-1)]).toEqual([['New text'], '0 changed, 0 deleted, 3 in all'])
    })

    it('posts that are renamed, swap their slugs, or are gone: the entries follow', async () => {
      const { posts, build, publish, patch, delete: remove } = await startSite(engine)
      const made = []
      for (const title of ['One', 'Two', 'Three', 'Four']) made.push((await publish(title)).body)
      await build()
      await patch('/v1/posts/one', { slug: 'between' })
      await patch('/v1/posts/two', { slug: 'one' })
      await patch('/v1/posts/between', { slug: 'two' })
      await patch('/v1/posts/three', { status: 'archived' })
      await remove('/v1/posts/four')
      await build()
      expect([...posts.entries].map(([id, { data }]) => [id, data.title]).sort()).toEqual([
        ['one', 'Two'],
        ['two', 'One'],
      ])
      expect(posts.said.at(-1)).toBe('2 changed, 2 deleted, 2 in all')
    })

    it('a post comes again when its author has another name', async () => {
      const { posts, build, publish, post, patch, admin } = await startSite(engine)
      const { body: author } = await post('/v1/admin/authors', { name: 'Mira Holt' }, { key: admin })
      await publish('One', { authorId: author.id })
      await build()
      await patch(`/v1/admin/authors/${author.id}`, { name: 'Mira Berg' }, { key: admin })
      await build()
      expect(posts.entries.get('one')?.data.author).toMatchObject({ name: 'Mira Berg' })
    })

    it('a cursor that has expired: everything comes again, what is gone goes, and nothing is rendered twice', async () => {
      const { posts, build, publish, patch, delete: remove, context } = await startSite(engine)
      for (const title of ['One', 'Two', 'Three']) await publish(title, { content: title })
      await build()
      await remove('/v1/posts/one')
      await patch('/v1/posts/two', { content: 'Changed' })
      context.travelTo('2027-06-01T00:00:00.000Z')
      posts.rendered.length = 0
      await build()
      expect([ids(posts), posts.rendered]).toEqual([['three', 'two'], ['Changed']])
    })
  })

const [engine] = engines
const oneEngine = () => {
  if (!engine) throw new Error('no engine')
  return engine
}

describe('@verso/astro', () => {
  it('another key, another service, another way to render: everything comes again', async () => {
    const { app, secret, public: key, publish, post } = await startSite(oneEngine())
    await publish('Out', { content: 'Text' })
    await post('/v1/posts', { title: 'Draft' })
    const meta = new Map<string, string>()
    const of = (given: string, render: 'markdown' | 'none' = 'markdown') =>
      collectionOf(versoContent({ url: app.url, key: given }).posts({ render }), undefined, meta)
    const [reader, writer, plain] = [of(key), of(secret), of(key, 'none')]
    await reader.load()
    await writer.load()
    await plain.load()
    expect([ids(reader), ids(writer), ids(plain)]).toEqual([['out'], ['draft', 'out'], ['out']])
    expect([reader, plain].map(({ entries }) => entries.get('out')?.rendered?.html)).toEqual(['<p>Text</p>', undefined])
  })

  it('HTML of Verso: of one changed post alone, of many from the list', async () => {
    const { app, public: key, publish, patch } = await startSite(oneEngine())
    for (let i = 1; i <= 7; i++) await publish(`Post ${i}`, { content: `## Part ${i}` })
    const { fetch, calls } = recorded()
    const posts = collectionOf(versoContent({ url: app.url, key, fetch }).posts({ render: 'html' }))
    await posts.load()
    expect(calls.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/v1/changes', '/v1/posts'])
    const rendered = (slug: string) => posts.entries.get(slug)?.rendered
    expect(rendered('post-7')?.html).toMatch(/<h2 id="[^"]+">.*Part 7.*<\/h2>/)
    expect(rendered('post-7')?.metadata?.headings).toEqual([{ depth: 2, slug: expect.stringContaining('part-7'), text: 'Part 7' }])
    const { body } = await patch('/v1/posts/post-7', { content: '<script>alert(1)</script>\n\n*New*' })
    calls.length = 0
    await posts.load()
    expect(calls.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/v1/changes', `/v1/posts/${body.id}`])
    expect(rendered('post-7')?.html).toBe('\n<p><em>New</em></p>\n')
    expect(posts.entries.get('post-7')?.data).not.toHaveProperty('contentHtml')
  })

  it('HTML of Verso: a post that is gone by the time it is rendered fails no build', async () => {
    const { app, public: key, publish, patch } = await startSite(oneEngine())
    for (const title of ['One', 'Two']) await publish(title, { content: `*${title}*` })
    let isFirst = true
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (String(input).includes('include=html') && isFirst) {
        isFirst = false
        await patch('/v1/posts/one', { status: 'draft' })
        await patch('/v1/posts/two', { content: 'New' })
      }
      return globalThis.fetch(input, init)
    }
    const posts = collectionOf(versoContent({ url: app.url, key, fetch }).posts({ render: 'html' }))
    await posts.load()
    expect([...posts.entries.values()].map(({ id, rendered }) => [id, rendered?.html]).sort()).toEqual([
      ['one', '<pre>*One*</pre>'],
      ['two', '<p>New</p>\n'],
    ])
    await posts.load()
    expect(ids(posts)).toEqual(['two'])
  })

  it('live posts: by slug, in lists, a draft by its preview token; what is missing is an error that Astro hands on', async () => {
    const { app, public: key, publish, post } = await startSite(oneEngine())
    await publish('Out', { content: '*Text*', tags: ['Sea'] })
    const { body: draft } = await post('/v1/posts', { title: 'Draft', content: 'Not yet' })
    const { body: preview } = await post(`/v1/posts/${draft.id}/preview-tokens`, {})
    const live = versoLive({ url: app.url, key }).posts()
    const out = { id: 'out', data: { title: 'Out', date: expect.any(Date) }, rendered: { html: '<p><em>Text</em></p>\n' } }
    expect(await live.loadEntry({ filter: { id: 'out' } })).toMatchObject(out)
    expect(await live.loadCollection({ filter: { tag: 'sea' } })).toMatchObject({ entries: [out] })
    expect(await live.loadCollection({})).toMatchObject({ entries: [{ id: 'out' }] })
    expect(await live.loadEntry({ filter: { id: 'draft' } })).toMatchObject({ error: { code: 'not_found' } })
    const shown = await live.loadEntry({ filter: { id: 'draft', preview_token: preview.token } })
    expect(shown).toMatchObject({ id: 'draft', rendered: { html: '<p>Not yet</p>\n' }, data: { status: 'draft' } })
  })

  const openedAt = (pathname: string, search: string, permalink: string, { base = '/', preview = '/preview/{slug}' } = {}) => {
    const scripts: string[] = []
    const integration = verso({ permalink, preview })
    const injectScript = (_: string, text: string) => void scripts.push(text)
    integration.hooks['astro:config:setup']({ config: { base }, injectRoute: () => undefined, injectScript })
    const location = { pathname, search, replace: (to: string) => void went.push(to) }
    const went: string[] = []
    new Function('location', scripts.join(''))(location)
    return went
  }

  it('the links of preview tokens lead to the page of the site that shows previews', () => {
    const goTo = (pathname: string, search: string) => openedAt(pathname, search, '/blog/{slug}/')
    expect(goTo('/blog/not-yet', '?preview_token=verso_preview_1')).toEqual(['/preview/not-yet?preview_token=verso_preview_1'])
    expect(goTo('/blog/not-yet/', '?preview_token=verso_preview_1')).toEqual(['/preview/not-yet?preview_token=verso_preview_1'])
    expect([goTo('/blog/not-yet', '?page=1'), goTo('/preview/not-yet', '?preview_token=x'), goTo('/blog/a/b', '?preview_token=x')]).toEqual(
      [[], [], []],
    )
  })

  it.each([
    ['/{year}/{month}/{day}/{slug}', '/2026/06/01/not-yet', 'not-yet'],
    ['/{category}/{slug}', '/log/not-yet', 'not-yet'],
    ['/{category}/{slug}', '/not-yet', 'not-yet'],
    ['/{id}-{slug}.html', '/post_01kt7a8t-not-yet.html', 'not-yet'],
    ['/p/{id}', '/p/post_01kt7a8t', 'post_01kt7a8t'],
  ])('the links of preview tokens lead there from any permalink: %s', (permalink, pathname, post) => {
    expect(openedAt(pathname, '?preview_token=x', permalink)).toEqual([`/preview/${post}?preview_token=x`])
    for (const other of ['/about/2/us', '/preview/not-yet', '/preview/not-yet/'])
      expect(openedAt(other, '?preview_token=x', permalink)).toEqual([])
  })

  it.each([
    ['/docs', '/posts/{slug}', '/preview/{slug}'],
    ['/docs/', '/posts/{slug}', '/preview/{slug}'],
    ['/docs', '/docs/posts/{slug}', '/docs/preview/{slug}'],
  ])('the links of preview tokens lead there below the base %s, with the paths %s and %s', (base, permalink, preview) => {
    const openedBelow = (pathname: string) => openedAt(pathname, '?preview_token=x', permalink, { base, preview })
    expect(openedBelow('/docs/posts/not-yet')).toEqual(['/docs/preview/not-yet?preview_token=x'])
    expect(openedBelow('/posts/not-yet')).toEqual([])
  })

  it('redirects: read again when a post comes, goes or moves, and not for another text', async () => {
    const site = await startSite(oneEngine())
    const { app, public: key, publish, patch, delete: remove } = site
    const { fetch, calls } = recorded()
    const content = versoContent({ url: app.url, key, fetch })
    const [posts, redirects] = [collectionOf(content.posts()), collectionOf(content.redirects())]
    const build = async () => {
      calls.length = 0
      await Promise.all([posts.load(), redirects.load()])
      return calls.map(({ path }) => path.replace(/\?.*/, ''))
    }
    expect(await build()).toEqual(['/v1/changes', '/v1/redirects'])
    expect(redirects.said[0]).toMatch(/^warning: There are no redirects: .+permalink/)
    await describeSite(site, { permalink: '/blog/{slug}', siteUrl: 'https://example.com' })
    await publish('One', { aliases: ['/2019/caf%C3%A9/', '/?p=1'] })
    expect(await build()).toEqual(['/v1/changes', '/v1/redirects'])
    expect([...redirects.entries].map(([id, { data }]) => [id, data.to])).toEqual([['2019/café', '/blog/one']])
    expect(redirects.said.at(-2)).toContain('1 redirects have a query')
    await patch('/v1/posts/one', { content: 'Another text' })
    expect(await build()).toEqual(['/v1/changes'])
    await patch('/v1/posts/one', { slug: 'first' })
    expect(await build()).toEqual(['/v1/changes', '/v1/redirects'])
    expect([...redirects.entries].map(([id, { data }]) => [id, data.to]).sort()).toEqual([
      ['2019/café', '/blog/first'],
      ['blog/one', '/blog/first'],
    ])
    await remove('/v1/posts/first')
    expect(await build()).toEqual(['/v1/changes', '/v1/redirects'])
    expect(ids(redirects)).toEqual([])
  })

  it('redirects: read again when a post has another category or day, on which its address may depend', async () => {
    const site = await startSite(oneEngine())
    const { app, public: key, publish, patch, post, admin } = site
    await describeSite(site, { permalink: '/{category}/{year}/{slug}', siteUrl: 'https://example.com' })
    for (const name of ['Log', 'Sea']) await post('/v1/admin/categories', { name }, { key: admin })
    await publish('One', { aliases: ['/old'], categoryId: 'log', publishedAt: '2025-01-01T00:00:00Z' })
    const redirects = collectionOf(versoContent({ url: app.url, key }).redirects())
    const leadsTo = async () => {
      await redirects.load()
      return redirects.entries.get('old')?.data.to
    }
    expect(await leadsTo()).toBe('/log/2025/one')
    await patch('/v1/posts/one', { categoryId: 'sea' })
    expect(await leadsTo()).toBe('/sea/2025/one')
    await patch('/v1/admin/categories/sea', { slug: 'ocean' }, { key: admin })
    expect(await leadsTo()).toBe('/ocean/2025/one')
    await patch('/v1/posts/one', { publishedAt: '2024-01-01T00:00:00Z' })
    expect(await leadsTo()).toBe('/ocean/2024/one')
  })

  it('redirects: of /a and /a/, which Astro takes for one page, the first counts', async () => {
    const site = await startSite(oneEngine())
    const { app, public: key, publish } = site
    await describeSite(site, { permalink: '/{slug}' })
    await publish('One', { aliases: ['/old'] })
    await publish('Two', { aliases: ['/old/'] })
    const redirects = collectionOf(versoContent({ url: app.url, key }).redirects())
    await redirects.load()
    expect([...redirects.entries].map(([id, { data }]) => [id, data.from, data.to])).toEqual([['old', '/old', '/one']])
  })

  it.each([
    ['/', ['blog/posts/old → /blog/posts/one', 'café → /blog/posts/one', 'blogs → /blog/posts/one']],
    ['/blog', ['posts/old → /blog/posts/one']],
    ['/blog/', ['posts/old → /blog/posts/one']],
    ['/blog/posts', ['old → /blog/posts/one']],
    ['/caf%C3%A9', []],
  ])('redirects: with the base %s, pages below it, which have their paths without it', (base, pages) => {
    const redirects = ['blog/posts/old', 'café', 'blogs'].map((id) => ({ id, data: { to: '/blog/posts/one' } }))
    expect(redirectPaths(redirects, base).map(({ params, props }) => `${params.from} → ${props.to}`)).toEqual(pages)
  })

  it('a service that refuses fails the build, and says why', async () => {
    const { app } = await startSite(oneEngine())
    await expect(collectionOf(versoContent({ url: app.url, key: 'verso_pub_x' }).posts()).load()).rejects.toMatchObject({
      code: 'invalid_key',
    })
    await expect(collectionOf(versoContent({ url: 'http://127.0.0.1:1', retries: 0 }).posts()).load()).rejects.toThrow(
      'Verso does not answer at http://127.0.0.1:1',
    )
  })

  it('Markdown is rendered whole, and what cannot be rendered is shown as it is written', async () => {
    const { app, public: key, publish } = await startSite(oneEngine())
    await publish('Rule', { content: '---\ntext: all of it\n---\nMore' })
    await publish('Broken', { content: 'a <b> & "c"' })
    await publish('Picture', { content: 'picture' })
    const posts = collectionOf(versoContent({ url: app.url, key }).posts(), (markdown) => {
      if (markdown.startsWith('a ')) throw new URIError('URI malformed')
      return markdown === 'picture'
        ? '<img __ASTRO_IMAGE_="{&quot;src&quot;:&quot;a &amp;amp; b.png&quot;,&quot;alt&quot;:&quot;\\&quot;A\\&quot;&quot;,&quot;index&quot;:0}">'
        : markdown
    })
    await posts.load()
    expect(posts.rendered.find((text) => text.includes('all of it'))).toBe('<!---->\n\n---\ntext: all of it\n---\nMore')
    expect(posts.entries.get('broken')?.rendered?.html).toBe('<pre>a &#60;b&#62; &#38; &#34;c&#34;</pre>')
    expect(posts.said).toContain('warning: The Markdown of the post broken cannot be rendered: URI malformed')
    expect(posts.entries.get('picture')?.rendered?.html).toBe('<img src="a &#38;amp; b.png" alt="&#34;A&#34;">')
  })

  it('pages of tags and authors, and feeds, are made from the collections', () => {
    const entry = (id: string, day: number, tags: readonly string[], author: string | null) => {
      const tagSlugs = tags.map((tag) => tag.toLowerCase())
      const date = new Date(Date.UTC(2026, 0, day))
      const data = { title: id, excerpt: null, date, publishedAt: date, category: null, tags, tagSlugs, author: author && { id: author } }
      return { id, data: data as unknown as PostData, rendered: { html: `<p>${id}</p>` } }
    }
    const posts = [entry('a', 1, ['Sea'], 'auth_1'), entry('b', 3, ['Air', 'Sea'], 'auth_2'), entry('c', 2, [], null)]
    expect(tagPaths(posts).map(({ params, props }) => [params.tag, props.name, props.posts.map(({ id }) => id)])).toEqual([
      ['air', 'Air', ['b']],
      ['sea', 'Sea', ['b', 'a']],
    ])
    const authors = ['auth_1', 'auth_2', 'auth_3'].map((id) => ({ id: `of-${id}`, data: { id } as unknown as AuthorData }))
    expect(authorPaths(authors, posts).map(({ params, props }) => [params.author, props.author.id, props.posts.length])).toEqual([
      ['of-auth_1', 'of-auth_1', 1],
      ['of-auth_2', 'of-auth_2', 1],
    ])
    expect(feedItems(posts, '/blog/{slug}/').map(({ link, content }) => [link, content])[0]).toEqual(['/blog/b/', '<p>b</p>'])
    const many = Array.from({ length: 30 }, (_, i) => entry(`${i}`, i + 1, [], null))
    expect(feedItems(many, '/{slug}').length).toBe(20)
  })

  it.each([
    ['/{category}/{slug}', 'News', '/news/one'],
    ['/blog/{category}/{slug}/', undefined, '/blog/one/'],
    ['/{year}/{month}/{day}/{slug}', undefined, '/2026/02/28/one'],
    ['https://example.com/{category}/p/{id}', undefined, 'https://example.com/p/{id}'],
  ])('feedItems: with the permalink %s, of a post in the category %s, the link is %s', async (permalink, name, link) => {
    const { app, public: key, publish, post, admin } = await startSite(oneEngine())
    const category = name && (await post('/v1/admin/categories', { name }, { key: admin })).body.id
    const { body } = await publish('One', { publishedAt: '2026-03-01T00:30:00+01:00', ...(category && { categoryId: category }) })
    const posts = collectionOf(versoContent({ url: app.url, key }).posts())
    await posts.load()
    const entries = [...posts.entries.values()].map(({ id, data }) => ({ id, data: data as unknown as PostData }))
    expect(feedItems(entries, permalink).map((item) => item.link)).toEqual([link.replace('{id}', body.id)])
  })

  it('a collection that is loaded later does not take over what was read before', async () => {
    const { app, public: key, publish, patch } = await startSite(oneEngine())
    await publish('One')
    const { fetch, calls } = recorded()
    const content = versoContent({ url: app.url, key, fetch })
    const [first, second] = [collectionOf(content.posts()), collectionOf(content.posts())]
    await first.load()
    await patch('/v1/posts/one', { title: 'Two' })
    await second.load()
    expect(second.entries.get('one')?.data.title).toBe('Two')
    expect(calls.length).toBe(2)
  })
})
