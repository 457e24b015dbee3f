import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'
import { docsPage } from '../../../src/http/docs-page/docs-page.ts'
import { html, inline, json } from '../../../src/http/docs-page/html.ts'
import { problems } from '../../../src/values/problems.ts'
import { engines, startVerso } from '../../harness/harness.ts'

const document = describeApi()
const page = docsPage(document)
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])

for (const engine of engines) {
  describe(`GET /docs on ${engine.name}`, () => {
    it('is a page for anybody, under a policy that lets nothing in but its own style', async () => {
      const verso = await startVerso(engine)
      const { status, headers, text } = await verso.get('/docs', { key: null, headers: { accept: 'text/html' } })
      expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', page])
      const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    })

    it('304 for who has it', async () => {
      const verso = await startVerso(engine)
      const etag = (await verso.get('/docs')).headers.get('etag') ?? ''
      expect((await verso.get('/docs', { headers: { 'if-none-match': etag } })).status).toBe(304)
    })
  })
}

describe('the page', () => {
  it('loads nothing: no script, no style in attributes, no address but its own', () => {
    expect(page).not.toMatch(/<script|<img|<iframe|<object|<form| style=| on\w+=|@import|url\(/i)
    const addresses = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '')
    expect(new Set(addresses.filter((address) => !address.startsWith('#')))).toEqual(new Set(['data:,', 'openapi.json']))
  })

  it('every link within it leads somewhere, and no id is there twice', () => {
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1])
    expect(links.length).toBeGreaterThan(200)
    expect([...new Set(links)].filter((link) => !ids.includes(link))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('shows every operation with a curl line, every problem and every shape', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    expect(ids).toEqual(expect.arrayContaining(operations.map(({ operationId }) => operationId)))
    expect(page.match(/<code>curl /g)).toHaveLength(operations.length)
    expect(ids).toEqual(expect.arrayContaining(Object.keys(problems).map((code) => `problem-${code}`)))
    expect(ids).toEqual(expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `shape-${name}`)))
  })

  it('every tag that is opened is closed, in order', () => {
    const open: string[] = []
    const unclosed = ['meta', 'link', '!doctype']
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/g)) {
      if (slash === '/') expect(open.pop()).toBe(name)
      else if (!unclosed.includes(name)) open.push(name)
    }
    expect(open).toEqual([])
  })

  it('whatever the document says is text, never markup', () => {
    const hostile = '<script>alert("1")</script>\'&'
    const { info, tags } = document
    const attacked = docsPage({
      ...document,
      info: { ...info, summary: hostile, version: hostile, description: `\`${hostile}\`` },
      tags: tags.map((tag) => ({ ...tag, description: hostile })),
    })
    expect(attacked).not.toContain('<script')
    expect(html`<p title="${'"'}">${hostile}</p>`.text).toBe(
      '<p title="&#34;">&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;</p>',
    )
    expect(inline(`a \`${hostile}\``).text).not.toContain('<script')
    expect(json({ [hostile]: hostile }).text).not.toContain('<script')
  })
})
