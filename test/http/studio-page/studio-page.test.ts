import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines, shared, startVerso } from '../../harness/harness.ts'
import { serve, temporaryFolder } from '../../harness/program.ts'

/** Requests as a browser sends them; the pages are no part of the documented API. */
const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

/** What a page loads, as whole addresses. */
const loadedBy = (html: string, page: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, path = '']) => new URL(path, page).href)

const [engine] = engines
if (!engine) throw new Error('no engine')

describe('GET /studio', () => {
  const started = shared(async () => (await startVerso(engine)).app.url)

  it.each(['', '/', '/sign-in', '/in/default/posts', '/in/default/posts/post_01/history'])(
    '/studio%s is the page, with addresses of its files that work behind any prefix',
    async (path) => {
      const url = await started()
      const page = await ask(`${url}/studio${path}`)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const html = await page.text()
      expect(html).not.toMatch(/<style| style=| on\w+=|https?:|<script(?! type="module" src=")/)
      const loaded = loadedBy(html, page.url)
      expect(loaded.length).toBeGreaterThanOrEqual(3)
      for (const file of loaded) {
        expect(file.startsWith(`${url}/studio/assets/`)).toBe(true)
        expect((await ask(file)).status, file).toBe(200)
      }
    },
  )

  it('may load nothing but files of this service and pictures, and is checked every time', async () => {
    const { headers } = await ask(`${await started()}/studio`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https: http:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('304 with the ETag of before, and HEAD with the headers of GET', async () => {
    const url = await started()
    const [file = ''] = loadedBy(await (await ask(`${url}/studio`)).text(), `${url}/studio`)
    for (const address of [`${url}/studio/in/default/posts`, file]) {
      const etag = (await ask(address)).headers.get('etag') ?? ''
      expect((await ask(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
      const head = await ask(address, { method: 'HEAD' })
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    }
  })

  it.each(['br', 'gzip'])('its files in %s lie ready, and are cached for ever', async (coding) => {
    const url = await started()
    const script = loadedBy(await (await ask(`${url}/studio`)).text(), `${url}/studio`).find((file) => file.endsWith('.js')) ?? ''
    const plain = await ask(script, { headers: { 'accept-encoding': 'identity' } })
    const coded = await ask(script, { headers: { 'accept-encoding': coding } })
    expect([plain.headers.get('content-encoding'), coded.headers.get('content-encoding')]).toEqual([null, coding])
    expect((await coded.text()) === (await plain.text())).toBe(true)
    expect(coded.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  })

  it.each([
    '/studio/assets/other.js',
    '/studio/assets/files.json',
    '/studio/files.json',
    '/studio/assets/..%2Ffiles.json',
    '/studio/assets/%2E%2E%2F%2E%2E%2Fbuilt',
    '/studio/favicon.ico',
    '/studio/assets',
    '/studio/session/other',
    '/studiox',
  ])('GET %s: 404', async (path) => {
    const response = await ask(`${await started()}${path}`)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  it('VERSO_STUDIO=off: 404', async () => {
    const { app } = await startVerso(engine, { env: { VERSO_STUDIO: 'off' } })
    for (const path of ['/studio', '/studio/sign-in', '/studio/assets/a.js']) expect((await ask(app.url + path)).status).toBe(404)
  })

  it('the built program serves it, and shows the way there at /', async () => {
    const { url } = await serve(`sqlite:${temporaryFolder()}/verso.db`)
    expect((await ask(`${url}/studio/sign-in`)).status).toBe(200)
    expect(await (await ask(url, { headers: { accept: 'text/html' } })).text()).toContain('href="/studio"')
  })
})

it('the built scripts have no source map, and every file but the smallest its codings', () => {
  const names = readdirSync(resolve(import.meta.dirname, '../../../dist/studio/assets'))
  expect(names.filter((name) => name.endsWith('.map'))).toEqual([])
  expect(names.filter((name) => name.endsWith('.js.br')).length).toBeGreaterThan(0)
})
