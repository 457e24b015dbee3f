import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { operator, scopes } from '../../../../src/actions/caller.ts'
import type { Tx } from '../../../../src/database/engine.ts'
import { revokeKey, rotateKey } from '../../../../src/resources/projects/keys/key-actions.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { type Answer, engines, startVerso, type TestApp, type TestEngine } from '../../../harness/harness.ts'
import { overlap } from '../../../harness/overlap.ts'

async function startWithAdmin(engine: TestEngine): Promise<TestApp & { readonly admin: { readonly key: string } }> {
  const verso = await startVerso(engine)
  const admin = { key: await verso.keyWith('admin') }
  verso.statements.length = 0
  return { ...verso, admin }
}

const codeOf = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`)
const pointersOf = ({ body }: Answer) => body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)

for (const engine of engines) {
  describe(`API keys in requests on ${engine.name}`, () => {
    it('401 unauthenticated without a key, and for anything but a bearer token', async () => {
      const verso = await startVerso(engine)
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        `Basic ${verso.secret}`,
        verso.secret,
        `Bearer ${verso.secret} x`,
        `Token ${verso.secret}`,
      ]) {
        const answer = await verso.get('/v1/posts', { key: null, headers: authorization === undefined ? {} : { authorization } })
        expect(codeOf(answer), authorization).toBe('401 unauthenticated')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
      for (const authorization of [`bearer ${verso.secret}`, `BEARER   ${verso.secret}`]) {
        expect((await verso.get('/v1/posts', { key: null, headers: { authorization } })).status).toBe(200)
      }
      expect(codeOf(await verso.get(`/v1/posts?key=${verso.secret}`, { key: null }))).toBe('401 unauthenticated')
    })

    it('401 invalid_key for a typo, without a look-up', async () => {
      const verso = await startVerso(engine)
      const swapped = verso.secret.replace(/(.)(.)(.{6})$/, (all, a, b, rest) => (a === b ? `${all}0` : `${b}${a}${rest}`))
      const typos = [
        `${verso.secret}x`,
        verso.secret.slice(0, -1),
        swapped,
        verso.secret.replace('live', 'pub'),
        verso.secret.toUpperCase(),
        'verso_live_',
        'x',
      ]
      for (const key of typos) {
        const answer = await verso.get('/v1/posts', { key })
        expect(codeOf(answer), key).toBe('401 invalid_key')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
      expect(verso.statements).toEqual([])
    })

    it('401 invalid_key for a well-formed key that nobody has, in one statement', async () => {
      const verso = await startVerso(engine)
      const stranger = await startVerso(engine)
      expect(codeOf(await verso.get('/v1/posts', { key: stranger.secret }))).toBe('401 invalid_key')
      expect(verso.statements).toHaveLength(1)
    })

    it('403 insufficient_scope names the scope that every route takes', async () => {
      const verso = await startVerso(engine)
      const none = { key: await verso.keyWith('changes:read') }
      const asked = [
        ['GET', '/v1/posts', 'posts:read'],
        ['HEAD', '/v1/posts/one', 'posts:read'],
        ['POST', '/v1/posts', 'posts:write'],
        ['PATCH', '/v1/posts/one', 'posts:write'],
        ['DELETE', '/v1/posts/one', 'posts:write'],
        ['DELETE', '/v1/posts/one?permanent=true', 'posts:delete'],
        ['POST', '/v1/posts/one/restore', 'posts:write'],
        ['GET', '/v1/tags', 'posts:read'],
        ['GET', '/v1/authors', 'authors:read'],
        ['GET', '/v1/media', 'media:read'],
        ['GET', '/v1/admin/keys', 'admin'],
        ['POST', '/v1/admin/keys', 'admin'],
        ['DELETE', '/v1/admin/keys/one', 'admin'],
      ] as const
      for (const [method, path, scope] of asked) {
        const answer = await verso.request(method, path, none)
        expect(answer.status, `${method} ${path}`).toBe(403)
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
        if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 'insufficient_scope', scope })
      }
    })

    it('the default secret key has every scope but those of administration; the public one reads what is published', async () => {
      const { get, admin, ...verso } = await startWithAdmin(engine)
      const { body } = await get('/v1/admin/keys?sort=name', admin)
      const granted = Object.fromEntries(
        body.data.map(({ kind, scopes: has }: { kind: string; scopes: string[] }) => [kind + has.length, has]),
      )
      expect(granted).toEqual({
        public3: ['posts:read', 'authors:read', 'changes:read'],
        secret1: ['admin'],
        secret11: scopes.filter((scope) => !['admin', 'authors:write', 'categories:write', 'people:manage'].includes(scope)),
      })
      expect(codeOf(await get('/v1/admin/keys'))).toBe('403 insufficient_scope')
      for (const path of ['/v1/media', '/v1/admin/keys']) expect((await get(path, { key: verso.public })).status).toBe(403)
      for (const path of ['/v1/posts', '/v1/authors', '/v1/tags', '/v1/categories'])
        expect((await get(path, { key: verso.public })).status).toBe(200)
    })

    it('a scope brings with it what it includes', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Draft' })
      for (const scope of ['posts:write', 'posts:publish', 'posts:delete', 'posts:read_drafts'] as const) {
        expect((await verso.get('/v1/posts/draft', { key: await verso.keyWith(scope) })).status, scope).toBe(200)
      }
      expect((await verso.get('/v1/posts/draft', { key: await verso.keyWith('posts:read') })).status).toBe(404)
      expect((await verso.get('/v1/authors', { key: await verso.keyWith('authors:read_email') })).status).toBe(200)
      expect((await verso.get('/v1/media', { key: await verso.keyWith('media:write') })).status).toBe(200)
    })
  })

  describe(`/v1/admin/keys on ${engine.name}`, () => {
    it('POST: 201 with the token, which is shown this once and is kept nowhere', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const sent = {
        name: '  Website ',
        kind: 'secret',
        scopes: ['posts:write', 'posts:read', 'posts:write'],
        expiresAt: '2026-07-01T00:00:00+01:00',
      }
      const answer = await verso.post('/v1/admin/keys', sent, admin)
      expect(answer.status, answer.text).toBe(201)
      const { token, ...key } = answer.body
      expect(token).toMatch(/^verso_live_[0-9A-Za-z]{49}$/)
      expect(key).toEqual({
        id: expect.stringMatching(/^key_/),
        name: 'Website',
        kind: 'secret',
        scopes: ['posts:write', 'posts:read'],
        last4: token.slice(-4),
        createdAt: '2026-06-01T12:00:00.000Z',
        expiresAt: '2026-06-30T23:00:00.000Z',
        lastUsedAt: null,
        revokedAt: null,
      })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('location')).toBe(`/v1/admin/keys/${key.id}`)
      expect((await verso.get(`/v1/admin/keys/${key.id}`, admin)).body).toEqual(key)
      expect((await verso.get('/v1/admin/keys', admin)).body.data).toContainEqual(key)
      expect((await verso.get('/v1/posts', { key: token })).status).toBe(200)
    })

    it('POST: 422 naming what is wrong; a public key cannot have what writes or shows the unpublished', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const create = (body: unknown) => verso.post('/v1/admin/keys', body, admin)
      const publicly = { name: 'x', kind: 'public' }
      for (const scope of scopes) {
        const open = ['posts:read', 'authors:read', 'changes:read', 'media:read'].includes(scope)
        const answer = await create({ ...publicly, scopes: ['posts:read', scope] })
        expect(answer.status, scope).toBe(open ? 201 : 422)
        if (!open)
          expect(answer.body.errors).toMatchObject([{ pointer: '/scopes', code: 'not_allowed', detail: expect.stringContaining(scope) }])
      }
      expect(pointersOf(await create({}))).toEqual(['/name required', '/kind required'])
      expect(pointersOf(await create({ ...publicly, scopes: [] }))).toEqual(['/scopes empty'])
      expect(pointersOf(await create({ ...publicly, scopes: ['posts:everything'] }))).toEqual(['/scopes/0 not_allowed'])
      expect(pointersOf(await create({ ...publicly, kind: 'admin', token: 'x' })).sort()).toEqual([
        '/kind not_allowed',
        '/token unknown_field',
      ])
      expect(pointersOf(await create({ ...publicly, name: ' ' }))).toEqual(['/name empty'])
      expect(pointersOf(await create({ ...publicly, name: 'x'.repeat(101) }))).toEqual(['/name too_long'])
      for (const expiresAt of ['2026-06-01T12:00:00Z', '2020-01-01T00:00:00Z']) {
        expect(pointersOf(await create({ ...publicly, expiresAt }))).toEqual(['/expiresAt in_the_past'])
      }
      expect((await create({ ...publicly, expiresAt: null })).body.expiresAt).toBeNull()
    })

    it('expiry takes effect with the next request', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'public', expiresAt: '2026-06-01T13:00:00Z' }, admin)
      const ask = async () => codeOf(await verso.get('/v1/posts', { key: body.token }))
      verso.context.travelTo('2026-06-01T12:59:59.999Z')
      expect(await ask()).toBe('200')
      verso.context.travelTo('2026-06-01T13:00:00.000Z')
      expect(await ask()).toBe('401 invalid_key')
    })

    it('DELETE: 204, and the key stops with the next request; again is no mistake', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret' }, admin)
      expect((await verso.get('/v1/posts', { key: body.token })).status).toBe(200)
      for (const at of ['2026-06-01T13:00:00.000Z', '2026-06-01T14:00:00.000Z']) {
        verso.context.travelTo(at)
        expect((await verso.delete(`/v1/admin/keys/${body.id}`, admin)).status).toBe(204)
        expect(codeOf(await verso.get('/v1/posts', { key: body.token }))).toBe('401 invalid_key')
        expect((await verso.get(`/v1/admin/keys/${body.id}`, admin)).body.revokedAt).toBe('2026-06-01T13:00:00.000Z')
      }
    })

    it('POST: 401 for a body that ends after its key was revoked; with its scopes as they were, what it asks for is judged as of its end', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body } = await verso.post(
        '/v1/admin/keys',
        { name: 'x', kind: 'secret', scopes: ['admin', 'posts:write', 'posts:publish'] },
        admin,
      )
      const held = (path: string, sent: object) => beginBody(verso, path, body.token, sent)
      const [post, key] = [
        await held('/v1/posts', { title: 'Late', status: 'scheduled', scheduledFor: '2026-06-01T12:30:00Z' }),
        await held('/v1/admin/keys', { name: 'y', kind: 'secret', scopes: ['admin'] }),
      ]
      verso.context.travelTo('2026-06-01T13:00:00Z')
      expect(await post()).toEqual([422, 'validation_failed'])
      expect((await verso.delete(`/v1/admin/keys/${body.id}`, admin)).status).toBe(204)
      expect(await key()).toEqual([401, 'invalid_key'])
      expect((await verso.get('/v1/admin/keys?limit=100', admin)).body.data.map(({ name }: { name: string }) => name)).not.toContain('y')
    })

    it('rotate: a new key like the old one, which goes on for the grace period: 24 hours, or those given', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body: old } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret', scopes: ['posts:read'] }, admin)
      const path = `/v1/admin/keys/${old.id}/rotate`
      const { status, body: fresh } = await verso.post(path, undefined, admin)
      expect(status).toBe(201)
      expect(fresh).toMatchObject({ name: 'x', kind: 'secret', scopes: ['posts:read'], expiresAt: null })
      expect(fresh.token).not.toBe(old.token)
      const ask = async (key: string) => (await verso.get('/v1/posts', { key })).status
      verso.context.travelTo('2026-06-02T11:59:59.999Z')
      expect([await ask(old.token), await ask(fresh.token)]).toEqual([200, 200])
      verso.context.travelTo('2026-06-02T12:00:00Z')
      expect([await ask(old.token), await ask(fresh.token)]).toEqual([401, 200])
      expect(codeOf(await verso.post(path, {}, admin))).toBe('422 validation_failed')
      expect((await verso.post(`/v1/admin/keys/${fresh.id}/rotate`, { graceHours: 0 }, admin)).status).toBe(201)
      expect(await ask(fresh.token)).toBe(401)
      for (const graceHours of [-1, 721, 1.5, '1', null]) {
        expect(pointersOf(await verso.post(path, { graceHours }, admin)).map((each: string) => each.split(' ')[0])).toEqual(['/graceHours'])
      }
    })

    it('rotate: a key that was to end gets a successor that lives as long, and itself no longer than it would have', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body: old } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret', expiresAt: '2026-06-11T12:00:00Z' }, admin)
      verso.context.travelTo('2026-06-11T00:00:00Z')
      const { body: fresh } = await verso.post(`/v1/admin/keys/${old.id}/rotate`, {}, admin)
      expect(fresh.expiresAt).toBe('2026-06-21T00:00:00.000Z')
      expect((await verso.get(`/v1/admin/keys/${old.id}`, admin)).body.expiresAt).toBe('2026-06-11T12:00:00.000Z')
      const { body: eternal } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret', expiresAt: '9999-12-31T23:59:59Z' }, admin)
      verso.context.travelTo('2026-07-01T00:00:00Z')
      expect((await verso.post(`/v1/admin/keys/${eternal.id}/rotate`, {}, admin)).body.expiresAt).toBe('9999-12-31T23:59:59.999Z')
    })

    it('rotate: 422 not_allowed for a key that was rotated already, which goes on until its grace period is over or it is revoked', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      for (const expiresAt of [null, '2027-01-01T00:00:00.000Z']) {
        const { body: old } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret', expiresAt }, admin)
        const path = `/v1/admin/keys/${old.id}`
        const { body: fresh } = await verso.post(`${path}/rotate`, {}, admin)
        expect((await verso.get(path, admin)).body).toMatchObject({ expiresAt, revokedAt: '2026-06-02T12:00:00.000Z' })
        const again = await verso.post(`${path}/rotate`, { graceHours: 48 }, admin)
        expect(again.body).toMatchObject({ status: 422, errors: [{ code: 'not_allowed', detail: expect.stringContaining('already') }] })
        const ask = async () => Promise.all([old, fresh].map(async ({ token }) => (await verso.get('/v1/posts', { key: token })).status))
        expect(await ask()).toEqual([200, 200])
        expect((await verso.delete(path, admin)).status).toBe(204)
        expect(await ask()).toEqual([401, 200])
        expect((await verso.get(path, admin)).body.revokedAt).toBe('2026-06-01T12:00:00.000Z')
        expect((await verso.post(`/v1/admin/keys/${fresh.id}/rotate`, {}, admin)).status).toBe(201)
      }
    })

    it('of a rotation and a revocation, or two rotations, at the same time the later one finds what the earlier one did', async () => {
      const { admin, app, context, projectId, ...verso } = await startWithAdmin(engine)
      const { perform } = app.installation
      const caller = operator(projectId, 'cli', toInstant(context.now()))
      const make = async () => (await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret' }, admin)).body
      const rotation = (id: string) => ({ id, body: { ok: true, value: {} } }) as const
      const rotate = (id: string) => (tx: Tx) => rotateKey.run(tx, caller, rotation(id), context.random)
      const refused = { status: 'rejected', reason: { code: 'validation_failed' } }

      const revoked = await make()
      const tooLate = await overlap(
        app,
        (tx) => revokeKey.run(tx, caller, { id: revoked.id }, context.random),
        () => perform(rotateKey, caller, rotation(revoked.id)),
      )
      expect(tooLate).toMatchObject(refused)
      expect((await verso.get('/v1/posts', { key: revoked.token })).status).toBe(401)

      const rotated = await make()
      expect(await overlap(app, rotate(rotated.id), () => perform(rotateKey, caller, rotation(rotated.id)))).toMatchObject(refused)
      expect((await verso.get('/v1/posts', { key: rotated.token })).status).toBe(200)

      const both = await make()
      await overlap(app, rotate(both.id), () => perform(revokeKey, caller, { id: both.id }))
      expect((await verso.get('/v1/posts', { key: both.token })).status).toBe(401)
    })

    it('a project has at most 100 keys that work', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const create = () => verso.post('/v1/admin/keys', { name: 'x', kind: 'public' }, admin)
      const [first] = await Promise.all(Array.from({ length: 96 }, create))
      expect((await create()).status).toBe(201)
      expect((await create()).body).toMatchObject({ status: 422, errors: [{ code: 'too_many' }] })
      await verso.delete(`/v1/admin/keys/${first?.body.id}`, admin)
      expect((await create()).status).toBe(201)
      expect((await create()).status).toBe(422)
      expect((await verso.get('/v1/admin/keys', admin)).body.pagination.total).toBe(101)
    })

    it('rotate: 422 too_many where two keys would work beyond the 100th; without a grace period the old one makes room', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const create = () => verso.post('/v1/admin/keys', { name: 'x', kind: 'public' }, admin)
      const [first] = await Promise.all(Array.from({ length: 97 }, create))
      const rotate = (body: unknown) => verso.post(`/v1/admin/keys/${first?.body.id}/rotate`, body, admin)
      const detail = expect.stringContaining('without a grace period')
      expect((await rotate({})).body).toMatchObject({ status: 422, errors: [{ code: 'too_many', detail }] })
      expect((await verso.get('/v1/posts', { key: first?.body.token })).status).toBe(200)
      expect((await rotate({ graceHours: 0 })).status).toBe(201)
      expect((await create()).body).toMatchObject({ status: 422, errors: [{ code: 'too_many' }] })
    })

    it('GET: pages, sorts and cursors; keys of another project are not there', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const other = await verso.otherProject('other')
      for (const name of ['c', 'a', 'b']) {
        verso.context.travelTo(`2026-06-01T12:00:0${'xabc'.indexOf(name)}Z`)
        await verso.post('/v1/admin/keys', { name, kind: 'public' }, admin)
      }
      const names = async (query: string) =>
        (await verso.get(`/v1/admin/keys?${query}`, admin)).body.data.map(({ name }: { name: string }) => name)
      expect((await names('sort=name')).slice(0, 3)).toEqual(['a', 'b', 'c'])
      expect((await names('')).slice(0, 3)).toEqual(['c', 'b', 'a'])
      const { body } = await verso.get('/v1/admin/keys?sort=name&limit=2', admin)
      expect(await names(`sort=name&limit=1&cursor=${body.pagination.nextCursor}`)).toEqual(['c'])
      const { body: mine } = await verso.get('/v1/admin/keys', admin)
      const foreign = { key: await other.keyWith('admin') }
      for (const { id } of mine.data) {
        expect(codeOf(await other.get(`/v1/admin/keys/${id}`, foreign))).toBe('404 not_found')
        expect(codeOf(await other.delete(`/v1/admin/keys/${id}`, foreign))).toBe('404 not_found')
        expect(codeOf(await other.post(`/v1/admin/keys/${id}/rotate`, {}, foreign))).toBe('404 not_found')
      }
      expect((await other.get('/v1/admin/keys', foreign)).body.pagination.total).toBe(3)
    })

    it('lastUsedAt is written by the job, so that a read costs no write', async () => {
      const { admin, ...verso } = await startWithAdmin(engine)
      const { body } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'public' }, admin)
      const lastUsed = async () => (await verso.get(`/v1/admin/keys/${body.id}`, admin)).body.lastUsedAt
      for (const at of ['2026-06-01T13:00:00.000Z', '2026-06-01T14:00:00.000Z']) {
        verso.context.travelTo(at)
        await verso.get('/v1/posts', { key: body.token })
      }
      expect(await lastUsed()).toBeNull()
      await verso.app.jobs.find((job) => job.name === 'key-use')?.runOnce()
      expect(await lastUsed()).toBe('2026-06-01T14:00:00.000Z')
      const rows = await verso.app.installation.db.selectFrom('changes').select('seq').execute()
      expect(rows).toEqual([])
    })
  })
}

describe('the database file', () => {
  it('holds no token, not even a part of one beyond its last four characters', async () => {
    const engine = engines.find(({ name }) => name === 'SQLite')
    if (!engine) return
    let folder = ''
    const watched = {
      ...engine,
      lend: async () => {
        const database = await engine.lend()
        if (database.address.kind === 'sqlite') folder = dirname(database.address.path)
        return database
      },
    }
    const { admin, ...verso } = await startWithAdmin(watched)
    const { body } = await verso.post('/v1/admin/keys', { name: 'x', kind: 'secret' }, admin)
    await verso.post(`/v1/admin/keys/${body.id}/rotate`, {}, admin)
    await verso.get('/v1/posts', { key: body.token })
    const bytes = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
    expect(bytes).toContain(body.id)
    for (const token of [verso.secret, verso.public, admin.key, body.token]) {
      expect(bytes).not.toContain(token.slice(11, 30))
      expect(bytes).not.toContain(token.slice(-10))
    }
  })
})

/** Sends a request but for the end of its body. By the answer to the next request, the service has looked up its key. Returns what ends it. */
async function beginBody(
  { app, get }: Pick<TestApp, 'app' | 'get'>,
  path: string,
  key: string,
  sent: object,
): Promise<() => Promise<readonly unknown[]>> {
  const text = JSON.stringify(sent)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': text.length }
  const begun = request(app.url + path, { method: 'POST', headers })
  const answered = once(begun, 'response')
  await new Promise((resolve) => begun.write(text.slice(0, 3), resolve))
  await get('/v1/posts')
  return async () => {
    begun.end(text.slice(3))
    const [response] = await answered
    return [response.statusCode, ((await json(response)) as { readonly code?: string }).code]
  }
}
