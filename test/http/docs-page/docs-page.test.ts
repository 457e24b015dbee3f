import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'
import { docsDocument } from '../../../src/http/docs-page/docs-document.ts'
import { makeDocsPage } from '../../../src/http/docs-page/docs-page.ts'
import { askCoded } from '../../harness/coded-requests.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { serve, temporaryFolder } from '../../harness/program.ts'

const document = describeApi()
const page = docsDocument(document)
const files = ['docs.js', 'docs.css'] as const
const types = { 'docs.js': 'text/javascript; charset=utf-8', 'docs.css': 'text/css; charset=utf-8' }

/** Where the page finds its files: `/docs/<version>/docs.js`. */
async function addresses(verso: TestApp): Promise<readonly string[]> {
  const { text } = await verso.get('/docs', { key: null })
  return [...text.matchAll(/ (?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`).sort()
}

for (const engine of engines) {
  describe(`GET /docs on ${engine.name}`, () => {
    it('is a page for anybody, which may load nothing but files of this service', async () => {
      const verso = await startVerso(engine)
      const { status, headers, text } = await verso.get('/docs', { key: null, headers: { accept: 'text/html' } })
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(text).not.toMatch(/<style| style=| on\w+=|https?:|<script(?! src="docs\/)/)
      expect((await verso.request('HEAD', '/docs', { key: null })).headers.get('etag')).toBe(headers.get('etag'))
    })

    it('304 with the ETag of before', async () => {
      const verso = await startVerso(engine)
      const etag = (await verso.get('/docs')).headers.get('etag') ?? ''
      expect((await verso.get('/docs', { headers: { 'if-none-match': etag } })).status).toBe(304)
    })

    it('its files: at addresses of their own version, to be cached for ever', async () => {
      const verso = await startVerso(engine)
      const paths = await addresses(verso)
      expect(paths.map((path) => path.replace(/[0-9a-f]{16}/, '…'))).toEqual(['/docs/…/docs.css', '/docs/…/docs.js'])
      for (const path of paths) {
        const { status, headers, text } = await verso.get(path, { key: null })
        expect([status, headers.get('content-type')]).toEqual([200, types[path.endsWith('.js') ? 'docs.js' : 'docs.css']])
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(text).not.toContain('sourceMappingURL')
        const etag = headers.get('etag') ?? ''
        expect((await verso.get(path, { key: null, headers: { 'if-none-match': etag } })).status).toBe(304)
        expect((await verso.request('HEAD', path, { key: null })).status).toBe(200)
      }
    })

    it.each(['br', 'gzip'])('its files in %s: the same text, in a third of the bytes', async (coding) => {
      const verso = await startVerso(engine)
      for (const path of await addresses(verso)) {
        const plain = await askCoded(verso.app.url, path, { accept: [] })
        const coded = await askCoded(verso.app.url, path, { accept: [coding] })
        expect([coded.headers.get('content-encoding'), coded.text === plain.text]).toEqual([coding, true])
        expect(coded.raw.length).toBeLessThan(plain.raw.length / 3)
      }
    })

    it.each(files)('GET /docs/{version}/%s: 404 for another version', async (file) => {
      const verso = await startVerso(engine)
      const { status, body } = await verso.get(`/docs/0000000000000000/${file}`, { key: null })
      expect([status, body.code]).toEqual([404, 'not_found'])
    })

    it('GET /docs/{version}/other.js: 404', async () => {
      const verso = await startVerso(engine)
      const [path = ''] = await addresses(verso)
      const { status, body } = await verso.get(path.replace('docs.css', 'other.js'), { key: null })
      expect([status, body.code]).toEqual([404, 'not_found'])
    })
  })
}

describe('the page', () => {
  it('the built program serves it with its files', async () => {
    const { url } = await serve(`sqlite:${temporaryFolder()}/verso.db`)
    const html = await (await fetch(`${url}/docs`)).text()
    const paths = [...html.matchAll(/ (?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => path)
    expect(paths).toHaveLength(2)
    for (const path of paths) expect((await fetch(`${url}/${path}`)).status, path).toBe(200)
  })

  it('its style sheet loads nothing from elsewhere', async () => {
    const { style } = await makeDocsPage(document)
    expect(style).not.toMatch(/@import|url\((?!["']?data:)/)
  })

  it('shows every operation but HEAD, with the scope that it takes', () => {
    const shown = Object.entries(page.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, each]) => ({ path, method, each })),
    )
    expect(shown.map(({ each }) => each.operationId)).toEqual(
      Object.values(document.paths).flatMap(({ head: _, ...item }) => Object.values(item).map(({ operationId }) => operationId)),
    )
    expect(page.paths['/v1/posts']?.get?.description).toMatch(/\n\nScope: `posts:read`\.$/)
    expect(page.paths['/healthz']?.get?.description).not.toContain('Scope')
  })

  it('fills no optional parameter of a form, so that the first request tried is a plain one', () => {
    const parameters = Object.values(page.paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.parameters))
    const named = [...parameters, ...Object.values(page.components.parameters)].filter((each) => 'name' in each)
    expect(named.filter(({ example, required }) => example !== undefined && !required)).toEqual([])
    expect(named.some(({ example, required }) => example !== undefined && required)).toBe(true)
  })
})
