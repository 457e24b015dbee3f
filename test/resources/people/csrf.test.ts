import { describe, expect, it } from 'vitest'
import { sessionPages } from '../../../src/resources/people/sessions/session-routes.ts'
import { engines, shared, startVerso } from '../../harness/harness.ts'
import { signedIn, testPassword } from '../../harness/studio-browser.ts'

/** What a browser says of a request that a page elsewhere causes. */
const elsewhere: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://sibling.example.com' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1' },
  { origin: 'http://127.0.0.1.evil.example' },
  {},
]
const contentTypes = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined]
const bodyOf: Readonly<Record<string, object>> = {
  '/studio/session': { name: 'Ann', password: testPassword },
  '/studio/session/welcome': { token: 'verso_link_0' },
  '/studio/session/password': { password: 'another long password', currentPassword: testPassword },
}

for (const engine of engines)
  describe(`requests from elsewhere on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      return { verso, ...(await signedIn(verso, 'Ann', 'owner')) }
    })

    it('0 get through to /studio/session*: every method × origin × cookie × content type is refused, and changes nothing', async () => {
      const { verso, browser } = await started()
      const rows = async () => {
        const { db } = verso.app.installation
        const tables = ['people', 'sessions', 'session_tokens', 'passkeys', 'passkey_challenges', 'failed_sign_ins'] as const
        return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
      }
      const before = await rows()
      let cells = 0
      const through: string[] = []
      for (const { endpoint } of Object.values(sessionPages)) {
        const [method = '', path = ''] = endpoint.replace(':id', 'x').split(' ')
        for (const headers of elsewhere)
          for (const cookie of [browser.cookie, undefined])
            for (const type of method === 'POST' ? contentTypes : [undefined]) {
              // A read that says nothing of where it comes from shows nothing to a page elsewhere.
              if (method === 'GET' && Object.keys(headers).length === 0) continue
              const response = await fetch(verso.app.url + path, {
                method,
                headers: { ...headers, ...(cookie !== undefined && { cookie }), ...(type !== undefined && { 'content-type': type }) },
                ...(method === 'POST' && { body: JSON.stringify(bodyOf[path] ?? { projectId: verso.projectId }) }),
              })
              cells++
              const isRefused = response.status === 401 || response.status === 415
              const isSilent = !response.headers.has('set-cookie') && !response.headers.has('access-control-allow-origin')
              if (!isRefused || !isSilent) through.push(`${method} ${path} ${JSON.stringify(headers)} ${type}: ${response.status}`)
            }
      }
      expect(cells).toBeGreaterThan(400)
      expect(through).toEqual([])
      expect(await rows()).toBe(before)
    })

    it('a form cannot be taken for JSON: from the studio itself, other content types are 415', async () => {
      const { verso, browser } = await started()
      for (const type of contentTypes.slice(1, 4)) {
        const answer = await browser.request('POST', '/token', { projectId: verso.projectId }, { 'content-type': type ?? '' })
        expect([type, answer.status]).toEqual([type, 415])
      }
    })

    it('/v1 reads no cookie, and nothing outside /studio sets one', async () => {
      const { verso, browser, token } = await started()
      const cookie = browser.cookie ?? ''
      for (const path of ['/v1/posts', '/v1/admin/people', '/v1/project'])
        expect((await verso.get(path, { key: null, headers: { cookie } })).body.code, path).toBe('unauthenticated')
      const [, value = ''] = cookie.split('=')
      expect((await verso.get('/v1/posts', { key: value })).body.code).toBe('invalid_key')
      const one = await verso.get('/v1/posts', { key: token, headers: { cookie } })
      const other = await verso.get('/v1/posts', { key: token })
      expect([one.status, one.text, one.headers.get('vary')]).toEqual([200, other.text, other.headers.get('vary')])
      for (const path of ['/', '/healthz', '/v1/posts', '/studio', '/openapi.json', '/nowhere'])
        expect((await fetch(verso.app.url + path, { headers: { cookie } })).headers.get('set-cookie'), path).toBeNull()
      expect(await browser.request('GET', '', undefined, { authorization: `Bearer ${token}`, cookie: '' })).toMatchObject({ status: 401 })
    })
  })
