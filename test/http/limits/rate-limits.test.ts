import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso, type TestEngine } from '../../harness/harness.ts'

const start = (engine: TestEngine, reads: number, writes = 0) =>
  startVerso(engine, { env: { VERSO_RATE_LIMIT_READS: String(reads), VERSO_RATE_LIMIT_WRITES: String(writes) } })

const rates = ({ headers }: Answer) => [headers.get('ratelimit'), headers.get('ratelimit-policy')]

async function repeated<T>(times: number, ask: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (let i = 0; i < times; i++) results.push(await ask())
  return results
}

const refused = { status: 429, body: { code: 'rate_limited' } }

for (const engine of engines) {
  describe(`the rates of keys on ${engine.name}`, () => {
    it('GET: as many as the limit in a minute, then 429 rate_limited with Retry-After; again when the minute is over', async () => {
      const verso = await start(engine, 5)
      const answers = await repeated(5, () => verso.get('/v1/posts'))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(answers.map(rates)).toEqual([4, 3, 2, 1, 0].map((left) => [`"reads";r=${left};t=60`, '"reads";q=5;w=60']))
      verso.context.travelTo('2026-06-01T12:00:20.001Z')
      const beyond = await verso.get('/v1/posts')
      expect(beyond).toMatchObject(refused)
      expect(beyond.headers.get('retry-after')).toBe('40')
      expect(rates(beyond)).toEqual(['"reads";r=0;t=40', '"reads";q=5;w=60'])
      verso.context.travelTo('2026-06-01T12:00:59.999Z')
      expect(await verso.get('/v1/posts')).toMatchObject(refused)
      verso.context.travelTo('2026-06-01T12:01:00.000Z')
      expect(await verso.get('/v1/posts')).toMatchObject({ status: 200 })
    })

    it('GET: many at once, and no more than the limit', async () => {
      const verso = await start(engine, 100)
      const answers = await Promise.all(Array.from({ length: 250 }, () => verso.get('/v1/posts?limit=1')))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(150)
    })

    it('POST, PATCH and DELETE are counted together, apart from reads', async () => {
      const verso = await start(engine, 1, 3)
      const { body: post, ...created } = await verso.post('/v1/posts', { title: 'One' })
      expect(created.headers.get('ratelimit')).toBe('"writes";r=2;t=60')
      expect(await verso.patch(`/v1/posts/${post.id}`, { title: 'Two' })).toMatchObject({ status: 200 })
      expect(await verso.delete(`/v1/posts/${post.id}`)).toMatchObject({ status: 204 })
      expect(await verso.post('/v1/posts', { title: 'Three' })).toMatchObject(refused)
      expect((await verso.get('/v1/posts?status=draft')).body.pagination.total).toBe(0)
    })

    it('each key has its own', async () => {
      const verso = await start(engine, 1)
      const other = await verso.otherProject('other')
      for (const key of [verso.secret, verso.public, await verso.keyWith('posts:read'), other.secret]) {
        expect(await verso.get('/v1/posts', { key })).toMatchObject({ status: 200 })
        expect(await verso.get('/v1/posts', { key })).toMatchObject(refused)
      }
    })

    it('GET: a 304 is free, also beyond the limit, from the cache or not; any other answer beyond it is 429', async () => {
      const verso = await start(engine, 3, 1)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      const list = await verso.get('/v1/posts')
      const one = await verso.get(`/v1/posts/${post.id}`)
      const conditional = (path: string, { headers }: Answer) =>
        verso.get(path, { headers: { 'if-none-match': headers.get('etag') ?? '', prefer: 'server-timing' } })
      const cached = (path: string, { headers }: Answer) => verso.get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      for (const ask of [conditional, cached, conditional, cached]) {
        expect(rates(await ask('/v1/posts', list))).toEqual([null, null])
        expect(await ask(`/v1/posts/${post.id}`, one)).toMatchObject({ status: 304 })
      }
      expect(await verso.get('/v1/posts')).toMatchObject({ status: 200 })
      for (const ask of [conditional, cached]) {
        expect(await ask('/v1/posts', list)).toMatchObject({ status: 304 })
        expect(await ask(`/v1/posts/${post.id}`, one)).toMatchObject({ status: 304 })
        expect(await ask('/v1/posts?limit=1', one)).toMatchObject(refused)
        expect(await ask('/v1/posts?limit=0', one)).toMatchObject(refused)
        expect(await ask('/v1/authors', one)).toMatchObject(refused)
      }
      const compressed = await verso.get('/v1/posts', { headers: { 'if-none-match': '"other"', 'accept-encoding': 'br' } })
      expect(compressed).toMatchObject(refused)
      expect(compressed.headers.get('content-encoding')).toBeNull()
    })

    it('GET /v1/changes: never a 304, so beyond the limit it is 429 at once, whatever If-None-Match says', async () => {
      const verso = await start(engine, 1)
      await verso.get('/v1/changes')
      verso.statements.length = 0
      const asked = { headers: { 'if-none-match': '"any"' } }
      expect(await verso.get('/v1/changes', asked)).toMatchObject(refused)
      expect(verso.statements.filter((sql) => /from "posts"/.test(sql))).toEqual([])
    })

    it('POST: a replay is free, also beyond the limit; another write with a key is 429 and writes nothing', async () => {
      const verso = await start(engine, 0, 2)
      const post = (title: string, key: string, path = '/v1/posts') => verso.post(path, { title }, { headers: { 'idempotency-key': key } })
      const first = await post('One', 'a')
      expect(await repeated(3, () => post('One', 'a'))).toMatchObject([201, 201, 201].map((status) => ({ status, body: first.body })))
      expect(await post('Two', 'b')).toMatchObject({ status: 201 })
      const replay = await post('One', 'a')
      expect([replay.status, replay.headers.get('idempotency-replayed'), ...rates(replay)]).toEqual([201, 'true', null, null])
      expect(await post('Three', 'c')).toMatchObject(refused)
      expect(await post('Another', 'a')).toMatchObject(refused)
      expect(await post('Three', 'c', '/v1/posts?dry_run=true')).toMatchObject(refused)
      expect(await verso.post('/v1/posts', { title: 'Three' })).toMatchObject(refused)
      expect((await verso.get('/v1/posts?status=draft')).body.pagination.total).toBe(2)
      verso.context.travelTo('2026-06-01T12:01:00.000Z')
      expect(await post('Three', 'c')).toMatchObject({ status: 201 })
    })

    it('POST ?dry_run=true with a key: beyond the limit it is 429, and not tried', async () => {
      const verso = await start(engine, 0, 1)
      await verso.post('/v1/posts', { title: 'One', slug: 'one' })
      const keyed = { headers: { 'idempotency-key': 'a' } }
      for (const body of [{ title: 'Two' }, { title: 'Two', slug: 'one' }, { title: '' }])
        expect(await verso.post('/v1/posts?dry_run=true', body, keyed)).toMatchObject(refused)
      expect(await verso.patch('/v1/posts/none?dry_run=true', {}, keyed)).toMatchObject(refused)
    })

    it('preflights, paths without a key and preview tokens are not counted', async () => {
      const verso = await start(engine, 1, 2)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      const { body: preview } = await verso.post(`/v1/posts/${post.id}/preview-tokens`, {})
      const free = ['/healthz', '/openapi.json', `/v1/posts/${post.id}?preview_token=${preview.token}`]
      for (const path of [...free, ...free]) expect(await verso.get(path, { key: null })).toMatchObject({ status: 200 })
      for (const status of [204, 204]) expect(await verso.request('OPTIONS', '/v1/posts')).toMatchObject({ status })
      expect(await verso.get('/v1/posts')).toMatchObject({ status: 200 })
    })

    it('429 stands between 401 and 403', async () => {
      const verso = await start(engine, 1, 1)
      const key = await verso.keyWith('posts:read')
      await verso.get('/v1/posts', { key })
      await verso.post('/v1/posts', { title: 'One' }, { key })
      expect(await verso.get('/v1/nothing', { key })).toMatchObject({ status: 404 })
      expect(await verso.delete('/v1/posts', { key })).toMatchObject({ status: 405 })
      expect(await verso.get('/v1/posts', { key: null })).toMatchObject({ status: 401 })
      expect(await verso.get('/v1/authors', { key })).toMatchObject(refused)
      expect(await verso.get('/v1/posts?limit=0', { key })).toMatchObject(refused)
      expect(await verso.get('/v1/posts', { key, headers: { accept: 'text/html' } })).toMatchObject(refused)
      expect(await verso.post('/v1/posts', '{', { key })).toMatchObject(refused)
      expect(await verso.post('/v1/posts', 'x', { key, headers: { 'content-type': 'text/plain' } })).toMatchObject(refused)
      expect(await verso.patch('/v1/posts/nothing', {}, { key })).toMatchObject(refused)
    })

    it('GET: what is refused for another reason is counted as well', async () => {
      const verso = await start(engine, 2)
      expect(rates(await verso.get('/v1/posts?limit=0'))).toEqual(['"reads";r=1;t=60', '"reads";q=2;w=60'])
      expect(rates(await verso.get('/v1/posts/nothing'))).toEqual(['"reads";r=0;t=60', '"reads";q=2;w=60'])
    })

    it('a clock that is set back does not lengthen the minute', async () => {
      const verso = await start(engine, 1)
      await verso.get('/v1/posts')
      verso.context.travelTo('2026-06-01T11:50:00.000Z')
      expect((await verso.get('/v1/posts')).headers.get('retry-after') ?? '0').toMatch(/^([0-9]|[1-5][0-9]|60)$/)
    })

    it('without a limit there is no header and nothing is stored', async () => {
      const verso = await start(engine, 0, 0)
      expect(rates(await verso.get('/v1/posts'))).toEqual([null, null])
      expect(rates(await verso.post('/v1/posts', { title: 'One' }))).toEqual([null, null])
      expect(await verso.app.installation.db.selectFrom('rate_windows').selectAll().execute()).toEqual([])
    })
  })
}
