import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp, type TestEngine } from './harness/harness.ts'

const future = '2030-01-01T00:00:00Z'
const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

const slugsOf = (body: { data: readonly { slug: string }[] }) => body.data.map(({ slug }) => slug).sort()

/** A post of every status, with authors, categories and tags to filter by. */
async function startWithPosts(engine: TestEngine): Promise<TestApp & { readonly authors: readonly { id: string; name: string }[] }> {
  const verso = await startVerso(engine)
  const admin = { key: await verso.keyWith('admin') }
  const authors = []
  for (const name of ['Ada', 'Grace']) authors.push((await verso.post('/v1/admin/authors', { name }, admin)).body)
  for (const name of ['News', 'Guides']) await verso.post('/v1/admin/categories', { name }, admin)
  for (const [i, status] of statuses.entries()) {
    await verso.post('/v1/posts', {
      title: `The ${status} one`,
      status,
      authorId: authors[i % 2].id,
      categoryId: i < 2 ? 'news' : 'guides',
      tags: i === 0 ? ['Node.js', 'All of them'] : ['all OF them'],
      ...(status === 'scheduled' && { scheduledFor: future }),
    })
  }
  return { ...verso, authors }
}

/** Every test quotes the line of the interface that was asked for; each is asked with the default secret key unless it says otherwise. */
for (const engine of engines) {
  describe(`the interface that was asked for, on ${engine.name}`, () => {
    it('"id string", "title string Required", "slug string", "content string Markdown text", …: every field of a post, always', async () => {
      const verso = await startVerso(engine)
      const { body } = await verso.post('/v1/posts', { title: 'One' })
      const fields = [
        'id',
        'title',
        'slug',
        'content',
        'excerpt',
        'status',
        'publishedAt',
        'scheduledFor',
        'author',
        'category',
        'tags',
        'seo',
      ]
      for (const post of [body, (await verso.get('/v1/posts/one')).body, (await verso.get('/v1/posts')).body.data[0]]) {
        expect(Object.keys(post)).toEqual(expect.arrayContaining(fields))
      }
    })

    it('"title | Required."', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.post('/v1/posts', { content: 'x' })
      expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/title', code: 'required' }] })
    })

    it('"slug | Unique per project. Generated automatically from the title."', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const create = async (project: Pick<TestApp, 'post'>) => (await project.post('/v1/posts', { title: 'Hello, world!' })).body.slug
      expect([await create(verso), await create(verso), await create(other), await create(other)]).toEqual([
        'hello-world',
        'hello-world-2',
        'hello-world',
        'hello-world-2',
      ])
      expect((await verso.get('/v1/posts/hello-world')).body.id).not.toBe((await other.get('/v1/posts/hello-world')).body.id)
    })

    it('"content | Markdown text."', async () => {
      const verso = await startVerso(engine)
      const content = '# Title\r\n\r\n* item  \n\n```js\n"\\u0000"\n```\n'
      await verso.post('/v1/posts', { title: 'One', content })
      expect((await verso.get('/v1/posts/one')).body.content).toBe(content)
    })

    it('"status | One of: draft, scheduled, published, archived.": each can be created, scheduled alone is 422', async () => {
      const verso = await startVerso(engine)
      for (const status of ['draft', 'published', 'archived']) {
        const answer = await verso.post('/v1/posts', { title: status, status })
        expect([answer.status, answer.body.status]).toEqual([201, status])
      }
      expect((await verso.post('/v1/posts', { title: 'x', status: 'scheduled' })).body).toMatchObject({
        status: 422,
        errors: [{ pointer: '/scheduledFor', code: 'required' }],
      })
      const scheduled = await verso.post('/v1/posts', { title: 'x', status: 'scheduled', scheduledFor: future })
      expect([scheduled.status, scheduled.body.status]).toEqual([201, 'scheduled'])
      expect((await verso.post('/v1/posts', { title: 'x', status: 'deleted' })).status).toBe(422)
    })

    it('"publishedAt | ISO date? | Set when the post is published.", "scheduledFor | Set when the post is scheduled."', async () => {
      const verso = await startWithPosts(engine)
      const { body } = await verso.get('/v1/posts?sort=status')
      expect(
        body.data.map(({ status, publishedAt, scheduledFor }: Record<string, unknown>) => [status, publishedAt, scheduledFor]),
      ).toEqual([
        ['archived', null, null],
        ['draft', null, null],
        ['published', '2026-06-01T12:00:00.000Z', null],
        ['scheduled', null, '2030-01-01T00:00:00.000Z'],
      ])
    })

    it('"author | Shape { id, name }", "An author is assigned to a post with the field authorId when the post is created or updated."', async () => {
      const { authors, ...verso } = await startWithPosts(engine)
      const [ada, grace] = authors.map(({ id, name }) => ({ id, name }))
      expect((await verso.get('/v1/posts/the-draft-one')).body.author).toEqual(ada)
      expect((await verso.patch('/v1/posts/the-draft-one', { authorId: grace?.id })).body.author).toEqual(grace)
      const { body } = await verso.get('/v1/posts?search=draft')
      expect(body.data[0].author).toEqual(grace)
    })

    it('"category | Shape { id, name, slug }", "tags | string[] | Tag names.", "seo | Shape { title, description, canonicalUrl, ogImage }"', async () => {
      const verso = await startWithPosts(engine)
      const { body } = await verso.get('/v1/posts/the-draft-one')
      expect(body.category).toEqual({ id: expect.any(String), name: 'News', slug: 'news' })
      expect(body.tags).toEqual(['Node.js', 'All of them'])
      expect(Object.keys(body.seo)).toEqual(['title', 'description', 'canonicalUrl', 'ogImage'])
    })

    it('"status | enum | Filter by status (draft, scheduled, published, archived)."; without it every status is shown', async () => {
      const verso = await startWithPosts(engine)
      for (const status of statuses) {
        expect(slugsOf((await verso.get(`/v1/posts?status=${status}`)).body)).toEqual([`the-${status}-one`])
      }
      expect(slugsOf((await verso.get('/v1/posts')).body)).toEqual(statuses.map((status) => `the-${status}-one`).sort())
      expect(slugsOf((await verso.get('/v1/posts?status=draft,archived')).body)).toEqual(['the-archived-one', 'the-draft-one'])
      expect((await verso.get('/v1/posts?status=live')).status).toBe(400)
    })

    it('"category | Category slug.", "tag | Tag slug.", "author | Author id."', async () => {
      const { authors, ...verso } = await startWithPosts(engine)
      const find = async (query: string) => slugsOf((await verso.get(`/v1/posts?${query}`)).body)
      const [draft, scheduled, published, archived] = statuses.map((status) => `the-${status}-one`)
      expect(await find('category=news')).toEqual([draft, scheduled])
      expect(await find('category=guides')).toEqual([archived, published])
      expect(await find('category=news,guides')).toHaveLength(4)
      expect(await find('tag=node-js')).toEqual([draft])
      expect(await find('tag=all-of-them')).toHaveLength(4)
      expect(await find(`author=${authors[0]?.id}`)).toEqual([draft, published])
      expect(await find(`author=${authors[1]?.id}`)).toEqual([archived, scheduled])
      expect(await find(`author=${authors[0]?.id}&category=news&tag=all-of-them&status=draft&search=DRAFT`)).toEqual([draft])
      for (const none of [
        'category=nothing',
        'category=News',
        'tag=nothing',
        'tag=Node.js',
        'author=auth_x',
        'author=Ada',
        'author=nobody',
      ]) {
        expect(await find(none), none).toEqual([])
      }
    })

    it('"search | string | Case-insensitive match on the title."', async () => {
      const verso = await startVerso(engine)
      for (const title of ['Straße nach Süden', 'Привет, Мир', 'Plain title']) await verso.post('/v1/posts', { title, content: 'needle' })
      const find = async (search: string) => (await verso.get(`/v1/posts?search=${encodeURIComponent(search)}`)).body.pagination.total
      for (const search of ['STRASSE', 'straße', 'SÜDEN', 'привет', 'МИР', 'pLaIn', 'n t']) expect(await find(search), search).toBe(1)
      for (const search of ['needle', 'suden', 'titles']) expect(await find(search), search).toBe(0)
    })

    it('"sort | A field name for ascending order, or … prefixed with - … Sort field names use snake_case (for example published_at)."', async () => {
      const verso = await startVerso(engine)
      for (const [title, year] of [
        ['b', 2022],
        ['c', 2021],
        ['a', 2023],
      ] as const) {
        await verso.post('/v1/posts', { title, status: 'published', publishedAt: `${year}-01-01T00:00:00Z` })
      }
      const order = async (sort: string) =>
        (await verso.get(`/v1/posts?sort=${sort}`)).body.data?.map(({ title }: { title: string }) => title).join('')
      expect(await order('published_at')).toBe('cba')
      expect(await order('-published_at')).toBe('abc')
      expect(await order('title')).toBe('abc')
      expect(await order('-title')).toBe('cba')
      for (const sort of ['created_at', 'updated_at', 'scheduled_for', 'slug', 'status']) expect(await order(sort), sort).toHaveLength(3)
      expect((await verso.get('/v1/posts?sort=publishedAt')).body).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
        errors: [{ parameter: 'sort', detail: expect.stringContaining('published_at') }],
      })
    })

    it('"page | integer | Page number.", "limit | integer | Page size; maximum 100."', async () => {
      const verso = await startVerso(engine)
      await Promise.all(Array.from({ length: 101 }, (_, i) => verso.post('/v1/posts', { title: `Post ${i}` })))
      const page = async (query: string) => (await verso.get(`/v1/posts?sort=title&${query}`)).body
      expect((await page('limit=100')).data).toHaveLength(100)
      expect((await page('limit=100&page=2')).data).toHaveLength(1)
      expect((await page('limit=100&page=3')).data).toEqual([])
      const ids = [...(await page('limit=60')).data, ...(await page('limit=60&page=2')).data].map(({ id }: { id: string }) => id)
      expect(new Set(ids).size).toBe(101)
      for (const query of ['limit=101', 'limit=0', 'page=0', 'page=x']) expect((await page(query)).status, query).toBe(400)
    })

    it('"The response is a list of post resources (section 2.1)."', async () => {
      const verso = await startWithPosts(engine)
      const { body } = await verso.get('/v1/posts')
      for (const post of body.data) expect(post).toEqual((await verso.get(`/v1/posts/${post.id}`)).body)
    })

    it('"POST /v1/posts … title yes, content no, tags no, status no, authorId no"', async () => {
      const { authors, ...verso } = await startWithPosts(engine)
      const sent = { title: 'Full', content: '# x', tags: ['One', 'two'], status: 'published', authorId: authors[0]?.id }
      const answer = await verso.post('/v1/posts', sent)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({
        title: 'Full',
        content: '# x',
        tags: ['One', 'two'],
        status: 'published',
        author: { id: sent.authorId },
      })
      for (const name of ['content', 'tags', 'status', 'authorId'] as const) {
        const { [name]: _, ...less } = sent
        expect((await verso.post('/v1/posts', less)).status, name).toBe(201)
      }
    })

    it('"The request must carry the Authorization header (section 5) and Content-Type application/json."', async () => {
      const verso = await startVerso(engine)
      expect((await verso.post('/v1/posts', { title: 'One' }, { key: null })).status).toBe(401)
      expect((await verso.post('/v1/posts', { title: 'One' }, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
      expect((await verso.post('/v1/posts', { title: 'One' })).status).toBe(201)
    })

    it('"Requests carry the header Authorization: Bearer <API_KEY>, where the API key is a live key issued for the project."', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      expect(verso.secret).toMatch(/^verso_live_/)
      await verso.post('/v1/posts', { title: 'Mine' })
      const titles = async (key: string) => (await verso.get('/v1/posts', { key })).body.data.map(({ title }: { title: string }) => title)
      expect([await titles(verso.secret), await titles(other.secret)]).toEqual([['Mine'], []])
    })

    it('"all endpoints are under /v1"', async () => {
      const verso = await startVerso(engine)
      for (const path of ['/posts', '/v2/posts', '/api/v1/posts']) expect((await verso.get(path)).status, path).toBe(404)
    })

    it('"A post may be created with status draft.": and it goes through every state from there', async () => {
      const verso = await startVerso(engine)
      expect((await verso.post('/v1/posts', { title: 'One', status: 'draft' })).status).toBe(201)
      for (const status of ['published', 'archived', 'draft', 'archived', 'published', 'draft', 'published'] as const) {
        expect((await verso.patch('/v1/posts/one', { status })).body.status).toBe(status)
      }
    })
  })
}
