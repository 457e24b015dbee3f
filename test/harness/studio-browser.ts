import { scryptSync } from 'node:crypto'
import { operator } from '../../src/actions/caller.ts'
import { linkTo, type Role } from '../../src/resources/people/person.ts'
import { admitPerson } from '../../src/resources/people/person-actions.ts'
import { savePassword } from '../../src/resources/people/person-store.ts'
import { openSession } from '../../src/resources/people/sessions/session-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import type { Answer, TestApp } from './harness.ts'

/** A browser on a page of the studio: it keeps the cookie of its session, and says where its requests come from. */
export interface StudioBrowser {
  /** What it would send as `Cookie`. */
  cookie: string | undefined
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
}

export function openBrowser(url: string, more: Readonly<Record<string, string>> = {}): StudioBrowser {
  const browser: StudioBrowser = {
    cookie: undefined,
    async request(method, path, body, headers = {}) {
      const response = await fetch(`${url}/studio/session${path}`, {
        method,
        headers: {
          origin: url,
          'sec-fetch-site': 'same-origin',
          ...(browser.cookie !== undefined && { cookie: browser.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...more,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) browser.cookie = /max-age=0/i.test(set) ? undefined : set.split(';')[0]
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
    },
    post: (path, body = {}) => browser.request('POST', path, body),
  }
  return browser
}

/** The password of everybody in the tests. */
export const testPassword = 'correct horse battery'

/** A person of the default project, and the token of their one-time link. */
export async function invite({ app, context, projectId }: TestApp, name: string, role: Role) {
  const caller = operator(projectId, 'cli', toInstant(context.now()))
  const person = await app.installation.perform(admitPerson, caller, { name, role, publicUrl: '' })
  return { id: person.id, link: (person.link ?? '').slice(linkTo('', '').length) }
}

/** The hash of `testPassword` at a cost that a test can pay: the program's own takes half a second and 128 MiB. */
export const cheapHash = (() => {
  const salt = Buffer.from('salt of all tests')
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=8,r=8,p=1$${base64(salt)}$${base64(scryptSync(testPassword, salt, 32, { N: 2 ** 8, r: 8, p: 1 }))}`
})()

/** The same person with a password, signed in, and with a token for `/v1`. */
export async function signedIn(verso: TestApp, name: string, role: Role) {
  const { id } = await invite(verso, name, role)
  const { engine } = verso.app.installation
  const browser = openBrowser(verso.app.url)
  const { token } = await engine.write(async (tx) => {
    await savePassword(tx, id, cheapHash)
    return openSession(tx, id, toInstant(verso.context.now()), verso.context.random)
  })
  browser.cookie = `verso-studio=${token}`
  const { body } = await browser.post('/token', { projectId: verso.projectId })
  return { id, browser, token: body.token as string }
}
