import { describe, expect, it } from 'vitest'
import { version } from '../../src/values/version.ts'
import { engines, startVerso } from '../harness/harness.ts'

for (const engine of engines) {
  describe(`/ on ${engine.name}`, () => {
    it('GET /: 200 without a key, and says where the documentation is', async () => {
      const verso = await startVerso(engine)
      const { status, headers, body } = await verso.get('/', { key: null })
      expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
        200,
        'application/json; charset=utf-8',
        'Accept, Accept-Encoding',
      ])
      expect(body).toMatchObject({ name: 'Verso', version, documentation: '/docs', openapi: '/openapi.json' })
      for (const path of [body.documentation, body.openapi]) expect((await verso.get(path, { key: null })).status).toBe(200)
    })

    it('GET /: 200 with a page for browsers, which runs nothing', async () => {
      const verso = await startVerso(engine)
      const { status, headers, text } = await verso.get('/', {
        key: null,
        headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      })
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers.get('content-security-policy')).toBe("default-src 'none'")
      expect(text).toContain('href="/docs"')
      expect(text).toContain('href="/openapi.json"')
    })

    it('GET /: 200 with the paths under VERSO_PUBLIC_URL', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: 'https://example.org/content' } })
      expect((await verso.get('/', { key: null })).body.documentation).toBe('/content/docs')
    })

    it('POST /: 405', async () => {
      const verso = await startVerso(engine)
      const { body, headers } = await verso.post('/', {}, { key: null })
      expect([body.code, headers.get('allow')]).toEqual(['method_not_allowed', 'GET, HEAD'])
    })
  })
}
