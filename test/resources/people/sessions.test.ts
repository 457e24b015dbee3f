import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { signInCaller } from '../../../src/resources/people/person.ts'
import { admitPerson, endSessions, removePerson } from '../../../src/resources/people/person-actions.ts'
import { buyToken, changePassword, signIn, signOut } from '../../../src/resources/people/sessions/session-actions.ts'
import { findSession } from '../../../src/resources/people/sessions/session-store.ts'
import { attemptOf } from '../../../src/resources/people/sign-in/failed-sign-in.ts'
import type { Random } from '../../../src/values/ids.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { newToken, tokenHash } from '../../../src/values/token.ts'
import { newAuthenticator } from '../../harness/authenticator.ts'
import { type Answer, engines, shared, startVerso, type TestApp, testContext } from '../../harness/harness.ts'
import { cheapHash, invite, openBrowser, signedIn, testPassword } from '../../harness/studio-browser.ts'

const minutes = (verso: TestApp, count: number) =>
  verso.context.travelTo(new Date(verso.context.now().getTime() + count * 60_000).toISOString())

for (const engine of engines) {
  describe(`sessions on ${engine.name}`, () => {
    const started = shared(() => startVerso(engine))

    it('POST /studio/session/password: by the one-time link, a person sets a password, signs in, and writes with a token of the session', async () => {
      const verso = await started()
      const { id, link } = await invite(verso, 'Mira Holt', 'editor')
      const browser = openBrowser(verso.app.url)
      expect(await browser.post('/welcome', { token: link })).toMatchObject({ status: 200, body: { name: 'Mira Holt' } })
      const weak = await browser.post('/password', { token: link, password: 'short' })
      expect(weak).toMatchObject({ status: 422, body: { errors: [{ pointer: '/password', code: 'too_short' }] } })
      const first = await browser.post('/password', { token: link, password: testPassword })
      expect(first).toMatchObject({
        status: 201,
        body: {
          person: { id, name: 'Mira Holt', hasPassword: true, passkeys: [] },
          projects: [{ id: verso.projectId, name: 'default', role: 'editor' }],
          expiresAt: '2026-06-08T12:00:00.000Z',
        },
      })
      expect(first.headers.get('set-cookie')).toMatch(
        /^verso-studio=verso_studio_\w+; Max-Age=2592000; Path=\/studio; HttpOnly; SameSite=Strict$/,
      )
      expect((await browser.request('GET', '')).body).toEqual(first.body)
      const { status, body } = await browser.post('/token', { projectId: verso.projectId })
      expect({ status, ...body }).toMatchObject({ status: 201, role: 'editor', expiresAt: '2026-06-01T12:15:00.000Z' })
      const post = await verso.post('/v1/posts', { title: 'By hand', status: 'published' }, { key: body.token })
      expect(post.status).toBe(201)
      expect(post.headers.get('access-control-allow-origin')).toBeNull()
      const revisions = await verso.get(`/v1/posts/${post.body.id}/revisions`, { key: body.token })
      expect(revisions.body.data[0].actor).toBe(id)
      expect((await verso.get('/v1/admin/keys', { key: body.token })).body).toMatchObject({ code: 'insufficient_scope', scope: 'admin' })
    })

    it('POST /studio/session/password: 404 for a link that was used, replaced, expired or never made, all alike', async () => {
      const verso = await startVerso(engine)
      const { link: replaced } = await invite(verso, 'Ada', 'writer')
      const { link } = await invite(verso, 'Ada', 'writer')
      const browser = openBrowser(verso.app.url)
      const refusal = async (token: string) => {
        const answers = [await browser.post('/password', { token, password: testPassword }), await browser.post('/welcome', { token })]
        return answers.map(({ status, body }) => ({ status, code: body.code, detail: body.detail }))
      }
      const never = await refusal('verso_link_0')
      expect(never.map(({ status }) => status)).toEqual([404, 404])
      expect(await refusal(replaced)).toEqual(never)
      minutes(verso, 72 * 60 - 1)
      expect((await browser.post('/welcome', { token: link })).status).toBe(200)
      minutes(verso, 1)
      expect(await refusal(link)).toEqual(never)
      const { link: last } = await invite(verso, 'ADA ', 'writer')
      expect((await browser.post('/password', { token: last, password: testPassword })).status).toBe(201)
      expect(await refusal(last)).toEqual(never)
    })

    it('POST /studio/session: 201 with the right password in any case of the name; 401 alike for a wrong one and for an unknown name', async () => {
      const verso = await started()
      await signedIn(verso, 'Ólafur', 'writer')
      const browser = openBrowser(verso.app.url)
      const wrong = await browser.post('', { name: 'Ólafur', password: 'not the password' })
      const unknown = await browser.post('', { name: 'Nobody', password: testPassword })
      expect([wrong.status, wrong.body.code, wrong.body.detail]).toEqual([401, 'unauthenticated', unknown.body.detail])
      expect(unknown.status).toBe(401)
      expect(wrong.body.title).not.toContain('key')
      expect([wrong, unknown].flatMap(({ headers }) => [headers.get('set-cookie'), headers.get('access-control-allow-origin')])).toEqual(
        Array(4).fill(null),
      )
      const right = await browser.post('', { name: ' ólafur ', password: testPassword })
      expect(right).toMatchObject({ status: 201, body: { person: { name: 'Ólafur' } } })
    })

    it('DELETE /studio/session: signs out; the cookie and the tokens that it has bought work no more', async () => {
      const verso = await started()
      const { browser, token } = await signedIn(verso, 'Bo', 'owner')
      expect((await verso.get('/v1/posts', { key: token })).status).toBe(200)
      const { cookie } = browser
      const out = await browser.request('DELETE', '')
      expect([out.status, browser.cookie]).toEqual([204, undefined])
      expect((await verso.get('/v1/posts', { key: token })).body.code).toBe('invalid_key')
      expect((await browser.request('GET', '', undefined, { cookie: cookie ?? '' })).status).toBe(401)
      expect((await browser.request('DELETE', '')).status).toBe(204)
    })

    it('a session ends after 7 days without use, and after 30 days; its tokens after 15 minutes', async () => {
      const verso = await startVerso(engine)
      const { browser, token } = await signedIn(verso, 'Cleo', 'writer')
      minutes(verso, 14)
      expect((await verso.get('/v1/posts', { key: token })).status).toBe(200)
      minutes(verso, 1)
      expect((await verso.get('/v1/posts', { key: token })).body.code).toBe('invalid_key')
      expect((await browser.post('/token', { projectId: verso.projectId })).status).toBe(201)
      for (let week = 0; week < 4; week++) {
        minutes(verso, 7 * 24 * 60 - 1)
        expect((await browser.post('/token', { projectId: verso.projectId })).status).toBe(201)
      }
      minutes(verso, 2 * 24 * 60)
      expect((await browser.request('GET', '')).status).toBe(401)
      await browser.post('', { name: 'Cleo', password: testPassword })
      minutes(verso, 7 * 24 * 60)
      expect((await browser.request('GET', '')).body.code).toBe('unauthenticated')
    })

    it('POST /studio/session/password: another password needs the one before, and ends every other session', async () => {
      const verso = await started()
      const { browser } = await signedIn(verso, 'Dot', 'writer')
      const elsewhere = openBrowser(verso.app.url)
      await elsewhere.post('', { name: 'Dot', password: testPassword })
      const wrong = await browser.post('/password', { password: 'another long one', currentPassword: 'wrong' })
      expect(wrong.body.errors).toMatchObject([{ pointer: '/currentPassword', code: 'wrong' }])
      const changed = await browser.post('/password', { password: 'another long one', currentPassword: testPassword })
      expect(changed.status).toBe(200)
      expect([(await browser.request('GET', '')).status, (await elsewhere.request('GET', '')).status]).toEqual([200, 401])
    })

    it('POST /studio/session: 401 for the password before, even if it was on its way while a link set another', async () => {
      const meanwhile: { begin: () => void } = { begin: () => undefined }
      // Salts have 16 bytes: one is asked for when the hash of a new password begins.
      const random: Random = (bytes) => {
        if (bytes === 16) meanwhile.begin()
        return randomBytes(bytes)
      }
      const verso = await startVerso(engine, { context: testContext(undefined, random) })
      await signedIn(verso, 'Gil', 'writer')
      const { link } = await invite(verso, 'Gil', 'writer')
      const [owner, thief] = [openBrowser(verso.app.url), openBrowser(verso.app.url)]
      const late = new Promise<Answer>((resolve) => {
        meanwhile.begin = () => void resolve(thief.post('', { name: 'Gil', password: testPassword }))
      })
      expect((await owner.post('/password', { token: link, password: 'another long one' })).status).toBe(201)
      expect([(await late).status, thief.cookie]).toEqual([401, undefined])
      expect((await owner.request('GET', '')).status).toBe(200)
    })

    it('a password that was right when it was compared, but not any more, neither opens a session nor changes to another', async () => {
      const verso = await started()
      const { id, browser } = await signedIn(verso, 'Hal', 'writer')
      const { db, perform } = verso.app.installation
      const caller = signInCaller(toInstant(verso.context.now()))
      const session = await findSession(db, tokenHash((browser.cookie ?? '').split('=')[1] ?? ''), caller.now)
      if (!session) throw new Error('no session')
      const attempt = attemptOf('hal', '192.0.2.1')
      const stale = perform(signIn, caller, { personId: id, password: 'stale', attempt })
      await expect(stale).rejects.toMatchObject({ code: 'unauthenticated' })
      const change = (before: string) => perform(changePassword, caller, { session, before, hash: cheapHash })
      await expect(change('stale')).rejects.toMatchObject({ code: 'validation_failed' })
      await browser.request('DELETE', '')
      await expect(change(cheapHash)).rejects.toMatchObject({ code: 'unauthenticated' })
      expect(await db.selectFrom('sessions').select('id').where('person_id', '=', id).execute()).toEqual([])
    })

    it('POST /studio/session/token: 404 for a project without a role, the same as for none; 401 without a session', async () => {
      const verso = await started()
      const { browser } = await signedIn(verso, 'Eli', 'owner')
      const other = await verso.otherProject('other-of-eli')
      const { body: project } = await other.get('/v1/project')
      expect(project.slug).toBe('other-of-eli')
      const answers = await Promise.all(['prj_none', other.projectId].map((projectId) => browser.post('/token', { projectId })))
      expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(Array(2).fill([404, 'There is no such project.']))
      expect((await openBrowser(verso.app.url).post('/token', { projectId: verso.projectId })).status).toBe(401)
    })

    it('no token outlives what ended at the moment it was bought: a session, or a role that is given back', async () => {
      const verso = await startVerso(engine)
      const { projectId, context } = verso
      const { engine: database, perform } = verso.app.installation
      const now = toInstant(context.now())
      const caller = signInCaller(now)
      const asOperator = operator(projectId, 'cli', now)
      const endings = [
        ['a sign-out', (cookie: string) => perform(signOut, caller, { cookie })],
        ['an owner', (_: string, id: string) => perform(endSessions, asOperator, { id })],
        [
          'a removal',
          async (_: string, id: string) => {
            await perform(removePerson, asOperator, { id })
            await perform(admitPerson, asOperator, { name: 'Kim', role: 'writer', publicUrl: '' })
          },
        ],
      ] as const
      for (const [what, end] of endings) {
        const { id, browser } = await signedIn(verso, what === 'a removal' ? 'Kim' : what, 'writer')
        const cookie = (browser.cookie ?? '').split('=')[1] ?? ''
        const gate = { isBought: () => {}, open: () => {} }
        const bought = new Promise<void>((resolve) => Object.assign(gate, { isBought: resolve }))
        const opened = new Promise<void>((resolve) => Object.assign(gate, { open: resolve }))
        const buying = database.write(async (tx) => {
          const { token } = await buyToken.run(tx, caller, { cookie, projectId }, context.random)
          gate.isBought()
          await opened
          return token
        })
        await bought
        const ending = end(cookie, id)
        setTimeout(gate.open, 100)
        const [token] = await Promise.all([buying, ending])
        expect((await verso.get('/v1/posts', { key: token })).body.code, what).toBe('invalid_key')
      }
    })

    it('DELETE /studio/session, POST /studio/session/token and /passkey-sign-in: who makes up a cookie or a challenge writes nothing', async () => {
      const verso = await startVerso(engine)
      const url = verso.app.url.replace('127.0.0.1', 'localhost')
      const browser = openBrowser(url)
      const cookie = `verso-studio=${newToken('verso_studio_', randomBytes)}`
      const ask = (method: string, path: string, body?: object) => browser.request(method, path, body, { cookie })
      const challenge = randomBytes(32).toString('base64url')
      const response = newAuthenticator().sign({ challenge, rpId: 'localhost', origin: url })
      verso.statements.length = 0
      expect((await ask('DELETE', '')).status).toBe(204)
      expect((await ask('POST', '/token', { projectId: verso.projectId })).status).toBe(401)
      expect((await ask('POST', '/passkey-sign-in', { response })).status).toBe(401)
      expect(verso.statements.length).toBeGreaterThan(0)
      expect(verso.statements.filter((sql) => !sql.startsWith('select') || sql.includes('for update'))).toEqual([])
    })

    it('two different cookies of a session are none: one of them was planted', async () => {
      const verso = await started()
      const [{ browser }, { browser: other }] = [await signedIn(verso, 'Una', 'writer'), await signedIn(verso, 'Vic', 'writer')]
      const read = async (cookie: string) => (await browser.request('GET', '', undefined, { cookie })).status
      const [mine, planted] = [browser.cookie ?? '', other.cookie ?? '']
      expect([await read(`${mine}; ${planted}`), await read(`${planted}; ${mine}`), await read(`${mine}; ${mine}`)]).toEqual([
        401, 401, 200,
      ])
    })

    it('behind TLS, the cookie is one that no other host can set, and no other counts', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: 'https://content.example.com/cms' } })
      const { link } = await invite(verso, 'Fay', 'writer')
      const browser = openBrowser(verso.app.url, { origin: 'https://content.example.com', 'sec-fetch-site': 'same-origin' })
      const first = await browser.post('/password', { token: link, password: testPassword })
      expect(first.headers.get('set-cookie')).toMatch(
        /^__Host-verso-studio=verso_studio_\w+; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      )
      expect((await browser.request('GET', '')).status).toBe(200)
      const plain = (browser.cookie ?? '').replace('__Host-', '')
      expect((await browser.request('GET', '', undefined, { cookie: plain })).status).toBe(401)
    })
  })
}
