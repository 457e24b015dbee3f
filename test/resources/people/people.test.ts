import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { Tx } from '../../../src/database/engine.ts'
import { admitPerson, removePerson } from '../../../src/resources/people/person-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { engines, shared, startVerso } from '../../harness/harness.ts'
import { gate, overlap } from '../../harness/overlap.ts'
import { invite, openBrowser, signedIn, testPassword } from '../../harness/studio-browser.ts'

for (const engine of engines) {
  describe(`people on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      return { ...verso, admin: { key: await verso.keyWith('admin') } }
    })

    it('POST /v1/admin/people: 201 with a link that is shown once; the person is in the list, without it', async () => {
      const { post, get, admin, app } = await started()
      const { status, headers, body } = await post('/v1/admin/people', { name: ' Mira Holt ', role: 'editor' }, admin)
      expect([status, headers.get('location')]).toEqual([201, `/v1/admin/people/${body.id}`])
      const { link, ...person } = body
      expect(person).toMatchObject({ name: 'Mira Holt', role: 'editor', hasPassword: false, passkeys: 0, lastSeenAt: null })
      expect(person.linkExpiresAt).toBe('2026-06-04T12:00:00.000Z')
      const [base, token] = link.split('/studio/welcome#')
      expect([base, token]).toEqual([app.url.replace('127.0.0.1', 'localhost'), expect.stringMatching(/^verso_link_\w+$/)])
      expect((await get(`/v1/admin/people/${person.id}`, admin)).body).toEqual(person)
      expect((await get('/v1/admin/people?sort=-name', admin)).body.data).toContainEqual(person)
      const browser = openBrowser(app.url)
      expect((await browser.post('/password', { token, password: testPassword })).status).toBe(201)
      expect((await get(`/v1/admin/people/${person.id}`, admin)).body).toMatchObject({
        hasPassword: true,
        linkExpiresAt: null,
        lastSeenAt: '2026-06-01T12:00:00.000Z',
      })
    })

    it('POST /v1/admin/people: 422 for a name that somebody has, in any case, here or in another project', async () => {
      const { post, admin, otherProject } = await started()
      await post('/v1/admin/people', { name: 'Straße', role: 'writer' }, admin)
      const other = await otherProject('other-names')
      const otherAdmin = { key: await other.keyWith('admin') }
      for (const refused of [
        await post('/v1/admin/people', { name: 'STRASSE', role: 'writer' }, admin),
        await other.post('/v1/admin/people', { name: 'straße', role: 'writer' }, otherAdmin),
      ])
        expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name', code: 'taken' }] } })
    })

    it.runIf(engine.name === 'PostgreSQL')('POST and PATCH: 503 overloaded where another change of a name takes too long', async () => {
      const { post, patch, admin, app } = await started()
      const { id } = (await post('/v1/admin/people', { name: 'Otto Kern', role: 'writer' }, admin)).body
      const [begun, end] = [gate(), gate()]
      const held = app.installation.engine.write(async (tx) => {
        await tx.engine.awaitClaim(tx, 'names of people', 5_000)
        begun.open()
        await end.opened
      })
      await begun.opened
      const refused = await Promise.all([
        post('/v1/admin/people', { name: 'Nele Otto', role: 'writer' }, admin),
        patch(`/v1/admin/people/${id}`, { name: 'Otto Stern' }, admin),
      ])
      end.open()
      await held
      for (const answer of refused) {
        expect(answer).toMatchObject({ status: 503, body: { code: 'overloaded' } })
        expect(answer.headers.get('retry-after')).toBe('5')
      }
      expect((await patch(`/v1/admin/people/${id}`, { name: 'Otto Stern' }, admin)).status).toBe(200)
    })

    it('POST and PATCH /v1/admin/people: 422 for a name with a character that nobody sees', async () => {
      const { post, patch, admin } = await started()
      const { id } = (await post('/v1/admin/people', { name: 'Ada Seen', role: 'writer' }, admin)).body
      for (const letter of [
        '\n',
        '\u0007',
        '\u009f',
        '\u00ad',
        '\u200b',
        '\u200d',
        '\u200f',
        '\u202e',
        '\u2066',
        '\u2028',
        '\ufeff',
        '\u3164',
      ]) {
        const name = `Ada${letter}Seen`
        for (const refused of [
          await post('/v1/admin/people', { name, role: 'writer' }, admin),
          await patch(`/v1/admin/people/${id}`, { name }, admin),
        ])
          expect(refused, JSON.stringify(name)).toMatchObject({
            status: 422,
            body: { errors: [{ pointer: '/name', code: 'invalid_format', detail: expect.stringContaining('characters without width') }] },
          })
      }
      for (const name of ["Zoë O'Hara-López 2", '山田 太郎', 'مريم', 'ไทย', 'क्षिति', 'Ann 🌊'])
        expect((await post('/v1/admin/people', { name, role: 'writer' }, admin)).status, name).toBe(201)
    })

    it('POST /v1/admin/people with dry_run: no link, and nobody is invited; with Idempotency-Key: the same link again', async () => {
      const { post, get, admin } = await started()
      const dry = await post('/v1/admin/people?dry_run=true', { name: 'Dry', role: 'writer' }, admin)
      expect(dry).toMatchObject({ status: 200, body: { name: 'Dry' } })
      expect(dry.body).not.toHaveProperty('link')
      expect((await get('/v1/admin/people', admin)).text).not.toContain('Dry')
      const once = { ...admin, headers: { 'idempotency-key': 'once' } }
      const first = await post('/v1/admin/people', { name: 'Twice', role: 'writer' }, once)
      expect((await post('/v1/admin/people', { name: 'Twice', role: 'writer' }, once)).body).toEqual(first.body)
    })

    it('a person’s repeat with another of their tokens gets no secret: 422 idempotency_key_reused', async () => {
      const verso = await started()
      const { browser, token } = await signedIn(verso, 'Again', 'owner')
      const { token: next } = (await browser.post('/token', { projectId: verso.projectId })).body
      const headers = { 'idempotency-key': 'mine' }
      const invite = (key: string, name: string) => verso.post('/v1/admin/people', { name, role: 'writer' }, { key, headers })
      expect((await invite(token, 'Once')).status).toBe(201)
      expect((await invite(next, 'Once')).body.code).toBe('idempotency_key_reused')
    })

    it('a repeat after the role shrank: the answer of then, as far as the route is still open; nothing new is done', async () => {
      const verso = await started()
      const { post, patch, delete: remove, admin } = verso
      const { id, token } = await signedIn(verso, 'Less', 'editor')
      const asked = { key: token, headers: { 'idempotency-key': 'publish' } }
      const author = { key: token, headers: { 'idempotency-key': 'author' } }
      const first = await post('/v1/posts', { title: 'Once editor', status: 'published' }, asked)
      expect((await post('/v1/admin/authors', { name: 'By Less', email: 'less@example.com' }, author)).status).toBe(201)
      await patch(`/v1/admin/people/${id}`, { role: 'writer' }, admin)
      const again = await post('/v1/posts', { title: 'Once editor', status: 'published' }, asked)
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
      expect((await post('/v1/posts', { title: 'Once editor', status: 'published' }, { key: token })).body.scope).toBe('posts:publish')
      expect((await post('/v1/admin/authors', { name: 'By Less', email: 'less@example.com' }, author)).body.scope).toBe('authors:write')
      await remove(`/v1/admin/people/${id}`, admin)
      expect((await post('/v1/posts', { title: 'Once editor', status: 'published' }, asked)).body.code).toBe('invalid_key')
    })

    it('PATCH and DELETE /v1/admin/people/{id}: another role, a removal and a sign-out count from the next request on', async () => {
      const verso = await started()
      const { patch, delete: remove, get, post, admin, app } = verso
      const { id, token, browser } = await signedIn(verso, 'Pat', 'writer')
      const asPat = { key: token }
      const publish = () => post('/v1/posts?dry_run=true', { title: 'x', status: 'published' }, asPat)
      expect((await publish()).body).toMatchObject({ code: 'insufficient_scope', scope: 'posts:publish' })
      expect((await patch(`/v1/admin/people/${id}`, { role: 'editor' }, admin)).body.role).toBe('editor')
      expect((await publish()).status).toBe(200)
      expect((await remove(`/v1/admin/people/${id}/sessions`, admin)).status).toBe(204)
      expect((await get('/v1/posts', asPat)).body.code).toBe('invalid_key')
      expect((await browser.request('GET', '')).status).toBe(401)
      await browser.post('', { name: 'Pat', password: testPassword })
      const again = { key: (await browser.post('/token', { projectId: verso.projectId })).body.token }
      await post('/v1/posts', { title: 'By Pat' }, again)
      expect((await remove(`/v1/admin/people/${id}`, admin)).status).toBe(204)
      expect((await get('/v1/posts', again)).body.code).toBe('invalid_key')
      expect((await get(`/v1/admin/people/${id}`, admin)).status).toBe(404)
      expect((await openBrowser(app.url).post('', { name: 'Pat', password: testPassword })).status).toBe(401)
      // Their name is free, and the history keeps it.
      expect((await post('/v1/admin/people', { name: 'pat', role: 'writer' }, admin)).status).toBe(201)
      expect((await get('/v1/posts/by-pat/revisions')).body.data).toMatchObject([{ actor: id, actorName: 'Pat' }])
    })

    it('who is in two projects: a token works no more after a removal, even if they come back; a sign-out reaches one project alone', async () => {
      const verso = await started()
      const { id, token, browser } = await signedIn(verso, 'Two', 'writer')
      const other = await verso.otherProject('second-of-two')
      await invite({ ...verso, projectId: other.projectId }, 'Two', 'editor')
      const { body } = await browser.post('/token', { projectId: other.projectId })
      const works = async () => [
        (await verso.get('/v1/posts', { key: token })).status,
        (await other.get('/v1/posts', { key: body.token })).status,
      ]
      expect(await works()).toEqual([200, 200])
      await verso.delete(`/v1/admin/people/${id}`, verso.admin)
      await invite(verso, 'Two', 'writer')
      expect(await works()).toEqual([401, 200])
      const again = (await browser.post('/token', { projectId: verso.projectId })).body.token
      expect((await verso.delete(`/v1/admin/people/${id}/sessions`, verso.admin)).status).toBe(204)
      expect((await verso.get('/v1/posts', { key: again })).status).toBe(401)
      expect([(await works())[1], (await browser.request('GET', '')).status]).toEqual([200, 200])
    })

    it('DELETE /v1/admin/people/{id}: of the last two roles, taken away at the same time, and of one that is given meanwhile', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const [here, there] = [verso.projectId, other.projectId].map((id) => operator(id, 'cli', toInstant(verso.context.now())))
      if (!here || !there) throw new Error('a project is missing')
      const { app, context } = verso
      const { perform } = app.installation
      const removal = (id: string) => (tx: Tx) => removePerson.run(tx, here, { id }, context.random)
      const admission = { name: 'Ida', role: 'writer', publicUrl: '' } as const

      const { id, browser } = await signedIn(verso, 'Ida', 'writer')
      await perform(admitPerson, there, admission)
      await overlap(app, removal(id), () => perform(removePerson, there, { id }))
      expect((await browser.request('GET', '')).status).toBe(401)
      expect((await openBrowser(app.url).post('', { name: 'Ida', password: testPassword })).status).toBe(401)

      const { id: next } = await signedIn(verso, 'Ida', 'writer')
      const settled = await overlap(app, removal(next), () => perform(admitPerson, there, admission))
      expect(settled).toMatchObject({ status: 'fulfilled', value: { name: 'Ida', hasPassword: false } })
      expect(settled.status === 'fulfilled' && settled.value.id).not.toBe(next)
    })

    it('POST …/link and PATCH …/people/{id}: 422 for a person who gets a role in another project meanwhile', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const there = operator((await verso.otherProject('other')).projectId, 'cli', toInstant(verso.context.now()))
      const asks = {
        link: (id: string) => verso.post(`/v1/admin/people/${id}/link`, undefined, admin),
        name: (id: string) => verso.patch(`/v1/admin/people/${id}`, { name: 'Somebody else' }, admin),
      }
      for (const [name, ask] of Object.entries(asks)) {
        const { id } = await signedIn(verso, name, 'writer')
        const admission = { name, role: 'owner', publicUrl: '' } as const
        const settled = await overlap(
          verso.app,
          (tx) => admitPerson.run(tx, there, admission, verso.context.random),
          () => ask(id),
        )
        expect(settled, name).toMatchObject({ status: 'fulfilled', value: { status: 422, body: { errors: [{ code: 'not_allowed' }] } } })
      }
    })

    it('the log names the person: revisions, pending edits and changes show their name beside the id; a public key sees neither', async () => {
      const verso = await startVerso(engine)
      const { id, token } = await signedIn(verso, 'Nora', 'editor')
      const key = { key: token }
      const since = async (asked: { readonly key: string }) => (await verso.get('/v1/changes', asked)).body.nextCursor
      const [mine, open] = [await since(key), await since({ key: verso.public })]
      const by = { actor: id, actorName: 'Nora' }
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' }, key)
      expect((await verso.get('/v1/posts/one/revisions', key)).body.data).toMatchObject([by])
      expect((await verso.patch('/v1/posts/one/pending', { title: 'Two' }, key)).body).toMatchObject(by)
      expect((await verso.get('/v1/posts/one/pending')).body).toMatchObject(by)
      expect((await verso.get(`/v1/changes?since=${mine}`)).body.data).toMatchObject([
        { id: post.id, ...by },
        { type: 'pending_edit', ...by },
      ])
      const seen = await verso.get(`/v1/changes?since=${open}`, { key: verso.public })
      expect(seen.body.data).toMatchObject([{ id: post.id, actor: null, actorName: null }])
    })

    it('every role may do what it says and nothing more; nobody gives a role that may do more than they may', async () => {
      const verso = await started()
      const { post, get, request } = verso
      const tokens = Object.fromEntries(
        await Promise.all(
          (['writer', 'editor', 'owner'] as const).map(async (role) => [role, (await signedIn(verso, `A ${role}`, role)).token]),
        ),
      )
      const { body: published } = await post('/v1/posts', { title: 'Out', status: 'published' })
      const picture = { url: 'https://a.example/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
      const asked: readonly (readonly [string, string, unknown, string])[] = [
        ['POST', '/v1/posts', { title: 'x' }, 'writer'],
        ['PATCH', `/v1/posts/${published.id}/pending`, { title: 'x' }, 'writer'],
        ['POST', '/v1/media', picture, 'writer'],
        ['PATCH', `/v1/posts/${published.id}`, { title: 'x' }, 'editor'],
        ['DELETE', `/v1/posts/${published.id}?permanent=true`, undefined, 'editor'],
        ['POST', '/v1/admin/authors', { name: 'x' }, 'editor'],
        ['POST', '/v1/admin/categories', { name: 'x' }, 'editor'],
        ['POST', '/v1/admin/keys', { name: 'x', kind: 'public' }, 'owner'],
        ['POST', '/v1/admin/people', { name: 'x', role: 'owner' }, 'owner'],
      ]
      const order = ['writer', 'editor', 'owner']
      for (const [method, path, body, least] of asked)
        for (const role of order) {
          const at = `${path}${path.includes('?') ? '&' : '?'}dry_run=true`
          const { status, body: answer } = await request(method, at, { key: tokens[role], ...(body !== undefined && { body }) })
          const may = order.indexOf(role) >= order.indexOf(least)
          expect(may ? status < 300 : answer.code === 'insufficient_scope', `${role}: ${method} ${path} ${status}`).toBe(true)
        }
      expect((await get('/v1/admin/keys', { key: tokens.owner })).status).toBe(200)
      const manager = { key: await verso.keyWith('people:manage', 'posts:write') }
      const refused = await post('/v1/admin/people', { name: 'Over', role: 'owner' }, manager)
      expect(refused).toMatchObject({ status: 403, body: { scope: 'posts:publish' } })
    })

    it('people of another project are 404; the last owner stays; who is in two projects, only the operator renames or links', async () => {
      const verso = await startVerso(engine)
      const { post, patch, delete: remove, otherProject } = verso
      const admin = { key: await verso.keyWith('admin') }
      const { id } = await signedIn(verso, 'Olga', 'owner')
      const other = await otherProject('other')
      const otherAdmin = { key: await other.keyWith('admin') }
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/link'],
        ['DELETE', '/sessions'],
      ] as const) {
        const ask = (person: string) =>
          other.request(method, `/v1/admin/people/${person}${path}`, {
            ...otherAdmin,
            ...(method === 'PATCH' && { body: { role: 'writer' } }),
          })
        const [there, nowhere] = [await ask(id), await ask(`${id.slice(0, -3)}zzz`)]
        expect([there.status, there.body.detail]).toEqual([404, nowhere.body.detail])
      }
      for (const refused of [
        await patch(`/v1/admin/people/${id}`, { role: 'writer' }, admin),
        await remove(`/v1/admin/people/${id}`, admin),
      ])
        expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'not_allowed' }] } })
      const link = await post(`/v1/admin/people/${id}/link`, undefined, admin)
      expect([link.status, link.body.link]).toEqual([201, expect.stringContaining('#verso_link_')])
      await verso.app.installation.engine.write(async (tx) => {
        const row = {
          project_id: other.projectId,
          person_id: id,
          role: 'writer' as const,
          created_at: verso.app.installation.db.engine.clock(),
        }
        await tx
          .insertInto('memberships')
          .values({ ...row, row_hash: '' })
          .execute()
      })
      for (const refused of [
        await post(`/v1/admin/people/${id}/link`, undefined, admin),
        await patch(`/v1/admin/people/${id}`, { name: 'O' }, admin),
      ])
        expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'not_allowed' }] } })
      expect((await remove(`/v1/admin/people/${id}`, otherAdmin)).status).toBe(204)
    })
  })
}
