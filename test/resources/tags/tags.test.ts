import { describe, expect, it } from 'vitest'
import {
  type Answer,
  engines,
  seededRandom,
  shared,
  startVerso,
  type TestApp,
  type TestEngine,
  testContext,
} from '../../harness/harness.ts'
import { startWorld, type World } from '../../harness/repeatable-service.ts'

interface Tag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly postCount: number
}

const post = async (app: Pick<TestApp, 'post'>, tags: readonly string[], fields: Record<string, unknown> = {}) => {
  const { status, body } = await app.post('/v1/posts', { title: 'A post', tags, status: 'published', ...fields })
  expect(status).toBe(201)
  return body
}
const shown = ({ body }: Answer) => body.data.map(({ name, postCount }: Tag) => `${name} ${postCount}`)
const names = ({ body }: Answer): readonly string[] => body.data.map(({ name }: Tag) => name)
/** What an answer says, but for what names this one request. */
const said = ({ status, body }: Answer) => ({ status, body: { ...body, instance: undefined, requestId: undefined } })
const sorts = ['name', 'created_at', 'slug', 'post_count'].flatMap((sort) => [sort, `-${sort}`])

for (const engine of engines)
  describe(`tags on ${engine.name}`, () => {
    it('GET /v1/tags: id, name, slug, description and postCount, "Fields of category and tag as standalone resources: not shown."', async () => {
      const app = await startVerso(engine)
      await post(app, ['Node.js'])
      const { status, body } = await app.get('/v1/tags')
      expect(status).toBe(200)
      const tag = { id: expect.stringMatching(/^tag_[0-9a-z]{26}$/), name: 'Node.js', slug: 'node-js', description: null, postCount: 1 }
      expect(body).toEqual({ data: [tag], pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false, nextCursor: null } })
    })

    it('GET /v1/tags: id and slug come from the name, so they do not tell that a draft had the tag before', async () => {
      const [drafted, plain] = [await startWorld(engine), await startWorld(engine)]
      await drafted.step('draft', '2026-01-01T00:00:00.000Z', (verso) => post(verso, ['plans', '日本'], { status: 'draft' }))
      const seen = async ({ step }: World) => {
        await step('published', '2026-06-01T12:00:00.000Z', (verso) => post(verso, ['Plans', '日本'], { slug: 'one' }))
        return step('read', '2026-06-01T12:00:00.000Z', async (verso) => (await verso.get('/v1/tags', { key: verso.public })).text)
      }
      expect(await seen(drafted)).toBe(await seen(plain))
    })

    it('GET /v1/tags/{idOrSlug}: the same tag by id and by slug; HEAD too', async () => {
      const app = await startVerso(engine)
      await post(app, ['News', 'Other'])
      const [tag] = (await app.get('/v1/tags')).body.data
      for (const ref of [tag.id, 'news']) {
        const { status, body, headers } = await app.get(`/v1/tags/${ref}`)
        expect([status, body]).toEqual([200, tag])
        const head = await app.request('HEAD', `/v1/tags/${ref}`)
        expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')])
      }
    })

    it('GET /v1/posts: "tag | string | Tag slug." is a slug of GET /v1/tags', async () => {
      const app = await startVerso(engine)
      const { id } = await post(app, ['C++'])
      await post(app, ['C'])
      for (const { slug, name } of (await app.get('/v1/tags')).body.data) {
        const found = (await app.get(`/v1/posts?tag=${slug}`)).body.data
        expect(found).toHaveLength(1)
        expect(found[0].tags).toEqual([name])
      }
      expect((await app.get('/v1/posts?tag=c')).body.data[0].id).toBe(id)
    })

    it('the same tag is the same folded, trimmed name: "AI" is "ai", "C" is not "C++"', async () => {
      const app = await startVerso(engine)
      await post(app, ['AI', 'C', 'Straße', 'Café'])
      app.context.travelTo('2026-06-02T00:00:00Z')
      await post(app, [' ai ', 'C++', 'STRASSE', 'Cafe\u0301', 'Ai'])
      expect(shown(await app.get('/v1/tags'))).toEqual(['AI 2', 'C 1', 'C++ 1', 'Café 2', 'Straße 2'])
      expect((await app.get('/v1/tags/c-2')).body).toMatchObject({ name: 'C++', postCount: 1 })
    })

    it('a tag is spelled as the first post spells it, for as long as that carries it', async () => {
      const app = await startVerso(engine)
      const first = await post(app, ['GraphQL'])
      app.context.travelTo('2026-06-02T00:00:00Z')
      const second = await post(app, ['graphql'])
      app.context.travelTo('2026-06-03T00:00:00Z')
      await post(app, ['GRAPHQL'])
      expect(shown(await app.get('/v1/tags'))).toEqual(['GraphQL 3'])
      await app.patch(`/v1/posts/${first.id}`, { tags: [] })
      expect(shown(await app.get('/v1/tags'))).toEqual(['graphql 2'])
      await app.delete(`/v1/posts/${second.id}`)
      expect(shown(await app.get('/v1/tags'))).toEqual(['GRAPHQL 1'])
      await app.post(`/v1/posts/${second.id}/restore`)
      expect(shown(await app.get('/v1/tags'))).toEqual(['graphql 2'])
    })

    it('"Tags come into being by being named on a post": one that no post carries is not there, and comes back as itself', async () => {
      const app = await startVerso(engine)
      const { id } = await post(app, ['News'])
      const tag = (await app.get('/v1/tags/news')).body
      await app.patch(`/v1/posts/${id}`, { tags: [] })
      expect((await app.get('/v1/tags')).body).toMatchObject({ data: [], pagination: { total: 0 } })
      expect([(await app.get('/v1/tags/news')).status, (await app.get(`/v1/tags/${tag.id}`)).status]).toEqual([404, 404])
      await app.patch(`/v1/posts/${id}`, { tags: ['News'] })
      expect((await app.get('/v1/tags/news')).body).toEqual(tag)
    })

    describe('what is unpublished', () => {
      it.each([
        ['a draft', { status: 'draft' }],
        ['a scheduled post', { status: 'scheduled', scheduledFor: '2027-01-01T00:00:00Z' }],
        ['an archived post', { status: 'archived' }],
      ])('a tag of %s alone is for a public key as one that never was', async (_, fields) => {
        const app = await startVerso(engine)
        await post(app, ['Secret', 'News'], fields)
        app.context.travelTo('2026-06-02T00:00:00Z')
        await post(app, ['NEWS'])
        expect(shown(await app.get('/v1/tags'))).toEqual(['News 2', 'Secret 1'])
        const { id } = (await app.get('/v1/tags/secret')).body
        const key = app.public
        const { body } = await app.get('/v1/tags', { key })
        expect(body.data).toEqual([{ ...(await app.get('/v1/tags/news')).body, name: 'NEWS', postCount: 1 }])
        expect(body.pagination.total).toBe(1)
        const never = await app.get('/v1/tags/never', { key })
        for (const ref of ['secret', id]) expect(said(await app.get(`/v1/tags/${ref}`, { key }))).toEqual(said(never))
      })

      it('what is in the trash counts for nobody', async () => {
        const app = await startVerso(engine)
        const { id } = await post(app, ['News'])
        await app.delete(`/v1/posts/${id}`)
        for (const key of [app.secret, app.public]) {
          expect((await app.get('/v1/tags', { key })).body.data).toEqual([])
          expect((await app.get('/v1/tags/news', { key })).status).toBe(404)
        }
      })

      it('the tag of a scheduled post is there for all once its time has come', async () => {
        const app = await startVerso(engine)
        await post(app, ['Later'], { status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
        const { headers } = await app.get('/v1/tags', { key: app.public })
        app.context.travelTo('2026-06-02T00:00:00Z')
        const answer = await app.get('/v1/tags', { key: app.public, headers: { 'if-none-match': headers.get('etag') ?? '' } })
        expect([answer.status, shown(answer)]).toEqual([200, ['Later 1']])
      })

      it('two worlds that differ only in unpublished posts answer a public key with the same bytes and headers', async () => {
        const [one, other] = [await world(engine, true), await world(engine, false)]
        const paths = [
          ...sorts.map((sort) => `/v1/tags?sort=${sort}`),
          ...sorts.map((sort) => `/v1/tags?sort=${sort}&limit=1&page=2`),
          '/v1/tags?total=false&limit=1',
          ...['a', 'b', 'c', 'd'].map((slug) => `/v1/tags/${slug}`),
        ]
        for (const path of paths)
          for (const method of ['GET', 'HEAD']) {
            const [answer, twin] = [await asPublic(one, method, path), await asPublic(other, method, path)]
            expect([path, answer]).toEqual([path, twin])
          }
        const all = (app: TestApp) => app.get('/v1/tags')
        expect((await all(one)).body).not.toEqual((await all(other)).body)
      })
    })

    it('"scoped to a project": another project’s tags look like none', async () => {
      const app = await startVerso(engine)
      const other = await app.otherProject('other')
      await post(app, ['Mine', 'News'])
      await post(other, ['NEWS'])
      expect(shown(await other.get('/v1/tags'))).toEqual(['NEWS 1'])
      const { id } = (await app.get('/v1/tags/news')).body
      const none = await other.get('/v1/tags/none')
      for (const ref of ['mine', id]) expect(said(await other.get(`/v1/tags/${ref}`))).toEqual(said(none))
      expect(shown(await app.get('/v1/tags'))).toEqual(['Mine 1', 'News 1'])
    })

    describe('lists', () => {
      it('GET /v1/tags: by name (folded), by slug, by posts, and by when they were first seen, in both directions', async () => {
        const app = await startVerso(engine)
        for (const [day, tags] of [
          ['b', 'Zoo'],
          ['a', 'Zoo', '漢'],
          ['Éclair', 'Zoo', 'a'],
        ].entries()) {
          app.context.travelTo(`2026-06-0${day + 1}T00:00:00Z`)
          await post(app, tags)
        }
        const by = async (sort: string) => names(await app.get(`/v1/tags?sort=${sort}`))
        expect(names(await app.get('/v1/tags'))).toEqual(['a', 'b', 'Zoo', 'Éclair', '漢'])
        expect(await by('name')).toEqual(['a', 'b', 'Zoo', 'Éclair', '漢'])
        expect(await by('-name')).toEqual(['漢', 'Éclair', 'Zoo', 'b', 'a'])
        expect(await by('-slug')).toEqual(['Zoo', '漢', 'Éclair', 'b', 'a'])
        expect(await by('-post_count,name')).toEqual(['Zoo', 'a', 'b', 'Éclair', '漢'])
        expect(await by('post_count,-name')).toEqual(['漢', 'Éclair', 'b', 'a', 'Zoo'])
        expect(await by('created_at,name')).toEqual(['b', 'Zoo', 'a', '漢', 'Éclair'])
        expect(await by('-created_at,name')).toEqual(['Éclair', 'a', '漢', 'b', 'Zoo'])
      })

      const tagged = shared(async () => {
        const app = await startVerso(engine)
        for (let n = 0; n < 6; n++) {
          if (n % 2 === 0) app.context.travelTo(`2026-06-0${n + 1}T00:00:00Z`)
          await post(app, ['All', `t${n % 3}`, `T${n}`, 'ß', `漢${n % 2}`], { status: n < 4 ? 'published' : 'draft' })
        }
        return app
      })

      it.each(sorts)('GET /v1/tags?sort=%s: the cursor walks every tag once, for each kind of key', async (sort) => {
        const app = await tagged()
        for (const key of [app.secret, app.public]) {
          const all = names(await app.get(`/v1/tags?sort=${sort}&limit=100`, { key }))
          expect(all).toHaveLength(key === app.secret ? 10 : 8)
          for (const limit of [1, 3]) {
            const walked: string[] = []
            for (let cursor = ''; ; ) {
              const answer = await app.get(`/v1/tags?sort=${sort}&limit=${limit}${cursor}`, { key })
              walked.push(...names(answer))
              if (answer.body.pagination.nextCursor === null) break
              cursor = `&cursor=${answer.body.pagination.nextCursor}`
            }
            expect(walked).toEqual(all)
          }
        }
      })

      it.each(['name', '-slug', 'created_at'])(
        'GET /v1/tags?sort=%s: the cursor walks every tag once while posts are added',
        async (sort) => {
          const app = await startVerso(engine)
          await post(app, ['a', 'b', 'c', 'd', 'e', 'f'])
          const walked: string[] = []
          for (let cursor = '', n = 0; n < 9; n++) {
            const { body } = await app.get(`/v1/tags?sort=${sort}&limit=2${cursor}`)
            walked.push(...body.data.map((tag: Tag) => tag.name))
            if (body.pagination.nextCursor === null) break
            cursor = `&cursor=${body.pagination.nextCursor}`
            app.context.travelTo(`2026-07-0${n + 1}T00:00:00Z`)
            if (n < 3) await post(app, [`a${n}`, 'c', `y${n}`])
          }
          expect(new Set(walked).size).toBe(walked.length)
          expect(walked.filter((name) => name.length === 1).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
        },
      )

      it('GET /v1/tags: pages, links and totals; total=false counts nothing; a page past the end is empty', async () => {
        const app = await startVerso(engine)
        await post(app, ['a', 'b', 'c', 'd', 'e'])
        const { body, headers } = await app.get('/v1/tags?limit=2&page=2')
        expect(body.pagination).toMatchObject({ page: 2, limit: 2, total: 5, totalPages: 3, hasMore: true })
        expect(body.data.map((tag: Tag) => tag.name)).toEqual(['c', 'd'])
        expect([...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map((match) => match[1])).toEqual([
          'first',
          'prev',
          'next',
          'last',
        ])
        expect((await app.get('/v1/tags?total=false')).body.pagination).toMatchObject({ total: null, totalPages: null })
        expect((await app.get('/v1/tags?page=1000000000')).body).toMatchObject({ data: [], pagination: { total: 5, nextCursor: null } })
      })

      it('GET /v1/tags: 304 while nothing changed that the key can see; HEAD has the same headers', async () => {
        const app = await startVerso(engine)
        await post(app, ['News'])
        const tagOf = async (key: string) => (await app.get('/v1/tags', { key })).headers.get('etag') ?? ''
        const etags = { secret: await tagOf(app.secret), public: await tagOf(app.public) }
        const status = async (key: string, etag: string) => (await app.get('/v1/tags', { key, headers: { 'if-none-match': etag } })).status
        expect([await status(app.secret, etags.secret), await status(app.public, etags.public)]).toEqual([304, 304])
        expect((await app.request('HEAD', '/v1/tags')).headers.get('etag')).toBe(etags.secret)
        await post(app, ['Draft'], { status: 'draft' })
        expect([await status(app.secret, etags.secret), await status(app.public, etags.public)]).toEqual([200, 304])
        await post(app, ['More'])
        expect(await status(app.public, etags.public)).toBe(200)
      })
    })

    it('reading needs posts:read: 401 without a key, 403 without the scope, 200 for a public key, readable by web pages', async () => {
      const app = await startVerso(engine)
      await post(app, ['News'])
      const stranger = await app.keyWith('authors:read', 'media:write', 'admin')
      for (const path of ['/v1/tags', '/v1/tags/news']) {
        expect((await app.get(path, { key: null })).status).toBe(401)
        const refused = await app.get(path, { key: stranger })
        expect([refused.status, refused.body.code, refused.body.scope]).toEqual([403, 'insufficient_scope', 'posts:read'])
        const { status, headers } = await app.get(path, { key: app.public })
        expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
        expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
        expect((await app.get(path)).headers.get('access-control-allow-origin')).toBe(null)
      }
    })

    const empty = shared(() => startVerso(engine))

    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s /v1/tags: 405, for posts make tags', async (method) => {
      const app = await empty()
      for (const path of ['/v1/tags', '/v1/tags/news']) {
        const { status, body, headers } = await app.request(method, path, { body: {} })
        expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
      }
    })

    it('GET /v1/tags: every bad query is refused with all that is wrong with it', async () => {
      const app = await startVerso(engine)
      for (const [query, code, ...faults] of badQueries) {
        const { status, body } = await app.get(`/v1/tags?${query}`)
        const named = body.errors.map((each: { parameter: string; code: string }) => `${each.parameter} ${each.code}`)
        expect([query, status, body.code, ...named]).toEqual([query, 400, code, ...faults])
      }
      const { nextCursor } = (await pageOfOne(app)).pagination
      expect((await app.get(`/v1/tags?sort=slug&cursor=${nextCursor}`)).body.code).toBe('invalid_cursor')
      expect((await app.get(`/v1/categories?cursor=${nextCursor}`)).body.code).toBe('invalid_cursor')
    })

    it('GET /v1/tags/{idOrSlug}: 404 for whatever is none, 400 for parameters and for a path that is no UTF-8', async () => {
      const app = await startVerso(engine)
      await post(app, ['News'])
      for (const ref of ['NEWS', 'tag_', 'tag_%00', '%00', '__proto__', '%25', 'a'.repeat(2_000)])
        expect([ref, (await app.get(`/v1/tags/${ref}`)).status]).toEqual([ref, 404])
      for (const ref of ['%', '%ff', '%ED%A0%80']) expect((await app.get(`/v1/tags/${ref}`)).body.code).toBe('malformed_request')
      expect((await app.get('/v1/tags/news?fields=id')).body.code).toBe('unknown_parameter')
    })

    it('statements: a list costs 3 at most, whatever its size, 2 without a total, 1 while nothing changed; a read costs 2', async () => {
      const app = await startVerso(engine)
      for (let n = 0; n < 4; n++)
        await post(
          app,
          Array.from({ length: 10 }, (_, i) => `${n} ${i}`),
        )
      const count = async (path: string, headers = {}) => {
        app.statements.length = 0
        const answer = await app.get(path, { headers })
        const counted = app.statements.filter((sql) => !/^(?:begin|commit)/.test(sql))
        return { count: counted.length, etag: answer.headers.get('etag') ?? '' }
      }
      // Whether nothing was written meanwhile, SQLite knows without a statement.
      const { more } = engine
      expect((await count('/v1/tags?limit=1')).count).toBeLessThanOrEqual(3 + more)
      expect((await count('/v1/tags?limit=100&sort=-post_count')).count).toBeLessThanOrEqual(3 + more)
      expect((await count('/v1/tags?total=false')).count).toBeLessThanOrEqual(2 + more)
      const { etag } = await count('/v1/tags')
      expect((await count('/v1/tags', { 'if-none-match': etag })).count).toBeLessThanOrEqual(engine.lookUp)
      expect((await count('/v1/tags/0-0')).count).toBeLessThanOrEqual(1 + engine.lookUp)
    })
  })

const badQueries: readonly (readonly [query: string, code: string, ...faults: readonly string[]])[] = [
  ['page=0', 'invalid_parameter', 'page out_of_range'],
  ['page=1e18', 'invalid_parameter', 'page out_of_range'],
  ['page=1000000001', 'invalid_parameter', 'page out_of_range'],
  ['page=1&page=1', 'invalid_parameter', 'page repeated'],
  ['limit=101', 'invalid_parameter', 'limit out_of_range'],
  ['limit=', 'invalid_parameter', 'limit empty'],
  ['limit=x&page=y&total=z', 'invalid_parameter', 'limit out_of_range', 'page out_of_range', 'total not_allowed'],
  ['sort=postCount', 'invalid_parameter', 'sort not_allowed'],
  ['sort=description', 'invalid_parameter', 'sort not_allowed'],
  ['sort=name,-name', 'invalid_parameter', 'sort repeated'],
  ['sort=name&sort=-name', 'invalid_parameter', 'sort repeated'],
  ['cursor=WyJ4Il0', 'invalid_cursor', 'cursor malformed'],
  ['cursor=%00', 'invalid_parameter', 'cursor invalid_text'],
  ['cursor=x&page=2', 'invalid_parameter', 'page conflict'],
  ['search=a', 'unknown_parameter', 'search unknown'],
  ['status=draft', 'unknown_parameter', 'status unknown'],
  ['fields=name', 'unknown_parameter', 'fields unknown'],
  ['Limit=1', 'unknown_parameter', 'Limit unknown'],
  ['__proto__=1', 'unknown_parameter', '__proto__ unknown'],
  ['sort=%ff', 'malformed_request'],
]

async function pageOfOne(app: TestApp) {
  await post(app, ['a', 'b'])
  return (await app.get('/v1/tags?limit=1')).body
}

/** The same public posts and the same tag records; beside them, if asked, posts that are not out and spell and count the tags otherwise. */
async function world(engine: TestEngine, withUnpublished: boolean): Promise<TestApp> {
  const app = await startVerso(engine, { context: testContext('2026-06-01T00:00:00Z', seededRandom('worlds')) })
  const make = (title: string, tags: readonly string[]) => post(app, tags, { title, status: 'draft' })
  const hidden = [await make('Hidden 1', ['D', 'C', 'B', 'A'])]
  app.context.travelTo('2026-06-02T00:00:00Z')
  const open = [await make('Open 1', ['b', 'c'])]
  hidden.push(await make('Hidden 2', ['A', 'D', 'C']))
  app.context.travelTo('2026-06-03T00:00:00Z')
  open.push(await make('Open 2', ['a', 'b']))
  for (const each of open) await app.patch(`/v1/posts/${each.id}`, { status: 'published' })
  for (const each of withUnpublished ? [] : hidden) await app.delete(`/v1/posts/${each.id}?permanent=true`)
  return app
}

async function asPublic(app: TestApp, method: string, path: string) {
  const { status, headers, text } = await app.request(method, path, { key: app.public, headers: { 'x-request-id': 'same' } })
  return { status, text, headers: [...headers].filter(([name]) => name !== 'date') }
}
