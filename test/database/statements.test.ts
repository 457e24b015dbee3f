import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso, type TestApp, type TestEngine } from '../harness/harness.ts'

const transaction = ['begin', 'commit']

/** Whether nothing was written meanwhile, SQLite knows without a statement. Elsewhere a list asks for the revision that it was read at. */
const forRevision = ({ more }: TestEngine) => more

/** How many statements a request costs, those around its transaction not counted. */
async function cost(verso: TestApp, ask: () => Promise<Answer>): Promise<number> {
  verso.statements.length = 0
  const { status, text } = await ask()
  expect(status, text).toBeLessThan(400)
  return verso.statements.filter((sql) => !transaction.includes(sql.split(' ')[0] ?? '')).length
}

for (const engine of engines) {
  describe(`statements on ${engine.name}`, () => {
    it('a list costs at most 3, whatever the page size and the query', async () => {
      const verso = await startVerso(engine)
      const more = forRevision(engine)
      for (let i = 0; i < 30; i++) await verso.post('/v1/posts', { title: `Post ${i}`, tags: ['a', `t${i}`], status: 'published' })
      const { nextCursor } = (await verso.get('/v1/posts?limit=3')).body.pagination
      const queries = [
        '',
        'limit=1',
        'limit=100',
        'limit=100&fields=id',
        'page=2',
        'sort=-title,slug',
        'tag=a&author=auth_x&category=x',
        'status=draft',
        'trashed=true',
        `limit=3&cursor=${nextCursor}`,
      ]
      for (const query of queries) expect(await cost(verso, () => verso.get(`/v1/posts?${query}`)), query).toBeLessThanOrEqual(3 + more)
      expect(await cost(verso, () => verso.get('/v1/posts?total=false&limit=9'))).toBeLessThanOrEqual(2 + more)
      // How many a search finds may decide how they are fetched.
      for (const query of ['search=post', 'search=post&total=false', 'search=po', 'trashed=true&search=post'])
        expect(await cost(verso, () => verso.get(`/v1/posts?${query}`)), query).toBeLessThanOrEqual(3 + more)
      const toCount = engine.name === 'SQLite' ? 0 : 1
      for (const query of ['q=post', 'q=post&sort=title'])
        expect(await cost(verso, () => verso.get(`/v1/posts?${query}`)), query).toBeLessThanOrEqual(3 + toCount + more)
      for (const query of ['search=post&sort=title', 'tag=a&search=post&author=auth_x&category=x'])
        expect(await cost(verso, () => verso.get(`/v1/posts?${query}`)), query).toBeLessThanOrEqual(4 + more)
      const admin = { key: await verso.keyWith('admin') }
      for (const path of ['/v1/tags', '/v1/authors', '/v1/categories', '/v1/media'])
        expect(await cost(verso, () => verso.get(path)), path).toBeLessThanOrEqual(3 + more)
      expect(await cost(verso, () => verso.get('/v1/admin/keys', admin))).toBeLessThanOrEqual(3 + more)
    })

    it('a list that has not changed costs the look-up of the key at most, a single one statement more', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const most = { '/v1/posts': 1, '/v1/posts?sort=title&limit=5': 1, '/v1/tags': 1, '/v1/posts/one': 2 }
      for (const [path, count] of Object.entries(most)) {
        const etag = (await verso.get(path)).headers.get('etag') ?? ''
        expect(await cost(verso, () => verso.get(path, { headers: { 'if-none-match': etag } })), path).toBeLessThanOrEqual(
          count - 1 + engine.lookUp,
        )
      }
    })

    it('one of which only ever was asked whether it is still so costs the look-up of the key at most, from the second time on', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      for (const path of ['/v1/posts', '/v1/posts/one']) {
        const headers = { 'if-none-match': (await verso.get(`${path}?`)).headers.get('etag') ?? '' }
        expect((await verso.get(path, { headers })).status).toBe(304)
        expect(await cost(verso, () => verso.get(path, { headers })), path).toBeLessThanOrEqual(engine.lookUp)
      }
    })

    it('what is refused before it is looked for costs at most the look-up of its key', async () => {
      const verso = await startVerso(engine)
      const asks = [
        () => verso.get('/v1/posts', { key: null }),
        () => verso.get('/v1/posts', { key: `${verso.secret}x` }),
        () => verso.get('/v1/nowhere'),
        () => verso.get('/v1/posts?limit=0'),
        () => verso.post('/v1/posts', '{'),
        () => verso.post('/v1/posts', { title: 'x' }, { key: verso.public }),
      ]
      for (const ask of asks) {
        verso.statements.length = 0
        await ask()
        expect(verso.statements.length).toBeLessThanOrEqual(engine.lookUp)
      }
    })

    it('reads and writes of one post cost no more than their parts', async () => {
      const verso = await startVerso(engine)
      let id = ''
      const asks: readonly (readonly [string, number, () => Promise<Answer>])[] = [
        ['create a draft', 11, () => verso.post('/v1/posts', { title: 'One' })],
        ['create, published', 12, () => verso.post('/v1/posts', { title: 'Two', status: 'published' })],
        ['create with two new tags', 18, () => verso.post('/v1/posts', { title: 'Three', tags: ['a', 'b'] })],
        ['create with two known tags', 13, () => verso.post('/v1/posts', { title: 'Four', tags: ['b', 'A'] })],
        ['create with a slug', 9, () => verso.post('/v1/posts', { title: 'Five', slug: 'number-five' })],
        ['read', 2, () => verso.get('/v1/posts/one')],
        ['change the title', 8, () => verso.patch('/v1/posts/one', { title: 'x' })],
        ['change the content', 9, () => verso.patch('/v1/posts/one', { content: 'x' })],
        ['change the tags', 11, () => verso.patch('/v1/posts/three', { tags: ['b'] })],
        ['change nothing', 3, () => verso.patch('/v1/posts/one', { title: 'x' })],
        ['publish', 9, () => verso.patch('/v1/posts/one', { status: 'published' })],
        ['rename', 10, () => verso.patch('/v1/posts/one', { slug: 'uno' })],
        ['follow the old slug', 3, () => verso.get('/v1/posts/one')],
        ['delete', 7, () => verso.delete('/v1/posts/uno')],
        ['delete again', 3, () => verso.delete(`/v1/posts/${id}`)],
        ['restore', 11, () => verso.post(`/v1/posts/${id}/restore`)],
        ['erase', engine.name === 'SQLite' ? 15 : 14, () => verso.delete(`/v1/posts/${id}?permanent=true`)],
        ['erase again', 4, () => verso.delete(`/v1/posts/${id}?permanent=true`)],
      ]
      for (const [what, most, ask] of asks) {
        if (what === 'delete') id = (await verso.get('/v1/posts/uno')).body.id
        expect(await cost(verso, ask), what).toBeLessThanOrEqual(most + engine.lookUp - 1)
      }
    })

    it('publishing due posts costs two statements each and eight for all of them, beside the list that is asked for', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 10; i++) await verso.post('/v1/posts', { title: 'x', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect(await cost(verso, () => verso.get('/v1/posts'))).toBeLessThanOrEqual(2 * 10 + 8 + 3 + forRevision(engine) + engine.lookUp - 1)
    })
  })
}
