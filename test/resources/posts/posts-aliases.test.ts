import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byPath, escapedPath, pathOf } from '../../../src/resources/site/alias.ts'
import { type Answer, engines, startVerso } from '../../harness/harness.ts'
import { rowCounts } from '../../harness/rows.ts'

const codeOf = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`)

describe('the path of an alias', () => {
  it.each([
    ['/caf%C3%A9/', '/café/'],
    ['/caf%c3%a9/', '/café/'],
    ['/a%20b', '/a b'],
    ['/a%2fb', '/a%2Fb'],
    ['/100%', '/100%25'],
    ['/100%25', '/100%25'],
    ['/%41', '/A'],
    ['/%00%0A%23%5C', '/%00%0A%23%5C'],
    ['/%ff', '/%FF'],
    ['/?p=%31', '/?p=1'],
  ])('%s is %s', (alias, path) => {
    expect(pathOf(alias)).toBe(path)
  })

  it('is the same for a path and its escaped form, and escaping it gives a path that URLs keep', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'é', ' ', '%', '%2', '%41', '%C3%A9', '"', "'", '/', '?', '&', '漢', '😀', '+', '[', '%2F', '%ff', '%e6', '%5c'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const path = pathOf(`/x${parts.join('')}`)
        expect(pathOf(path)).toBe(path)
        expect(pathOf(escapedPath(path))).toBe(path)
        const { pathname, search } = new URL(escapedPath(path), 'https://a.example')
        expect(pathOf(pathname + search)).toBe(path.replace(/^([^?]*)\?$/, '$1'))
      }),
    )
  })

  it('keeps the first of two spellings', () => {
    expect([...byPath(['/é', '/%C3%A9', '/b']).values()]).toEqual(['/é', '/b'])
  })
})

for (const engine of engines) {
  describe(`aliases on ${engine.name}`, () => {
    it('POST, PATCH and GET /v1/posts: aliases as given, each path once, and null for none', async () => {
      const verso = await startVerso(engine)
      const sent = ['/2019/03/one/', '/caf%C3%A9', '/café', '/?p=17', '/2019/03/one']
      const made = await verso.post('/v1/posts', { title: 'One', status: 'published', aliases: sent })
      const aliases = ['/2019/03/one/', '/caf%C3%A9', '/?p=17', '/2019/03/one']
      expect([made.status, made.body.aliases]).toEqual([201, aliases])
      expect((await verso.get('/v1/posts/one', { key: verso.public })).body.aliases).toEqual(aliases)
      expect((await verso.get('/v1/posts?fields=aliases', { key: verso.public })).body.data).toEqual([{ id: made.body.id, aliases }])
      expect((await verso.patch('/v1/posts/one', { aliases: sent })).body.version).toBe(1)
      expect((await verso.patch('/v1/posts/one', { aliases: ['/new'] })).body).toMatchObject({ aliases: ['/new'], version: 2 })
      expect((await verso.patch('/v1/posts/one', { aliases: null })).body).toMatchObject({ aliases: [], version: 3 })
      expect((await verso.post('/v1/posts', { title: 'Two', aliases })).status).toBe(201)
    })

    it('POST /v1/posts: 422 for what is no path of the site, and for more than 50', async () => {
      const verso = await startVerso(engine)
      const wrong = ['', '/', 'a', '//a.example/b', 'https://a.example/b', '/a#b', '/a\\b', '/a\nb', '/a ', `/${'x'.repeat(2_048)}`]
      const { status, body } = await verso.post('/v1/posts', { title: 'One', aliases: wrong })
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([422, wrong.map((_, i) => `/aliases/${i}`)])
      expect(body.errors[1].detail).toContain('one slash and more than that')
      expect(codeOf(await verso.post('/v1/posts', { title: 'One', aliases: Array.from({ length: 51 }, (_, i) => `/${i}`) }))).toMatch('422')
      const long = `/${'漢'.repeat(682)}`
      expect((await verso.post('/v1/posts', { title: 'One', aliases: [long] })).status).toBe(201)
    })

    it('POST, PATCH and batch: an alias of another post is 409 alias_conflict, which names that post, and nothing is written', async () => {
      const verso = await startVerso(engine)
      const { body: one } = await verso.post('/v1/posts', { title: 'One', aliases: ['/caf%C3%A9'] })
      await verso.post('/v1/posts', { title: 'Two' })
      const before = await rowCounts(verso.app)
      const aliases = ['/free', '/café']
      for (const answer of [
        await verso.post('/v1/posts', { title: 'x', aliases }),
        await verso.post('/v1/posts?dry_run=true', { title: 'x', aliases }),
        await verso.patch('/v1/posts/two', { aliases }),
      ]) {
        expect(answer.status).toBe(409)
        expect(answer.body).toMatchObject({ code: 'alias_conflict', postId: one.id, errors: [{ pointer: '/aliases/1', code: 'taken' }] })
      }
      const operations = [
        { op: 'update', id: 'one', body: { aliases: [] } },
        { op: 'update', id: 'two', body: { aliases } },
        { op: 'create', body: { title: 'Three', aliases: ['/free'] } },
      ]
      const batch = await verso.post('/v1/posts/batch', { operations })
      expect([codeOf(batch), batch.body.errors[0].pointer]).toEqual(['409 alias_conflict', '/operations/2/body/aliases/0'])
      expect(await rowCounts(verso.app)).toEqual(before)
      const { body } = await verso.post('/v1/posts/batch', { atomic: false, operations })
      expect(body.results.map((result: { status: number }) => result.status)).toEqual([200, 200, 409])
    })

    it('two projects can have one alias, and another dry run takes none', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      for (const { post } of [other, verso]) {
        expect((await post('/v1/posts?dry_run=true', { title: 'One', aliases: ['/a'] })).status).toBe(200)
        expect((await post('/v1/posts', { title: 'One', aliases: ['/a'] })).status).toBe(201)
      }
    })

    it('DELETE and restore: aliases in the trash are free, and come back unless another post has taken one', async () => {
      const verso = await startVerso(engine)
      const { body: one } = await verso.post('/v1/posts', { title: 'One', status: 'published', aliases: ['/a', '/b'] })
      await verso.delete('/v1/posts/one')
      const { body: two } = await verso.post('/v1/posts', { title: 'Two', aliases: ['/a'] })
      const restore = `/v1/posts/${one.id}/restore`
      expect((await verso.post(restore)).body).toMatchObject({ status: 409, code: 'alias_conflict', postId: two.id })
      expect((await verso.post(restore, { aliases: ['/b'] })).body).toMatchObject({ aliases: ['/b'], version: 3 })
      await verso.delete('/v1/posts/one')
      await verso.patch('/v1/posts/two', { aliases: [] })
      expect((await verso.post(restore)).body.aliases).toEqual(['/b'])
      expect(codeOf(await verso.post('/v1/posts', { title: 'x', aliases: ['/b'] }))).toBe('409 alias_conflict')
      expect((await verso.delete(`/v1/posts/${one.id}?permanent=true`)).status).toBe(204)
      expect((await verso.post('/v1/posts', { title: 'x', aliases: ['/b'] })).status).toBe(201)
    })

    it('revisions name aliases that changed; restoring one leaves them', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', aliases: ['/a'] })
      await verso.patch('/v1/posts/one', { title: 'Two', aliases: ['/b'] })
      expect((await verso.get('/v1/posts/one/revisions')).body.data[0].changed).toEqual(['title', 'aliases'])
      expect((await verso.get('/v1/posts/one/revisions/2/diff')).body.fields).toContainEqual({
        field: 'aliases',
        before: ['/a'],
        after: ['/b'],
      })
      expect((await verso.post('/v1/posts/one/revisions/1/restore')).body).toMatchObject({ title: 'One', aliases: ['/b'], version: 3 })
    })

    it('the changes feed and a repeated request have them', async () => {
      const verso = await startVerso(engine)
      const repeated = { headers: { 'idempotency-key': 'k' } }
      const body = { title: 'One', status: 'published', aliases: ['/a'] }
      const first = await verso.post('/v1/posts', body, repeated)
      const again = await verso.post('/v1/posts', body, repeated)
      expect([again.status, again.text]).toEqual([201, first.text])
      const { data } = (await verso.get('/v1/changes', { key: verso.public })).body
      expect(data).toMatchObject([{ data: { aliases: ['/a'] } }])
    })

    it('twenty simultaneous creates with one alias: one has it, the others are 409', async () => {
      const verso = await startVerso(engine)
      const asked = Array.from({ length: 20 }, (_, i) => verso.post('/v1/posts', { title: `Post ${i}`, aliases: ['/one', `/${i}`] }))
      const codes = (await Promise.all(asked)).map(codeOf).sort()
      expect(codes).toEqual(['201', ...Array(19).fill('409 alias_conflict')])
    })
  })
}
