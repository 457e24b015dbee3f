import { describe, expect, it } from 'vitest'
import { type Answer, engines, shared, startVerso, type TestEngine } from '../../harness/harness.ts'
import { gate, someoneWaits } from '../../harness/overlap.ts'
import { logOf } from '../../harness/rows.ts'

const unknownId = 'cat_00000000000000000000000000'

/** A running Verso, and a key that administers it and may do all that the default key may but for authors. */
async function start(engine: TestEngine) {
  const verso = await startVerso(engine)
  const admin = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'posts:delete')
  const create = async (name: string, more: object = {}): Promise<Answer['body']> => {
    const answer = await verso.post('/v1/admin/categories', { name, ...more }, { key: admin })
    expect(answer.status).toBe(201)
    return answer.body
  }
  const post = async (title: string, categoryId: string, status: string): Promise<Answer['body']> => {
    const answer = await verso.post('/v1/posts', {
      title,
      categoryId,
      status,
      ...(status === 'scheduled' && { scheduledFor: '2030-01-01T00:00:00Z' }),
    })
    expect(answer.status).toBe(201)
    return answer.body
  }
  return { verso, admin, create, post }
}

const slugs = (answer: Answer) => answer.body.data.map((category: { slug: string }) => category.slug)
const counts = (answer: Answer) => answer.body.data.map((each: { slug: string; postCount: number }) => `${each.slug} ${each.postCount}`)

for (const engine of engines) {
  describe(`reading categories on ${engine.name}`, () => {
    it('GET /v1/categories: 200, by name in the order of code points', async () => {
      const { verso, create } = await start(engine)
      for (const name of ['news', 'Events', 'Écrits', 'News']) await create(name)
      const answer = await verso.get('/v1/categories')
      expect(answer.body.data.map((category: { name: string }) => category.name)).toEqual(['Events', 'News', 'news', 'Écrits'])
      expect(answer.body.pagination).toEqual({ page: 1, limit: 20, total: 4, totalPages: 1, hasMore: false, nextCursor: null })
    })

    it('GET /v1/categories: 200 with the posts counted that the key may see, those alone', async () => {
      const { verso, create, post } = await start(engine)
      for (const name of ['One', 'Two', 'Three']) await create(name)
      for (const status of ['draft', 'scheduled', 'published', 'archived']) await post(status, 'one', status)
      await post('out', 'two', 'published')
      await post('hidden', 'three', 'draft')
      const trashed = await post('trashed', 'two', 'published')
      await verso.delete(`/v1/posts/${trashed.id}`)
      expect(counts(await verso.get('/v1/categories'))).toEqual(['one 4', 'three 1', 'two 1'])
      for (const key of [verso.public, await verso.keyWith('posts:read')]) {
        expect(counts(await verso.get('/v1/categories', { key }))).toEqual(['one 1', 'three 0', 'two 1'])
        expect((await verso.get('/v1/categories/one', { key })).body.postCount).toBe(1)
      }
      expect((await verso.get('/v1/categories/one')).body.postCount).toBe(4)
    })

    const sorted = shared(async () => {
      const { verso, create, post } = await start(engine)
      for (const [minute, [name, slug]] of [['y', 'b'] as const, ['x', 'c'] as const, ['z', 'a'] as const].entries()) {
        verso.context.travelTo(`2026-06-01T12:0${minute}:00.000Z`)
        await create(name, { slug })
      }
      for (const slug of ['a', 'b', 'b']) await post('p', slug, 'published')
      return verso
    })

    it.each([
      ['name', ['c', 'b', 'a']],
      ['-name', ['a', 'b', 'c']],
      ['slug', ['a', 'b', 'c']],
      ['-slug', ['c', 'b', 'a']],
      ['created_at', ['b', 'c', 'a']],
      ['-created_at', ['a', 'c', 'b']],
      ['post_count', ['c', 'a', 'b']],
      ['-post_count', ['b', 'a', 'c']],
      ['post_count,-slug', ['c', 'a', 'b']],
    ])('GET /v1/categories?sort=%s: 200, in that order', async (sort, expected) => {
      const verso = await sorted()
      expect(slugs(await verso.get(`/v1/categories?sort=${sort}`))).toEqual(expected)
    })

    it('GET /v1/categories?sort=post_count: 200, a key that sees fewer posts has another order', async () => {
      const { verso, create, post } = await start(engine)
      for (const name of ['a', 'b']) await create(name)
      for (const [slug, status] of [
        ['a', 'draft'],
        ['a', 'draft'],
        ['b', 'published'],
      ] as const)
        await post('p', slug, status)
      expect(slugs(await verso.get('/v1/categories?sort=-post_count'))).toEqual(['a', 'b'])
      expect(slugs(await verso.get('/v1/categories?sort=-post_count', { key: verso.public }))).toEqual(['b', 'a'])
    })

    const nine = shared(async () => {
      const { verso, create, post } = await start(engine)
      for (let n = 0; n < 9; n++) await create(n % 2 ? 'odd' : 'even')
      for (const slug of ['odd', 'odd', 'even', 'even-2', 'even-2', 'odd-3']) await post('p', slug, 'published')
      return verso
    })

    it.each(['name', '-name', 'slug', '-slug', 'created_at', '-created_at', 'post_count', '-post_count'])(
      'GET /v1/categories?sort=%s: a cursor walks every category once',
      async (sort) => {
        const verso = await nine()
        const seen: string[] = []
        let cursor = ''
        do {
          const answer = await verso.get(`/v1/categories?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`)
          seen.push(...slugs(answer))
          cursor = answer.body.pagination.nextCursor
        } while (cursor && seen.length < 20)
        expect(seen).toEqual(slugs(await verso.get(`/v1/categories?sort=${sort}`)))
        expect(new Set(seen).size).toBe(9)
      },
    )

    it('GET /v1/categories/{idOrSlug}: 200, the same by id and by slug', async () => {
      const { verso, create } = await start(engine)
      const { id } = await create('News', { description: 'What is new.' })
      const at = '2026-06-01T12:00:00.000Z'
      const expected = {
        id,
        name: 'News',
        slug: 'news',
        description: 'What is new.',
        postCount: 0,
        createdAt: at,
        updatedAt: at,
        version: 1,
      }
      for (const ref of [id, 'news']) {
        const answer = await verso.get(`/v1/categories/${ref}`, { key: verso.public })
        expect([answer.status, answer.body]).toEqual([200, expected])
      }
      expect((await verso.get('/v1/categories')).body.data).toEqual([expected])
    })

    it('HEAD /v1/categories and /v1/categories/{idOrSlug}: the headers of GET and no body', async () => {
      const { verso, create } = await start(engine)
      await create('News')
      for (const path of ['/v1/categories', '/v1/categories/news']) {
        const [get, head] = [await verso.get(path), await verso.request('HEAD', path)]
        expect([head.status, head.text]).toEqual([200, ''])
        for (const name of ['etag', 'link', 'cache-control', 'content-type', 'content-length', 'vary'])
          expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
    })

    const withNews = shared(async () => {
      const { verso, admin, create } = await start(engine)
      await create('News')
      return { verso, admin }
    })

    it.each([unknownId, 'cat_', 'old', 'News', 'news%00', 'cat_%00', 'auth_00000000000000000000000000', '__proto__'])(
      'GET /v1/categories/%s: 404 not_found',
      async (ref) => {
        const { verso } = await withNews()
        const answer = await verso.get(`/v1/categories/${ref}`)
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      },
    )

    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s /v1/categories and /v1/categories/{idOrSlug}: 405', async (method) => {
      const { verso, admin } = await withNews()
      for (const path of ['/v1/categories', '/v1/categories/news']) {
        const answer = await verso.request(method, path, { key: admin, ...(method !== 'DELETE' && { body: {} }) })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      }
    })

    it('GET /v1/categories: the same bytes and headers for a public key, whatever is unpublished', async () => {
      const { verso, create, post } = await start(engine)
      await create('News')
      await create('Events')
      await post('Out', 'news', 'published')
      const paths = ['/v1/categories', '/v1/categories?sort=-post_count', '/v1/categories/news', '/v1/categories/events']
      const look = async () => {
        const seen = []
        for (const path of paths) {
          const { status, text, headers } = await verso.get(path, { key: verso.public, headers: { 'x-request-id': 'same' } })
          seen.push([status, text, [...headers].filter(([name]) => name !== 'date')])
        }
        return seen
      }
      const before = await look()
      for (const status of ['draft', 'scheduled', 'archived']) await post('Hidden', 'events', status)
      const gone = await post('Gone', 'events', 'draft')
      await verso.delete(`/v1/posts/${gone.id}`)
      expect(await look()).toEqual(before)
    })

    it('GET /v1/categories: 304 by one look-up while nothing changed; a post that goes out changes the list', async () => {
      const { verso, create, post } = await start(engine)
      await create('News')
      for (const key of [verso.public, verso.secret]) {
        const asked = { key, headers: { 'if-none-match': (await verso.get('/v1/categories', { key })).headers.get('etag') ?? '' } }
        verso.statements.length = 0
        expect((await verso.get('/v1/categories', asked)).status).toBe(304)
        expect(verso.statements.length).toBeLessThanOrEqual(engine.lookUp)
        await post('Out', 'news', 'published')
        expect((await verso.get('/v1/categories', asked)).status).toBe(200)
      }
    })

    it('GET /v1/posts: the category is exactly { id, name, slug }, and a change of it changes the ETags of posts, not their versions', async () => {
      const { verso, admin, create, post } = await start(engine)
      const { id } = await create('News')
      await post('Out', 'news', 'published')
      const key = verso.public
      const [list, one] = [await verso.get('/v1/posts', { key }), await verso.get('/v1/posts/out', { key })]
      expect(one.body.category).toEqual({ id, name: 'News', slug: 'news' })
      await verso.patch('/v1/admin/categories/news', { name: 'Latest', slug: 'latest' }, { key: admin })
      for (const [path, before] of [['/v1/posts', list] as const, ['/v1/posts/out', one] as const]) {
        const after = await verso.get(path, { key, headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
        expect(after.status).toBe(200)
        expect(after.body.data?.[0] ?? after.body).toMatchObject({ version: 1, category: { id, name: 'Latest', slug: 'latest' } })
      }
      expect((await verso.get('/v1/posts?category=latest')).body.pagination.total).toBe(1)
      expect((await verso.get('/v1/posts?category=news')).body.pagination.total).toBe(0)
    })
  })

  describe(`administering categories on ${engine.name}`, () => {
    it('POST /v1/admin/categories: 201 with Location, ETag and the category, its slug made from its name', async () => {
      const { verso, admin } = await start(engine)
      const answer = await verso.post('/v1/admin/categories', { name: ' Größe & Ñandú ' }, { key: admin })
      const { id, ...rest } = answer.body
      const at = '2026-06-01T12:00:00.000Z'
      expect(answer.status).toBe(201)
      expect(id).toMatch(/^cat_[0-9a-z]{26}$/)
      expect(rest).toEqual({
        name: 'Größe & Ñandú',
        slug: 'grosse-and-nandu',
        description: null,
        postCount: 0,
        createdAt: at,
        updatedAt: at,
        version: 1,
      })
      expect(answer.headers.get('location')).toBe(`/v1/admin/categories/${id}`)
      expect(answer.headers.get('etag')).toMatch(/^"1\./)
      expect((await verso.get(`/v1/admin/categories/${id}`, { key: admin })).text).toBe(answer.text)
      expect((await verso.get('/v1/admin/categories', { key: admin })).body.data).toEqual([answer.body])
      expect(await logOf(verso, id)).toEqual([['category.created', 1, 0, 1]])
    })

    it('POST /v1/admin/categories: 201, -2 and -3 behind a made slug that is taken; a name without letters of ours gets a slug by chance', async () => {
      const { create } = await start(engine)
      const made = []
      for (const name of ['News', 'news', 'News!', 'News 2']) made.push((await create(name)).slug)
      expect(made).toEqual(['news', 'news-2', 'news-3', 'news-2-2'])
      expect((await create('ニュース')).slug).toMatch(/^category-[a-z2-9]{6}$/)
      expect((await create('a'.repeat(200))).slug).toBe('a'.repeat(80))
      expect((await create('a'.repeat(200))).slug).toBe(`${'a'.repeat(78)}-2`)
    })

    it('POST /v1/admin/categories: 201 for the slug given; 409 slug_conflict with one that is free where it is taken', async () => {
      const { verso, admin, create } = await start(engine)
      expect((await create('News', { slug: 'the-news', description: '' })).slug).toBe('the-news')
      await create('x', { slug: 'the-news-2' })
      const answer = await verso.post('/v1/admin/categories', { name: 'Other', slug: 'the-news' }, { key: admin })
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({ code: 'slug_conflict', suggestion: 'the-news-3' })
      expect(answer.body.errors).toEqual([{ pointer: '/slug', code: 'taken', detail: 'the-news-3 is free.' }])
      expect((await verso.get('/v1/categories')).body.pagination.total).toBe(2)
      expect((await create('Other', { slug: answer.body.suggestion })).slug).toBe('the-news-3')
    })

    it('POST /v1/admin/categories: 50 at once of one name: 50 slugs', async () => {
      const { create } = await start(engine)
      const made = await Promise.all(Array.from({ length: 50 }, () => create('Same')))
      expect(new Set(made.map(({ slug }) => slug)).size).toBe(50)
    })

    it('PATCH /v1/admin/categories/{idOrSlug}: 200, the slug stays when the name changes, and null clears the description', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('News', { description: 'x' })
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const answer = await verso.patch('/v1/admin/categories/news', { name: ' Latest ', description: null }, { key: admin })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        id,
        name: 'Latest',
        slug: 'news',
        description: null,
        version: 2,
        updatedAt: '2026-06-02T00:00:00.000Z',
      })
      expect(answer.headers.get('etag')).toMatch(/^"2\./)
      expect(await logOf(verso, id)).toEqual([
        ['category.created', 1, 0, 1],
        ['category.updated', 2, 1, 1],
      ])
    })

    it('PATCH /v1/admin/categories/{idOrSlug}: a slug that is taken is 409 with a suggestion; the old one of a moved category is free', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('News')
      await create('Events')
      const taken = await verso.patch(`/v1/admin/categories/${id}`, { slug: 'events', name: 'x' }, { key: admin })
      expect([taken.status, taken.body.code, taken.body.suggestion]).toEqual([409, 'slug_conflict', 'events-2'])
      expect((await verso.get(`/v1/categories/${id}`)).body).toMatchObject({ name: 'News', slug: 'news', version: 1 })
      expect((await verso.patch(`/v1/admin/categories/${id}`, { slug: 'latest' }, { key: admin })).body.slug).toBe('latest')
      expect((await verso.get('/v1/categories/news')).status).toBe(404)
      expect((await create('News')).slug).toBe('news')
    })

    it.each([{}, { name: 'News' }, { name: ' News ', slug: 'news' }, { description: null }])(
      'PATCH /v1/admin/categories/{idOrSlug} with %j: 200, the same version and nothing in the log, for nothing changed',
      async (patch) => {
        const { verso, admin, create } = await start(engine)
        const { id } = await create('News')
        verso.context.travelTo('2026-06-02T00:00:00Z')
        const answer = await verso.patch('/v1/admin/categories/news', patch, { key: admin })
        expect([answer.status, answer.body.version, answer.body.updatedAt]).toEqual([200, 1, '2026-06-01T12:00:00.000Z'])
        expect(await logOf(verso, id)).toHaveLength(1)
      },
    )

    it('PATCH and DELETE /v1/admin/categories/{idOrSlug}: 412 stale_version; a post filed under it is no change of its version', async () => {
      const { verso, admin, create, post } = await start(engine)
      const { id } = await create('News')
      const etag = (await verso.get('/v1/categories/news')).headers.get('etag') ?? ''
      const { id: postId } = await post('Out', 'news', 'published')
      expect((await verso.get('/v1/categories/news')).headers.get('etag')).not.toBe(etag)
      expect((await verso.patch('/v1/admin/categories/news', { name: 'A' }, { key: admin, headers: { 'if-match': etag } })).status).toBe(
        200,
      )
      const asked = { key: admin, headers: { 'if-match': etag } }
      for (const answer of [
        await verso.patch('/v1/admin/categories/news', { name: null }, asked),
        await verso.delete(`/v1/admin/categories/${id}`, asked),
      ])
        expect([answer.status, answer.body.code, answer.body.version]).toEqual([412, 'stale_version', 2])
      expect((await verso.get(`/v1/posts/${postId}`)).body.category.name).toBe('A')
    })

    it('DELETE /v1/admin/categories/{idOrSlug}: 204; again by id 204; by a freed slug, and by an id that never was, 404', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('News')
      expect((await verso.delete('/v1/admin/categories/news', { key: admin })).status).toBe(204)
      expect((await verso.delete(`/v1/admin/categories/${id}`, { key: admin })).status).toBe(204)
      for (const ref of ['news', unknownId]) {
        const answer = await verso.delete(`/v1/admin/categories/${ref}`, { key: admin })
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
      expect((await verso.get(`/v1/categories/${id}`)).status).toBe(404)
      expect(await logOf(verso, id)).toEqual([
        ['category.created', 1, 0, 1],
        ['category.deleted', 2, 1, 0],
      ])
      expect((await create('News')).slug).toBe('news')
    })

    it('DELETE /v1/admin/categories/{idOrSlug}: 409 in_use while a post is filed under it, be it in the trash', async () => {
      const { verso, admin, create, post } = await start(engine)
      await create('News')
      const { id } = await post('Out', 'news', 'draft')
      const refused = async () => {
        const answer = await verso.delete('/v1/admin/categories/news', { key: admin })
        expect([answer.status, answer.body.code]).toEqual([409, 'in_use'])
      }
      await refused()
      await verso.delete(`/v1/posts/${id}`)
      await refused()
      await verso.delete(`/v1/posts/${id}?permanent=true`)
      expect((await verso.delete('/v1/admin/categories/news', { key: admin })).status).toBe(204)
    })

    it('DELETE /v1/admin/categories/{idOrSlug}: 204 when the posts under it are gone from the trash for good, purged or not', async () => {
      const { verso, admin, create, post } = await start(engine)
      await create('News')
      const { id } = await post('Out', 'news', 'draft')
      await verso.delete(`/v1/posts/${id}`)
      verso.context.travelTo('2026-07-01T11:59:59.999Z')
      expect((await verso.delete('/v1/admin/categories/news', { key: admin })).status).toBe(409)
      verso.context.travelTo('2026-07-01T12:00:00.000Z')
      expect((await verso.delete('/v1/admin/categories/news', { key: admin })).status).toBe(204)
    })

    it.each(['id', 'slug'])('DELETE /v1/admin/categories/{idOrSlug}?reassign_to={%s}: 204, and its posts are changed', async (by) => {
      const { verso, admin, create, post } = await start(engine)
      const [news, events] = [await create('News'), await create('Events')]
      const out = await post('Out', 'news', 'published')
      const draft = await post('Draft', 'news', 'draft')
      await post('Other', 'events', 'published')
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const answer = await verso.delete(`/v1/admin/categories/news?reassign_to=${events[by]}`, { key: admin })
      expect([answer.status, answer.text]).toEqual([204, ''])
      const category = { id: events.id, name: 'Events', slug: 'events' }
      for (const before of [out, draft])
        expect((await verso.get(`/v1/posts/${before.id}`)).body).toEqual({
          ...before,
          category,
          version: 2,
          updatedAt: '2026-06-02T00:00:00.000Z',
        })
      expect(await logOf(verso, out.id)).toEqual([
        ['post.created post.published', 1, 0, 1],
        ['post.updated', 2, 1, 1],
      ])
      expect((await logOf(verso, draft.id)).at(-1)).toEqual(['post.updated', 2, 0, 0])
      expect((await logOf(verso, news.id)).at(-1)).toEqual(['category.deleted', 2, 1, 0])
      expect(counts(await verso.get('/v1/categories'))).toEqual(['events 3'])
      const rows = await verso.app.installation.db
        .selectFrom('post_revisions')
        .selectAll()
        .where('post_id', '=', out.id)
        .orderBy('version')
        .execute()
      expect(rows.map(({ snapshot }) => JSON.parse(snapshot).categoryId)).toEqual([news.id, events.id])
    })

    it('DELETE /v1/admin/categories/{idOrSlug}?reassign_to={slug}: 204, in a transaction by itself that holds up no others', async () => {
      const { verso, admin, create, post } = await start(engine)
      await create('News')
      await create('Events')
      await post('Out', 'news', 'published')
      const seam = verso.app.installation.engine
      const { write } = seam
      const isAlone: boolean[] = []
      const noting: typeof write = (work, project) =>
        write((tx) => {
          isAlone.push(tx.engine.runByItself === undefined)
          return work(tx)
        }, project)
      Object.assign(seam, { write: noting })
      expect((await verso.delete('/v1/admin/categories/news?reassign_to=events', { key: admin })).status).toBe(204)
      expect(isAlone).toEqual([false, true])
    })

    it.runIf(engine.name === 'PostgreSQL')(
      'DELETE /v1/admin/categories/{idOrSlug}?reassign_to={slug}: other posts are written meanwhile, and one that names it waits: 422',
      async () => {
        const { verso, admin, create, post } = await start(engine)
        const news = await create('News')
        await create('Events')
        await post('Out', 'news', 'published')
        const seam = verso.app.installation.engine
        const { write } = seam
        const [deleting, end] = [gate(), gate()]
        const pause = async () => {
          deleting.open()
          await end.opened
        }
        const holding: typeof write = (work, project) => {
          Object.assign(seam, { write })
          return write((tx) => work(Object.assign(tx, { engine: { ...tx.engine, pause } })), project)
        }
        Object.assign(seam, { write: holding })
        const deletion = verso.delete('/v1/admin/categories/news?reassign_to=events', { key: admin })
        await deleting.opened
        const naming = verso.post('/v1/posts', { title: 'Late', categoryId: news.id })
        await someoneWaits(verso.app)
        expect((await verso.post('/v1/posts', { title: 'Other' })).status).toBe(201)
        end.open()
        expect((await deletion).status).toBe(204)
        expect((await naming).status).toBe(422)
      },
    )

    it('DELETE /v1/admin/categories/{idOrSlug}?reassign_to={slug}: a stale If-Match of such a post is 412 from then on', async () => {
      const { verso, admin, create, post } = await start(engine)
      await create('News')
      await create('Events')
      const { id } = await post('Out', 'news', 'published')
      await verso.delete('/v1/admin/categories/news?reassign_to=events', { key: admin })
      expect((await verso.patch(`/v1/posts/${id}`, { title: 'x' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
      expect((await verso.patch(`/v1/posts/${id}`, { title: 'x' }, { headers: { 'if-match': '"2"' } })).body.version).toBe(3)
    })

    const refusing = shared(async () => {
      const { verso, admin, create } = await start(engine)
      await create('News')
      await create('Events')
      return { verso, admin }
    })

    it.each([
      ['reassign_to=', 'empty'],
      ['reassign_to=events&reassign_to=events', 'repeated'],
      [`reassign_to=${unknownId}`, 'not_found'],
      ['reassign_to=nothing', 'not_found'],
      ['reassign_to=news', 'not_allowed'],
      ['reassign=events', 'unknown'],
    ])('DELETE /v1/admin/categories/{idOrSlug}?%s: 400 (%s), and the category stays', async (query, code) => {
      const { verso, admin } = await refusing()
      const answer = await verso.delete(`/v1/admin/categories/news?${query}`, { key: admin })
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, code])
      expect((await verso.get('/v1/categories/news')).status).toBe(200)
    })
  })
}
