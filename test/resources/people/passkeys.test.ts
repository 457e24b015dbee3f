import { describe, expect, it } from 'vitest'
import { removePasskey } from '../../../src/resources/people/passkeys/passkey-actions.ts'
import { signInCaller } from '../../../src/resources/people/person.ts'
import type { Session } from '../../../src/resources/people/sessions/session.ts'
import { newId } from '../../../src/values/ids.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { newAuthenticator } from '../../harness/authenticator.ts'
import { engines, shared, startVerso, type TestApp } from '../../harness/harness.ts'
import { overlap } from '../../harness/overlap.ts'
import { invite, openBrowser, type StudioBrowser, signedIn, testPassword } from '../../harness/studio-browser.ts'

const origin = 'https://content.example.com'
const rpId = 'content.example.com'
const browserAt = (verso: TestApp, at = origin) => openBrowser(verso.app.url, { origin: at })

async function challengeFor(browser: StudioBrowser, path: string, body: object = {}): Promise<string> {
  const { status, body: options } = await browser.post(path, body)
  expect(status).toBe(200)
  return options.challenge
}

for (const engine of engines)
  describe(`passkeys on ${engine.name}`, () => {
    const started = shared(() => startVerso(engine, { env: { VERSO_PUBLIC_URL: origin } }))

    it('POST /studio/session/passkeys: by the one-time link alone, and then to sign in, with no password at all', async () => {
      const verso = await started()
      const { id, link } = await invite(verso, 'Kay', 'editor')
      const browser = browserAt(verso)
      const { body: options } = await browser.post('/passkeys/options', { token: link })
      expect(options).toMatchObject({
        rp: { id: rpId, name: 'Verso' },
        user: { id: Buffer.from(id).toString('base64url'), name: 'Kay' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const key = newAuthenticator()
      const response = key.register({ challenge: options.challenge, rpId, origin })
      const first = await browser.post('/passkeys', { token: link, name: ' Laptop ', response })
      expect(first).toMatchObject({ status: 201, body: { person: { id, hasPassword: false, passkeys: [{ id: key.id, name: 'Laptop' }] } } })
      expect((await browser.post('/token', { projectId: verso.projectId })).status).toBe(201)
      expect((await browser.post('/welcome', { token: link })).status).toBe(404)

      const elsewhere = browserAt(verso)
      const challenge = await challengeFor(elsewhere, '/passkey-sign-in/options')
      const signed = key.sign({ challenge, rpId, origin, counter: 7 })
      const again = await elsewhere.post('/passkey-sign-in', { response: signed })
      expect(again).toMatchObject({ status: 201, body: { person: { id } } })
      expect(again.headers.get('set-cookie')).toContain('__Host-verso-studio=')
      expect((await browserAt(verso).post('/passkey-sign-in', { response: signed })).status).toBe(401)
      const { passkeys } = again.body.person
      expect((await elsewhere.request('DELETE', `/passkeys/${passkeys[0].id}`)).body.errors).toMatchObject([{ code: 'not_allowed' }])
    })

    it('POST /studio/session/passkeys: signed in and with the password until now, 201; the same again is 422; DELETE takes it away', async () => {
      const verso = await started()
      const { browser: plain } = await signedIn(verso, 'Lou', 'writer')
      const browser = browserAt(verso)
      browser.cookie = `__Host-${plain.cookie}`
      const key = newAuthenticator()
      for (const body of [{}, { currentPassword: 'wrong' }])
        expect((await browser.post('/passkeys/options', body)).body.errors).toMatchObject([{ pointer: '/currentPassword', code: 'wrong' }])
      const challengeOf = () => challengeFor(browser, '/passkeys/options', { currentPassword: testPassword })
      const register = async () => key.register({ challenge: await challengeOf(), rpId, origin })
      const added = await browser.post('/passkeys', { response: await register() })
      expect(added).toMatchObject({ status: 201, body: { person: { passkeys: [{ id: key.id, name: 'Passkey' }] } } })
      expect((await browser.post('/passkeys', { response: await register() })).body.errors).toMatchObject([{ code: 'taken' }])
      expect((await browser.request('DELETE', `/passkeys/${key.id}`)).status).toBe(204)
      expect((await browser.request('DELETE', `/passkeys/${key.id}`)).status).toBe(404)
      const challenge = await challengeFor(browser, '/passkey-sign-in/options')
      expect((await browser.post('/passkey-sign-in', { response: key.sign({ challenge, rpId, origin }) })).status).toBe(401)
    })

    it('DELETE /studio/session/passkeys/{id}: of the last two, deleted at the same moment, one stays: 422 not_allowed', async () => {
      const verso = await started()
      const { id: personId, link: token } = await invite(verso, 'Pat', 'writer')
      const browser = browserAt(verso)
      const add = async (by: object) => {
        const key = newAuthenticator()
        const challenge = await challengeFor(browser, '/passkeys/options', by)
        await browser.post('/passkeys', { ...by, response: key.register({ challenge, rpId, origin }) })
        return key.id
      }
      const [first, second] = [await add({ token }), await add({})]
      const now = toInstant(verso.context.now())
      const session = { id: newId('sess', now, verso.context.random), personId, createdAt: now, expiresAt: now, lastUsedAt: now } as Session
      const settled = await overlap(
        verso.app,
        (tx) => removePasskey.run(tx, signInCaller(now), { session, id: first }, verso.context.random),
        () => browser.request('DELETE', `/passkeys/${second}`),
      )
      expect(settled).toMatchObject({ status: 'fulfilled', value: { status: 422, body: { errors: [{ code: 'not_allowed' }] } } })
      expect((await browser.request('GET', '')).body.person.passkeys).toMatchObject([{ id: second }])
    })

    it('0 wrong answers are taken: another challenge, origin, host, key or counter, no verification, too late, or nonsense', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: origin } })
      const { link } = await invite(verso, 'Max', 'owner')
      const browser = browserAt(verso)
      const key = newAuthenticator()
      const forLink = () => challengeFor(browser, '/passkeys/options', { token: link })
      const wrongs = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { isVerified: false },
        { challenge: Buffer.alloc(32, 1).toString('base64url') },
      ]
      for (const wrong of wrongs) {
        const response = key.register({ challenge: await forLink(), rpId, origin, ...wrong })
        expect(await browser.post('/passkeys', { token: link, response }), JSON.stringify(wrong)).toMatchObject({ status: 422 })
      }
      const late = key.register({ challenge: await forLink(), rpId, origin })
      verso.context.travelTo('2026-06-01T12:05:00.000Z')
      expect((await browser.post('/passkeys', { token: link, response: late })).status).toBe(422)
      const forSignIn = key.register({ challenge: await challengeFor(browser, '/passkey-sign-in/options'), rpId, origin })
      expect((await browser.post('/passkeys', { token: link, response: forSignIn })).status).toBe(422)
      const good = key.register({ challenge: await forLink(), rpId, origin, counter: 5 })
      expect((await browser.post('/passkeys', { token: link, response: good })).status).toBe(201)

      const attempt = async (change: object, authenticator = key) => {
        const challenge = await challengeFor(browser, '/passkey-sign-in/options')
        const response = { ...authenticator.sign({ challenge, rpId, origin, counter: 6, ...change }), id: key.id, rawId: key.id }
        return (await browserAt(verso).post('/passkey-sign-in', { response })).status
      }
      for (const wrong of [...wrongs, { counter: 5 }]) expect(await attempt(wrong), JSON.stringify(wrong)).toBe(401)
      expect(await attempt({}, newAuthenticator())).toBe(401)
      const nonsense = {
        id: key.id,
        rawId: key.id,
        type: 'x',
        response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
      }
      expect((await browser.post('/passkey-sign-in', { response: nonsense })).status).toBe(401)
      expect(await attempt({})).toBe(201)
    })

    it('a one-time link ends all that the person signed in with: a planted passkey opens nothing after it, nor a password', async () => {
      const verso = await started()
      const { browser: plain } = await signedIn(verso, 'Ned', 'writer')
      const [planted, next] = [newAuthenticator(), newAuthenticator()]
      const thief = browserAt(verso)
      thief.cookie = `__Host-${plain.cookie}`
      const plant = await challengeFor(thief, '/passkeys/options', { currentPassword: testPassword })
      await thief.post('/passkeys', { response: planted.register({ challenge: plant, rpId, origin }) })
      const open = await challengeFor(thief, '/passkeys/options', { currentPassword: testPassword })
      const signIn = async (key = planted, counter = 1) => {
        const challenge = await challengeFor(browserAt(verso), '/passkey-sign-in/options')
        return (await browserAt(verso).post('/passkey-sign-in', { response: key.sign({ challenge, rpId, origin, counter }) })).status
      }
      expect(await signIn()).toBe(201)
      const byLink = async (key: typeof next) => {
        const { link: token } = await invite(verso, 'Ned', 'writer')
        const challenge = await challengeFor(browserAt(verso), '/passkeys/options', { token })
        return browserAt(verso).post('/passkeys', { token, response: key.register({ challenge, rpId, origin }) })
      }
      const reset = await byLink(next)
      expect(reset).toMatchObject({ status: 201, body: { person: { hasPassword: false, passkeys: [{ id: next.id }] } } })
      expect([await signIn(planted, 2), await signIn(next)]).toEqual([401, 201])
      expect((await browserAt(verso).post('', { name: 'Ned', password: testPassword })).status).toBe(401)
      const late = planted.register({ challenge: open, rpId, origin })
      expect((await thief.post('/passkeys', { response: late })).status).toBe(401)
      // The same authenticator again, then a password.
      expect((await byLink(next)).status).toBe(201)
      const { link: token } = await invite(verso, 'Ned', 'writer')
      const { body } = await browserAt(verso).post('/password', { token, password: 'another long one' })
      expect(body.person).toMatchObject({ hasPassword: true, passkeys: [] })
    })

    it('whoever asks for a challenge gets one, however many are open; beyond 60 in a minute an address waits, and no other', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: origin, VERSO_TRUST_PROXY: 'true' } })
      const from = (address: string) => openBrowser(verso.app.url, { origin, 'x-forwarded-for': address })
      const ask = (address: string) => from(address).post('/passkey-sign-in/options')
      const { db, engine: database } = verso.app.installation
      const expires_at = toInstant(new Date(verso.context.now().getTime() + 60_000))
      for (let batch = 0; batch < 10; batch++) {
        const rows = Array.from({ length: 1_000 }, (_, i) => ({
          hash: `${batch * 1_000 + i}`.padStart(64, '0'),
          person_id: null,
          expires_at,
        }))
        await database.write((tx) => tx.insertInto('passkey_challenges').values(rows).execute())
      }
      const { link } = await invite(verso, 'Pia', 'writer')
      const key = newAuthenticator()
      const challenge = await challengeFor(browserAt(verso), '/passkeys/options', { token: link })
      const added = await browserAt(verso).post('/passkeys', { token: link, response: key.register({ challenge, rpId, origin }) })
      expect(added.status).toBe(201)
      const first = await ask('192.0.2.1')
      expect(first.status).toBe(200)
      for (let count = 1; count < 60; count++) expect((await ask('192.0.2.1')).status).toBe(200)
      const slowed = await ask('192.0.2.1')
      expect([slowed.status, slowed.body.code, slowed.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60'])
      expect((await ask('192.0.2.2')).status).toBe(200)
      const open = await db.selectFrom('passkey_challenges').select('hash').execute()
      expect(open.length).toBe(10_000)
      const signed = key.sign({ challenge: first.body.challenge, rpId, origin, counter: 7 })
      expect((await from('192.0.2.1').post('/passkey-sign-in', { response: signed })).status).toBe(201)
      verso.context.travelTo('2026-06-01T12:01:00.000Z')
      expect((await ask('192.0.2.1')).status).toBe(200)
    })

    it('at localhost without a public URL, too; 422 at an address, which browsers know no passkeys for', async () => {
      const verso = await startVerso(engine)
      const { link } = await invite(verso, 'Nan', 'writer')
      const { port } = new URL(verso.app.url)
      const atAddress = openBrowser(verso.app.url)
      expect((await atAddress.post('/passkeys/options', { token: link })).body.errors).toMatchObject([{ code: 'not_allowed' }])
      const local = `http://localhost:${port}`
      const browser = openBrowser(local)
      const challenge = await challengeFor(browser, '/passkeys/options', { token: link })
      const response = newAuthenticator().register({ challenge, rpId: 'localhost', origin: local })
      expect((await browser.post('/passkeys', { token: link, response })).status).toBe(201)
    })
  })
