import { describe, expect, it } from 'vitest'
import { type Answer, engines, shared, startVerso } from '../../harness/harness.ts'
import { rowCounts } from '../../harness/rows.ts'
import { describeSite, inheritSite } from '../../harness/site.ts'

const bare = { key: null }

/** A draft and a token that opens it. */
async function startWithDraft(engine: (typeof engines)[number]) {
  const verso = await startVerso(engine)
  const { body: post } = await verso.post('/v1/posts', { title: 'Secret plans', content: 'Not yet.' })
  const { body: preview } = await verso.post(`/v1/posts/${post.id}/preview-tokens`, {})
  const read = (query: string, asked = bare as object) => verso.get(`/v1/posts/${post.id}?${query}`, { ...bare, ...asked })
  return { verso, post, preview, token: preview.token as string, read }
}

/** What is the same in every answer that shows nothing. */
function refusalOf({ status, headers, body }: Answer) {
  const kept = ['cache-control', 'content-type', 'vary', 'x-robots-tag', 'access-control-allow-origin', 'www-authenticate']
  return { status, headers: kept.map((name) => headers.get(name)), body: { ...body, instance: '', requestId: '' } }
}

for (const engine of engines) {
  describe(`preview tokens on ${engine.name}`, () => {
    it('POST: 201 with the token, which is shown this once and is kept nowhere', async () => {
      const { verso, post, preview } = await startWithDraft(engine)
      expect(preview).toEqual({
        id: expect.stringMatching(/^prev_/),
        name: null,
        createdAt: '2026-06-01T12:00:00.000Z',
        expiresAt: '2026-06-08T12:00:00.000Z',
        token: expect.stringMatching(/^verso_preview_[0-9A-Za-z]{49}$/),
        url: null,
      })
      const { token, url, ...shown } = preview
      const list = await verso.get('/v1/posts/secret-plans/preview-tokens')
      expect(list.body.data).toEqual([shown])
      expect(list.headers.get('cache-control')).toBe('private, no-cache')
      const rows = await verso.app.installation.db.selectFrom('preview_tokens').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(token)
      expect(rows).toMatchObject([{ post_id: post.id }])
    })

    it('POST: no change of content; version, revision and ETags stay', async () => {
      const { verso } = await startWithDraft(engine)
      const before = await verso.get('/v1/posts')
      const counts = await rowCounts(verso.app)
      const made = await verso.post('/v1/posts/secret-plans/preview-tokens', { name: ' Proofreading ', expiresIn: 60 })
      expect(made.body).toMatchObject({ name: 'Proofreading', expiresAt: '2026-06-01T12:01:00.000Z' })
      expect(made.headers.get('location')).toBe(`/v1/posts/secret-plans/preview-tokens/${made.body.id}`)
      expect(made.headers.get('cache-control')).toBe('no-store')
      expect((await verso.get('/v1/posts')).headers.get('etag')).toBe(before.headers.get('etag'))
      expect(await rowCounts(verso.app)).toEqual({ ...counts, preview_tokens: counts.preview_tokens + 1 })
    })

    const refusing = shared(() => startWithDraft(engine))

    it.each([
      [{ expiresAt: '2026-06-01T12:00:00Z' }, '/expiresAt'],
      [{ expiresAt: '2026-08-30T12:00:00.001Z' }, '/expiresAt'],
      [{ expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ expiresAt: null }, '/expiresAt'],
      [{ expiresIn: 0 }, '/expiresIn'],
      [{ expiresIn: 90 * 86_400 + 1 }, '/expiresIn'],
      [{ expiresIn: 1.5 }, '/expiresIn'],
      [{ expiresIn: '60' }, '/expiresIn'],
      [{ expiresAt: '2026-06-02T12:00:00Z', expiresIn: 60 }, '/expiresIn'],
      [{ name: '' }, '/name'],
      [{ name: 5 }, '/name'],
      [{ name: 'a\0' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ token: 'mine' }, '/token'],
      [[], ''],
    ])('POST %j: 422 at %s, and nothing is made', async (body, pointer) => {
      const { verso } = await refusing()
      const counts = await rowCounts(verso.app)
      const answer = await verso.post('/v1/posts/secret-plans/preview-tokens', body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).toEqual([pointer])
      expect(await rowCounts(verso.app)).toEqual(counts)
    })

    it('POST: the longest is 90 days, to the second', async () => {
      const { verso } = await startWithDraft(engine)
      const last = '2026-08-30T12:00:00.000Z'
      for (const body of [{ expiresIn: 90 * 86_400 }, { expiresAt: last }])
        expect((await verso.post('/v1/posts/secret-plans/preview-tokens', body)).body.expiresAt).toBe(last)
    })

    it('POST ?dry_run=true: 200 without token and link, and nothing is made', async () => {
      const { verso } = await startWithDraft(engine)
      await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/{slug}' })
      const counts = await rowCounts(verso.app)
      const { status, body } = await verso.post('/v1/posts/secret-plans/preview-tokens?dry_run=true', {})
      expect([status, Object.keys(body)]).toEqual([200, ['id', 'name', 'createdAt', 'expiresAt']])
      expect(await rowCounts(verso.app)).toEqual(counts)
    })

    it('POST with an Idempotency-Key: the same token again, which is stored for nobody to read', async () => {
      const { verso } = await startWithDraft(engine)
      const make = () => verso.post('/v1/posts/secret-plans/preview-tokens', {}, { headers: { 'idempotency-key': 'once' } })
      const [first, second] = [await make(), await make()]
      expect(second.text).toBe(first.text)
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      const kept = await verso.app.installation.db.selectFrom('stored_responses').selectAll().execute()
      expect(kept).toHaveLength(1)
      expect(JSON.stringify(kept)).not.toContain(first.body.token)
    })

    it('POST with an Idempotency-Key: 404 for a repeat once the post is erased, also if the token was revoked; nothing of it is kept', async () => {
      const { verso, post } = await startWithDraft(engine)
      await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/{slug}' })
      const make = (key: string) => verso.post('/v1/posts/secret-plans/preview-tokens', {}, { headers: { 'idempotency-key': key } })
      const [, revoked] = [await make('kept'), await make('revoked')]
      await verso.delete(`/v1/posts/secret-plans/preview-tokens/${revoked?.body.id}`)
      await verso.delete(`/v1/posts/${post.id}?permanent=true`)
      for (const key of ['kept', 'revoked']) {
        const repeat = await make(key)
        expect(repeat.body).toMatchObject({ status: 404, detail: expect.stringContaining('erased') })
        expect(repeat.text).not.toContain('https://example.com')
      }
      const kept = await verso.app.installation.db.selectFrom('stored_responses').select(['headers', 'body']).execute()
      expect(kept).toEqual([1, 2].map(() => ({ headers: '{}', body: '' })))
    })

    it('POST: 404 for a post that is not there, is in the trash, or is another project’s', async () => {
      const { verso, post } = await startWithDraft(engine)
      const other = await verso.otherProject('other')
      await verso.post('/v1/posts', { title: 'Gone' })
      await verso.delete('/v1/posts/gone')
      const answers = [
        await verso.post('/v1/posts/none/preview-tokens', { name: '' }),
        await verso.post('/v1/posts/gone/preview-tokens', {}),
        await other.post(`/v1/posts/${post.id}/preview-tokens`, {}),
        await other.get(`/v1/posts/${post.id}/preview-tokens`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    })

    it('403 without the scope: making and revoking need posts:write, listing needs posts:read_drafts', async () => {
      const { verso, preview } = await startWithDraft(engine)
      const path = '/v1/posts/secret-plans/preview-tokens'
      const reader = { key: await verso.keyWith('posts:read_drafts') }
      expect((await verso.get(path, reader)).status).toBe(200)
      expect((await verso.post(path, {}, reader)).body.scope).toBe('posts:write')
      expect((await verso.delete(`${path}/${preview.id}`, reader)).body.scope).toBe('posts:write')
      expect((await verso.get(path, { key: verso.public })).body.scope).toBe('posts:read_drafts')
      expect((await verso.get(path, bare)).status).toBe(401)
    })

    it('a post has a hundred that work; those that have ended make room', async () => {
      const { verso } = await startWithDraft(engine)
      const make = () => verso.post('/v1/posts/secret-plans/preview-tokens', { expiresIn: 600 })
      for (let made = 1; made < 100; made++) expect((await make()).status).toBe(201)
      const refused = await make()
      expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'too_many'])
      verso.context.travelTo('2026-06-01T12:10:00Z')
      expect((await verso.get('/v1/posts/secret-plans/preview-tokens')).body.pagination.total).toBe(1)
      expect((await make()).status).toBe(201)
      expect((await rowCounts(verso.app)).preview_tokens).toBe(2)
    })

    it('GET: pages by cursor in either order', async () => {
      const { verso } = await startWithDraft(engine)
      for (const seconds of [30, 10, 20]) await verso.post('/v1/posts/secret-plans/preview-tokens', { expiresIn: seconds })
      const first = await verso.get('/v1/posts/secret-plans/preview-tokens?sort=expires_at&limit=2')
      const next = await verso.get(`/v1/posts/secret-plans/preview-tokens?sort=expires_at&cursor=${first.body.pagination.nextCursor}`)
      const ends = [...first.body.data, ...next.body.data].map(({ expiresAt }) => expiresAt)
      expect(ends).toEqual([...ends].sort())
      expect(new Set(ends).size).toBe(4)
    })

    it('the link is the permalink with the token; null unless the project says where its posts stand', async () => {
      const { verso, post } = await startWithDraft(engine)
      const link = async (siteUrl: string | null, permalink: string | null) => {
        await describeSite(verso, { siteUrl, permalink })
        return linkNow()
      }
      const linkNow = async () => {
        const { body } = await verso.post('/v1/posts/secret-plans/preview-tokens', {})
        return body.url?.replace(body.token, 'TOKEN') ?? null
      }
      expect(await link('https://example.com', '/blog/{slug}')).toBe('https://example.com/blog/secret-plans?preview_token=TOKEN')
      expect(await link('https://example.com/de/', '/{id}/')).toBe(`https://example.com/de/${post.id}/?preview_token=TOKEN`)
      expect(await link('https://example.com', '/post?p={id}')).toBe(`https://example.com/post?p=${post.id}&preview_token=TOKEN`)
      await inheritSite(verso, { permalink: '/post?p={id}#top' })
      expect(await linkNow()).toBe(`https://example.com/post?p=${post.id}&preview_token=TOKEN#top`)
      expect(await link('https://example.com', null)).toBeNull()
      expect(await link(null, '/blog/{slug}')).toBeNull()
    })
  })

  describe(`GET /v1/posts/{idOrSlug}?preview_token=… on ${engine.name}`, () => {
    it('200 without a key: the post as the one who writes it sees it, kept by nobody', async () => {
      const { verso, post, token, read } = await startWithDraft(engine)
      for (const path of [post.id, 'secret-plans']) {
        const answer = await verso.get(`/v1/posts/${path}?preview_token=${token}`, bare)
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual((await verso.get(`/v1/posts/${path}`)).body)
        expect(answer.headers.get('cache-control')).toBe('private, no-store')
        expect(answer.headers.get('x-robots-tag')).toBe('noindex')
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
      const head = await verso.request('HEAD', `/v1/posts/${post.id}?preview_token=${token}`, bare)
      expect([head.status, head.text, head.headers.get('cache-control')]).toEqual([200, '', 'private, no-store'])
      await verso.patch('/v1/posts/secret-plans', { title: 'Secret plans, mended' })
      expect((await read(`preview_token=${token}`)).body.title).toBe('Secret plans, mended')
    })

    it('whatever its status', async () => {
      const { verso, token, read } = await startWithDraft(engine)
      const states = [
        { status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' },
        { status: 'published' },
        { status: 'archived' },
        { status: 'draft' },
      ]
      for (const state of states) {
        await verso.patch('/v1/posts/secret-plans', state)
        expect((await read(`preview_token=${token}`)).body.status).toBe(state.status)
      }
    })

    it('a due post is published before it is shown', async () => {
      const { verso, token, read } = await startWithDraft(engine)
      await verso.patch('/v1/posts/secret-plans', { status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect((await read(`preview_token=${token}`)).body).toMatchObject({ status: 'published', publishedAt: '2026-06-02T00:00:00.000Z' })
    })

    it('404, the same for a token that is wrong, expired, revoked, of another post or project, or of a post that never was', async () => {
      const { verso, post, preview, token, read } = await startWithDraft(engine)
      const other = await verso.otherProject('other')
      await other.post('/v1/posts', { title: 'Secret plans' })
      const { body: foreign } = await other.post('/v1/posts/secret-plans/preview-tokens', {})
      await verso.post('/v1/posts', { title: 'Another' })
      const { body: sibling } = await verso.post('/v1/posts/another/preview-tokens', {})
      const { body: short } = await verso.post('/v1/posts/secret-plans/preview-tokens', { expiresIn: 1 })
      const { body: revoked } = await verso.post('/v1/posts/secret-plans/preview-tokens', {})
      expect((await verso.delete(`/v1/posts/${post.id}/preview-tokens/${revoked.id}`)).status).toBe(204)
      verso.context.travelTo('2026-06-01T12:00:01Z')
      const mistyped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
      const refused = [
        ...[mistyped, 'x', verso.secret, short.token, revoked.token, sibling.token, foreign.token, preview.id].map((each) =>
          read(`preview_token=${each}`),
        ),
        verso.get(`/v1/posts/none?preview_token=${token}`, bare),
        verso.get(`/v1/posts/none?preview_token=${mistyped}`, bare),
        verso.get(`/v1/posts/post_06dq8k2rxf7e9aw5n4j1t3ybvc?preview_token=${token}`, bare),
      ]
      const answers = (await Promise.all(refused)).map(refusalOf)
      expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found', detail: 'There is no such post.' } })
      for (const answer of answers) expect(answer).toEqual(answers[0])
    })

    it('404 while the post is in the trash, and for ever once it is erased, with its tokens', async () => {
      const { verso, post, token, read } = await startWithDraft(engine)
      await verso.delete('/v1/posts/secret-plans')
      expect((await read(`preview_token=${token}`)).status).toBe(404)
      await verso.post(`/v1/posts/${post.id}/restore`)
      expect((await read(`preview_token=${token}`)).status).toBe(200)
      await verso.delete(`/v1/posts/${post.id}?permanent=true`)
      expect((await read(`preview_token=${token}`)).status).toBe(404)
      expect((await rowCounts(verso.app)).preview_tokens).toBe(0)
    })

    it('the token decides, whatever key comes with it', async () => {
      const { verso, token, read } = await startWithDraft(engine)
      const { body: other } = await verso.post('/v1/posts', { title: 'Another' })
      for (const key of [verso.public, verso.secret, 'nonsense']) {
        expect((await read(`preview_token=${token}`, { key })).headers.get('cache-control')).toBe('private, no-store')
        expect((await verso.get(`/v1/posts/${other.id}?preview_token=${token}`, { key })).status).toBe(404)
      }
    })

    it('400 for a token that is empty or repeated, and for any other parameter', async () => {
      const { token, read } = await startWithDraft(engine)
      for (const query of ['preview_token', 'preview_token=', `preview_token=${token}&preview_token=${token}`, 'preview_token=%00']) {
        const answer = await read(query)
        expect([answer.status, answer.body.code, answer.body.errors[0].parameter]).toEqual([400, 'invalid_parameter', 'preview_token'])
        expect(answer.text).not.toContain(token)
      }
      expect((await read(`preview_token=${token}&a=b`)).body.code).toBe('unknown_parameter')
    })

    it('opens nothing else: no list, no write, no other path', async () => {
      const { verso, post, token } = await startWithDraft(engine)
      const query = `?preview_token=${token}`
      const asked = [
        ['GET', '/v1/posts'],
        ['PATCH', `/v1/posts/${post.id}`],
        ['DELETE', `/v1/posts/${post.id}`],
        ['POST', `/v1/posts/${post.id}/restore`],
        ['GET', `/v1/posts/${post.id}/preview-tokens`],
        ['GET', '/v1/authors'],
      ] as const
      for (const [method, path] of asked)
        expect((await verso.request(method, path + query, { ...bare, body: method === 'GET' ? undefined : {} })).status).toBe(401)
      expect((await verso.get('/v1/posts', { key: token })).body.code).toBe('invalid_key')
      expect((await verso.get(`/v1/posts${query}`)).body.code).toBe('unknown_parameter')
    })

    it('an old slug of the post is answered in place: no redirect carries the token', async () => {
      const { verso, token } = await startWithDraft(engine)
      await verso.patch('/v1/posts/secret-plans', { status: 'published' })
      await verso.patch('/v1/posts/secret-plans', { slug: 'plans' })
      const answer = await verso.get(`/v1/posts/secret-plans?preview_token=${token}`, bare)
      expect([answer.status, answer.body.slug, answer.headers.get('location')]).toEqual([200, 'plans', null])
      await verso.post('/v1/posts', { title: 'Other', status: 'published' })
      await verso.patch('/v1/posts/other', { slug: 'new-other' })
      expect((await verso.get(`/v1/posts/other?preview_token=${token}`, bare)).status).toBe(404)
    })

    it('a draft is opened under every slug that it had, whatever other post has that slug now', async () => {
      const { verso, post, token } = await startWithDraft(engine)
      for (const slug of ['plans', 'final-plans']) await verso.patch(`/v1/posts/${post.id}`, { slug })
      const paths = ['secret-plans', 'plans', 'final-plans']
      const read = (path: string) => verso.get(`/v1/posts/${path}?preview_token=${token}`, bare)
      for (const path of paths) expect((await read(path)).body, path).toMatchObject({ id: post.id, slug: 'final-plans' })
      await verso.post('/v1/posts', { title: '"slug":"quoted"', slug: 'plans', status: 'published' })
      await verso.patch(`/v1/posts/${post.id}`, { title: '"slug":"quoted"' })
      expect((await read('plans')).body.id).toBe(post.id)
      const refused = await Promise.all(
        ['quoted', 'plan', '%25', 'p_ans', 'PLANS', 'plans%22'].map(async (path) => refusalOf(await read(path))),
      )
      for (const answer of refused) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })

    it('a post is opened under the slug that its pending edit gives it, which is the one in the answer', async () => {
      const { verso, post, token } = await startWithDraft(engine)
      await verso.patch(`/v1/posts/${post.id}/pending`, { slug: 'final-plans', seo: { title: '"slug":"quoted"' } })
      const read = (path: string) => verso.get(`/v1/posts/${path}?preview_token=${token}`, bare)
      const { body } = await read('secret-plans')
      expect(body).toMatchObject({ id: post.id, slug: 'final-plans' })
      expect((await read(body.slug)).body).toEqual(body)
      expect((await read('quoted')).status).toBe(404)
      expect((await verso.get('/v1/posts/final-plans')).status).toBe(404)
    })

    it('the token is in no problem document and in no log', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      await verso.post('/v1/posts', { title: 'One' })
      const { body } = await verso.post('/v1/posts/one/preview-tokens', {})
      const token = body.token as string
      const queries = [`preview_token=${token}`, `preview_token=${token}&${token}=1`, `preview_token=${token}&preview_token=${token}`]
      for (const query of queries) {
        for (const path of ['/v1/posts/one', '/v1/posts/two', '/v1/posts', `/v1/posts/${'x'.repeat(9_000)}`]) {
          const { text } = await verso.get(`${path}?${query}`, bare)
          if (!query.includes(`&${token}`)) expect(text).not.toContain(token)
        }
      }
      expect(lines.length).toBeGreaterThanOrEqual(12)
      expect(lines.join('\n')).not.toContain(token.slice(14))
    })
  })
}
