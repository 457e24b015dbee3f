import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'
import { rowCounts } from '../../../harness/rows.ts'

const batch = '/v1/posts/batch'

async function slugs(verso: TestApp): Promise<readonly string[]> {
  return (await verso.get('/v1/posts?sort=slug')).body.data.map(({ slug }: { slug: string }) => slug)
}

for (const engine of engines) {
  describe(`POST /v1/posts/batch on ${engine.name}`, () => {
    it('200: each operation in its order, with what its own request would have been answered', async () => {
      const verso = await startVerso(engine)
      const old = (await verso.post('/v1/posts', { title: 'Old' })).body
      const gone = (await verso.post('/v1/posts', { title: 'Gone' })).body
      await verso.delete(`/v1/posts/${gone.id}`)
      const { status, body, headers } = await verso.post(batch, {
        operations: [
          { op: 'create', body: { title: 'New', status: 'published', tags: ['a'] } },
          { op: 'update', id: old.id, ifMatch: 1, body: { title: 'Older' } },
          { op: 'update', id: 'old', ifMatch: '"2.abc"', body: { excerpt: 'x' } },
          { op: 'update', id: 'new', body: { slug: 'newer' } },
          { op: 'restore', id: gone.id },
          { op: 'delete', id: 'newer' },
        ],
      })
      expect([status, headers.get('etag'), headers.get('location')]).toEqual([200, null, null])
      expect(body.results.map((each: { op: string; status: number }) => [each.op, each.status])).toEqual([
        ['create', 201],
        ['update', 200],
        ['update', 200],
        ['update', 200],
        ['restore', 200],
        ['delete', 204],
      ])
      expect(body.results[0].post).toMatchObject({ slug: 'new', status: 'published', version: 1 })
      expect(body.results[2].post).toEqual((await verso.get(`/v1/posts/${old.id}`)).body)
      expect(body.results[2].post).toMatchObject({ title: 'Older', excerpt: 'x', version: 3 })
      expect(await slugs(verso)).toEqual(['gone', 'old'])
    })

    it('200: a response of several MB is complete, wherever its characters lie', async () => {
      const verso = await startVerso(engine)
      const contents = ['', 'a'].map((shift) => shift + '\u{1f600}'.repeat(250_000))
      const ids: string[] = []
      for (const content of contents) ids.push((await verso.post('/v1/posts', { title: 'Long', content })).body.id)
      const operations = [...ids, ...ids, ...ids].map((id, i) => ({ op: 'update', id, body: { excerpt: `${i}` } }))
      const { status, body } = await verso.post(batch, { operations })
      expect(status).toBe(200)
      const returned = body.results.map(({ post }: { post: { content: string } }) => post.content)
      expect(returned.every((content: string, i: number) => content === contents[i % 2])).toBe(true)
      expect(returned).toHaveLength(6)
    })

    it('every operation is a change of its own, with a revision of its own', async () => {
      const verso = await startVerso(engine)
      await verso.post(batch, { operations: Array.from({ length: 100 }, () => ({ op: 'create', body: { title: 'Same' } })) })
      const rows = await verso.app.installation.db.selectFrom('changes').select(['seq', 'news']).orderBy('seq').execute()
      expect(rows).toEqual(Array.from({ length: 100 }, (_, i) => ({ seq: i + 1, news: 'post.created' })))
      expect(new Set(await slugs(verso)).size).toBe(20)
      expect((await rowCounts(verso.app)).post_revisions).toBe(100)
    })

    it('atomic by default: the first that fails undoes all, and the problem names it', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const before = await rowCounts(verso.app)
      const good = { op: 'create', body: { title: 'Good' } }
      for (const [operation, status, code, pointer] of [
        [{ op: 'create', body: { title: '' } }, 422, 'validation_failed', '/operations/1/body/title'],
        [{ op: 'create', body: { title: 'x', authorId: 'nobody' } }, 422, 'validation_failed', '/operations/1/body/authorId'],
        [{ op: 'create', body: { title: 'x', slug: 'one' } }, 409, 'slug_conflict', '/operations/1/body/slug'],
        [{ op: 'update', id: 'one', ifMatch: 7, body: {} }, 412, 'stale_version', undefined],
        [{ op: 'update', id: 'one', ifMatch: '"x"', body: {} }, 412, 'stale_version', undefined],
        [{ op: 'update', id: 'nowhere', body: {} }, 404, 'not_found', undefined],
        [{ op: 'delete', id: 'nowhere' }, 404, 'not_found', undefined],
        [{ op: 'update', body: {} }, 422, 'validation_failed', '/operations/1/id'],
        [{ op: 'update', id: 'one' }, 422, 'validation_failed', '/operations/1/body'],
        [{ op: 'create', id: 'one', body: { title: 'x' } }, 422, 'validation_failed', '/operations/1/id'],
        [{ op: 'create', permanent: true, body: { title: 'x' } }, 422, 'validation_failed', '/operations/1/permanent'],
        [{ op: 'delete', id: 'one', body: {} }, 422, 'validation_failed', '/operations/1/body'],
      ] as const) {
        const answer = await verso.post(batch, { operations: [good, operation, good] })
        expect(answer.body, JSON.stringify(operation)).toMatchObject({ status, code, operation: 1 })
        expect(answer.body.errors[0]?.pointer).toBe(pointer)
        expect(answer.body.detail).toContain('Operation 1')
      }
      expect(await rowCounts(verso.app)).toEqual(before)
    })

    it('422: a frame that is none, with nothing of it done', async () => {
      const verso = await startVerso(engine)
      const good = { op: 'create', body: { title: 'Good' } }
      for (const [body, pointer] of [
        [{}, '/operations'],
        [{ operations: [] }, '/operations'],
        [{ operations: Array(101).fill(good) }, '/operations'],
        [{ operations: good }, '/operations'],
        [{ operations: [good, {}] }, '/operations/1/op'],
        [{ operations: [good, 'x'] }, '/operations/1'],
        [{ operations: [good, null] }, '/operations/1'],
        [{ operations: [{ op: 'upsert', body: {} }] }, '/operations/0/op'],
        [{ operations: [{ ...good, ifMach: 1 }] }, '/operations/0/ifMach'],
        [{ operations: [{ op: 'update', id: 5, body: {} }] }, '/operations/0/id'],
        [{ operations: [{ op: 'update', id: 'x'.repeat(101), body: {} }] }, '/operations/0/id'],
        [{ operations: [{ op: 'update', id: 'a\0', body: {} }] }, '/operations/0/id'],
        [{ operations: [{ op: 'update', id: 'x', ifMatch: 0, body: {} }] }, '/operations/0/ifMatch'],
        [{ operations: [{ op: 'update', id: 'x', ifMatch: 1.5, body: {} }] }, '/operations/0/ifMatch'],
        [{ operations: [{ op: 'delete', id: 'x', permanent: 'yes' }] }, '/operations/0/permanent'],
        [{ operations: [{ op: 'create', body: { title: 'a\ud800' } }] }, '/operations/0/body/title'],
        [{ atomic: 'no', operations: [good] }, '/atomic'],
        [{ atomic: null, operations: [good] }, '/atomic'],
        [{ operations: [good], more: 1 }, '/more'],
        [[good], ''],
      ] as const) {
        const answer = await verso.post(batch, body)
        expect([answer.status, answer.body.errors[0].pointer], JSON.stringify(body).slice(0, 80)).toEqual([422, pointer])
      }
      for (const wrong of ['x', 5, null, []]) {
        const answer = await verso.post(batch, { operations: [{ op: 'create', body: wrong }] })
        expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/operations/0/body'])
      }
      expect(await slugs(verso)).toEqual([])
    })

    it('"atomic": false: 207 where some cannot be done, each with its own problem, and the others are done', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const operations = [
        { op: 'create', body: { title: 'Two', tags: ['kept'] } },
        { op: 'create', body: { title: 'Three', slug: 'one', tags: ['lost'] } },
        { op: 'update', id: 'one', ifMatch: 9, body: {} },
        { op: 'create', body: { titel: 'x' } },
        { op: 'update', body: {} },
        { op: 'update', id: 'one', body: { title: 'One more' } },
      ]
      const { status, body } = await verso.post(batch, { atomic: false, operations })
      expect(status).toBe(207)
      expect(body.results.map((each: { status: number }) => each.status)).toEqual([201, 409, 412, 422, 422, 200])
      expect(body.results[1].problem).toMatchObject({ code: 'slug_conflict', suggestion: 'one-2' })
      expect(body.results[2].problem).toMatchObject({ code: 'stale_version', version: 1 })
      const pointers = body.results[3].problem.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect(pointers.sort()).toEqual(['/operations/3/body/titel', '/operations/3/body/title'])
      expect(await slugs(verso)).toEqual(['one', 'two'])
      expect((await verso.get('/v1/tags')).body.data.map(({ name }: { name: string }) => name)).toEqual(['kept'])
      const rows = await verso.app.installation.db.selectFrom('changes').select('seq').orderBy('seq').execute()
      expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3])
    })

    it('403: every operation takes the scopes that it takes alone', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('posts:write')
      await verso.post('/v1/posts', { title: 'Out', status: 'published' })
      const operations = [
        { op: 'create', body: { title: 'x', status: 'published' } },
        { op: 'update', id: 'out', body: { title: 'y' } },
        { op: 'delete', id: 'out' },
        { op: 'delete', id: 'out', permanent: true },
      ]
      const needed = ['posts:publish', 'posts:publish', 'posts:publish', 'posts:delete']
      for (const [i, operation] of operations.entries()) {
        const answer = await verso.post(batch, { operations: [operation] }, { key })
        expect(answer.body).toMatchObject({ status: 403, scope: needed[i], operation: 0 })
      }
      const each = await verso.post(batch, { atomic: false, operations }, { key })
      expect(each.body.results.map(({ problem }: { problem: { scope: string } }) => problem.scope)).toEqual(needed)
      expect((await verso.post(batch, '{', { key: verso.public })).status).toBe(403)
    })

    it('dry_run: what would be, and nothing kept', async () => {
      const verso = await startVerso(engine)
      const before = await rowCounts(verso.app)
      const operations = [
        { op: 'create', body: { title: 'One' } },
        { op: 'create', body: {} },
      ]
      const tried = await verso.post(`${batch}?dry_run=true`, { atomic: false, operations })
      expect([tried.status, tried.body.results[0].post.slug, tried.body.results[1].status]).toEqual([207, 'one', 422])
      expect((await verso.post(`${batch}?dry_run=true`, { operations })).status).toBe(422)
      expect(await rowCounts(verso.app)).toEqual(before)
    })

    it('Idempotency-Key: a repeat is answered as the first; one whose post was erased since is 404', async () => {
      const verso = await startVerso(engine)
      const asked = { headers: { 'idempotency-key': 'a' } }
      const create = () => verso.post(batch, { operations: [{ op: 'create', body: { title: 'One', content: 'very secret' } }] }, asked)
      const first = await create()
      expect((await create()).text).toBe(first.text)
      expect(await slugs(verso)).toEqual(['one'])
      await verso.delete(`/v1/posts/${first.body.results[0].post.id}?permanent=true`)
      expect((await create()).status).toBe(404)
      const rows = await verso.app.installation.db.selectFrom('stored_responses').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('very secret')
    })

    it('Idempotency-Key: nothing of a post is stored that the batch itself has erased; a repeat is 404', async () => {
      const verso = await startVerso(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'One', content: 'very secret' })).body
      const operations = [
        { op: 'update', id, body: { excerpt: 'x' } },
        { op: 'delete', id: 'one', permanent: true },
        { op: 'create', body: { title: 'Two' } },
      ]
      const run = () => verso.post(batch, { operations }, { headers: { 'idempotency-key': 'a' } })
      const { status, body } = await run()
      expect([status, body.results[0].post.content]).toEqual([200, 'very secret'])
      const rows = await verso.app.installation.db.selectFrom('stored_responses').selectAll().execute()
      expect([rows.length, JSON.stringify(rows).includes('very secret')]).toEqual([1, false])
      const repeat = await run()
      expect([repeat.status, repeat.body.code]).toEqual([404, 'not_found'])
      expect(await slugs(verso)).toEqual(['two'])
    })

    it('the path is that of the post whose slug is batch, for every other method', async () => {
      const verso = await startVerso(engine)
      expect((await verso.get(batch)).status).toBe(404)
      const { id } = (await verso.post('/v1/posts', { title: 'Batch' })).body
      expect((await verso.get(batch)).body.id).toBe(id)
      expect((await verso.patch(batch, { excerpt: 'x' })).body.id).toBe(id)
      expect((await verso.get(`${batch}/revisions`)).body.data).toHaveLength(2)
      expect((await verso.request('PUT', batch)).headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, POST')
      expect((await verso.delete(batch)).status).toBe(204)
      expect((await verso.post(`/v1/posts/${id}/restore`)).status).toBe(200)
    })

    it('10 batches at once that change the same posts in different orders: each is done whole', async () => {
      const verso = await startVerso(engine)
      for (const title of ['a', 'b', 'c']) await verso.post('/v1/posts', { title })
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => {
          const ids = i % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a']
          return verso.post(batch, { operations: ids.map((id) => ({ op: 'update', id, body: { excerpt: `${i}` } })) })
        }),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      const { data } = (await verso.get('/v1/posts')).body
      expect(data.map(({ version }: { version: number }) => version)).toEqual([11, 11, 11])
      expect(new Set(data.map(({ excerpt }: { excerpt: string }) => excerpt)).size).toBe(1)
    })
  })
}
