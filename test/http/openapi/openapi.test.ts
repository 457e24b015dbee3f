import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { scopes } from '../../../src/actions/caller.ts'
import { describeApi } from '../../../src/app/routes.ts'
import type { DocumentedOperation } from '../../../src/http/openapi/openapi-document.ts'
import { handle, open, requireDeclaredRoutes } from '../../../src/http/route-config.ts'
import { type Answer, engines, startVerso } from '../../harness/harness.ts'
import { differences } from '../../harness/response-checker.ts'

const { paths, components } = describeApi()

function operation(id: string): DocumentedOperation {
  const found = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  return found
}

/** The problems that an operation declares for a status. */
function codesOf(id: string, status: number): unknown {
  const response = operation(id).responses[status]
  const name = response && '$ref' in response ? response.$ref.split('/').at(-1) : undefined
  const schema = components.responses[name ?? '']?.content?.['application/problem+json']?.schema
  const [, narrowed] = schema && 'allOf' in schema ? (schema.allOf ?? []) : []
  const code = narrowed && 'properties' in narrowed ? narrowed.properties?.code : undefined
  return code && 'enum' in code ? code.enum : undefined
}

for (const engine of engines) {
  describe(`GET /openapi.json on ${engine.name}`, () => {
    it('is the document that is made without a database, for anybody, from any page', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.get('/openapi.json', { key: null })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(JSON.parse(JSON.stringify(describeApi())))
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    })

    it('304 for who has it', async () => {
      const verso = await startVerso(engine)
      const etag = (await verso.get('/openapi.json', { key: null })).headers.get('etag') ?? ''
      const again = await verso.get('/openapi.json', { key: null, headers: { 'if-none-match': etag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    })

    it('names the public address as the server, without a slash at its end', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: 'https://example.com/content/' } })
      expect((await verso.get('/openapi.json')).body.servers).toEqual([{ url: 'https://example.com/content' }])
      expect(describeApi().servers).toEqual([{ url: '/' }])
    })

    it('every path: the methods that are there are those documented', async () => {
      const verso = await startVerso(engine)
      const isAt = (form: string, path: string) => new RegExp(`^${form.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
      for (const form of Object.keys(paths)) {
        const path = form.replace(/\{\w+\}/g, 'one')
        const { headers } = await verso.request('PROPFIND', path)
        const items = Object.entries(paths).filter(([other]) => isAt(other, path))
        const documented = items.flatMap(([, item]) => Object.keys(item)).map((method) => method.toUpperCase())
        expect(headers.get('allow'), path).toBe(documented.sort().join(', '))
      }
    })
  })
}

describe('the document', () => {
  it('a route that is not declared cannot be registered', () => {
    const app = fastify()
    const route = (path: `/${string}`) =>
      open(`GET ${path}`, { id: 'read', tag: 'Service', summary: 'Read', description: 'Reads.', responses: { 200: null } })
    requireDeclaredRoutes(app, [route('/v1/known')])
    handle(app, route('/v1/known'), async (_, reply) => reply)
    expect(() => handle(app, route('/v1/secret'), async (_, reply) => reply)).toThrow('GET /v1/secret is not declared')
    expect(() => app.get('/v1/secret', async () => '')).toThrow('GET /v1/secret is not declared')
  })

  it('has every path of the API', () => {
    const names = Object.keys(paths)
    expect(names).toEqual(expect.arrayContaining(['/v1/posts', '/v1/posts/{idOrSlug}', '/v1/posts/{id}/restore']))
    expect(names).toEqual(expect.arrayContaining(['/v1/authors', '/v1/authors/{idOrSlug}', '/v1/media', '/v1/media/{id}']))
    expect(names).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/openapi.json', '/docs']))
    for (const path of names) expect(path).toMatch(/^\/(v1\/.+|healthz|readyz|metrics|openapi\.json|docs(\/.+)?)?$/)
  })

  it('takes a key with its scope under /v1, the metrics their own token, and nothing for feeds and elsewhere', () => {
    const apiKey = { apiKey: [] }
    const others: Record<string, unknown> = { getPost: [apiKey, { previewToken: [] }], getMetrics: [{ metricsToken: [] }] }
    for (const [path, item] of Object.entries(paths)) {
      for (const { security, operationId } of Object.values(item)) {
        const expected =
          others[operationId.replace(/Head$/, '')] ?? (path.startsWith('/v1/') && !path.startsWith('/v1/feeds/') ? [apiKey] : [])
        expect(security, operationId).toEqual(expected)
      }
    }
    expect(operation('listPosts')).toMatchObject({
      'x-scopes': ['posts:read'],
      description: expect.stringContaining('Scope: `posts:read`.'),
    })
    expect(operation('createPost')['x-scopes']).toEqual(['posts:propose'])
    expect(operation('deletePost')['x-scopes']).toBeUndefined()
    expect(Object.keys(components.securitySchemes.apiKey['x-scopes'])).toEqual(scopes)
  })

  it('describes every operation and every body, and HEAD like its GET without a body', () => {
    for (const item of Object.values(paths)) {
      for (const each of Object.values(item)) {
        expect(each.description, each.operationId).toMatch(/\.$/)
        if (each.requestBody) expect(each.requestBody.description, each.operationId).toMatch(/\.$/)
      }
      const { get, head } = item
      expect(head?.parameters).toEqual(get?.parameters)
      expect(Object.keys(head?.responses ?? {})).toEqual(Object.keys(get?.responses ?? {}))
      for (const response of Object.values(head?.responses ?? {})) expect(response).not.toHaveProperty('content')
    }
  })

  it('bounds ids, cursors, integers and arrays', () => {
    const { Post, PostList, Pagination } = components.schemas
    expect(Post?.properties?.id).toMatchObject({ pattern: '^post_[0-9a-hjkmnp-tv-z]{26}$', maxLength: 31 })
    expect(PostList?.properties?.data).toMatchObject({ maxItems: 100 })
    expect(Pagination?.properties?.nextCursor).toMatchObject({ pattern: expect.any(String), maxLength: expect.any(Number) })
    const unbounded: string[] = []
    const walk = (part: unknown, at: string): void => {
      if (typeof part !== 'object' || part === null) return
      if ('type' in part && [part.type].flat().includes('integer') && !('minimum' in part && 'maximum' in part)) unbounded.push(at)
      if ('type' in part && part.type === 'array' && !('maxItems' in part)) unbounded.push(at)
      for (const [name, inner] of Object.entries(part)) if (name !== 'example' && name !== 'examples') walk(inner, `${at}/${name}`)
    }
    walk({ paths, components }, '')
    expect(unbounded).toEqual([])
  })

  it('GET /v1/changes: since takes every nextCursor', () => {
    const since = operation('followChanges').parameters.find((each) => 'name' in each && each.name === 'since')
    const { description: _, ...cursor } = components.schemas.ChangePage?.properties?.nextCursor ?? {}
    expect(cursor).toHaveProperty('maxLength')
    expect(since).toMatchObject({ schema: cursor })
  })

  it('lists: filters, sort, paging and fields as the list offers them', () => {
    const names = operation('listPosts').parameters.map((each) => ('$ref' in each ? each.$ref.split('/').at(-1) : each.name))
    const filters = ['status', 'category', 'tag', 'author', 'search', 'q', 'published_after', 'published_before', 'updated_after']
    expect(names).toEqual([
      ...filters,
      'trashed',
      'sort',
      'page',
      'limit',
      'cursor',
      'total',
      'fields',
      'exclude',
      'include',
      'If-None-Match',
      'Prefer',
      'X-Request-Id',
    ])
    expect(operation('listPosts').parameters.find((each) => 'name' in each && each.name === 'sort')).toMatchObject({
      explode: false,
      schema: { items: { enum: expect.arrayContaining(['published_at', '-published_at']) }, default: ['-published_at'] },
    })
    expect(components.parameters.limit?.schema).toEqual({ type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 })
  })

  it('PATCH takes merge patches and plain JSON, POST plain JSON alone', () => {
    expect(Object.keys(operation('updatePost').requestBody?.content ?? {})).toEqual(['application/json', 'application/merge-patch+json'])
    expect(Object.keys(operation('createPost').requestBody?.content ?? {})).toEqual(['application/json'])
    expect([operation('createPost').requestBody?.required, operation('restorePost').requestBody?.required]).toEqual([true, false])
  })

  it('declares the problems of each kind of operation', () => {
    expect(codesOf('listPosts', 400)).toEqual(['malformed_request', 'invalid_parameter', 'unknown_parameter', 'invalid_cursor'])
    expect(codesOf('getPost', 400)).toEqual(['malformed_request', 'invalid_parameter', 'unknown_parameter'])
    expect(codesOf('createPost', 400)).toEqual(['malformed_request', 'invalid_parameter', 'unknown_parameter', 'malformed_json'])
    expect(codesOf('registerMedia', 422)).toEqual(['validation_failed', 'unsupported_media_type', 'idempotency_key_reused'])
    expect(codesOf('deletePost', 422)).toEqual(['validation_failed', 'idempotency_key_reused'])
    expect(codesOf('getHealth', 401)).toBeUndefined()
    for (const status of [401, 403, 406, 408, 414, 431, 500, 503]) expect(codesOf('listPosts', status), `${status}`).toBeDefined()
    for (const status of [413, 415]) expect(codesOf('createPost', status), `${status}`).toBeDefined()
  })

  it('holds no whole key', () => {
    expect(JSON.stringify(describeApi())).not.toMatch(/verso_(live|pub)_[0-9A-Za-z]{20}/)
  })
})

describe('the answer checker', () => {
  const [engine] = engines
  if (!engine) throw new Error('there is no engine')
  const changed = (answer: Answer, change: { status?: number; body?: object; without?: string; text?: string }) => {
    const headers = new Headers(answer.headers)
    headers.delete(change.without ?? '-')
    const text = change.text ?? JSON.stringify({ ...answer.body, ...change.body })
    return { method: 'GET', path: '/v1/posts/one', status: change.status ?? answer.status, headers, text }
  }

  it('finds what is other than documented', async () => {
    const verso = await startVerso(engine)
    await verso.post('/v1/posts', { title: 'One', status: 'published' })
    const post = await verso.get('/v1/posts/one')
    expect(differences(changed(post, {}))).toEqual([])
    expect(differences(changed(post, { status: 202 }))).toEqual(['status 202 is not declared'])
    expect(differences(changed(post, { without: 'etag' }))).toEqual(['the header ETag is missing'])
    expect(differences(changed(post, { body: { secret: 1 } }))).toEqual([expect.stringContaining('additional properties')])
    expect(differences(changed(post, { body: { seo: { title: null } } }))).toHaveLength(3)
    expect(
      differences(changed(post, { body: { author: { id: 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc', name: 'A', email: 'a@example.com' } } })),
    ).toHaveLength(1)
    expect(differences(changed(post, { body: { createdAt: '2026-01-31T12:00:00Z' } }))).toEqual([expect.stringContaining('date-time')])
    expect(differences({ ...changed(post, {}), path: '/v1/posts/one?colour=red' })).toEqual([expect.stringContaining('colour')])
    const problem = await verso.get('/v1/posts/two')
    expect(differences(changed(problem, { body: { code: 'slug_conflict' } }))).toEqual([expect.stringContaining('allowed values')])
    expect(differences({ ...changed(problem, {}), path: '/v1/nowhere' })).toEqual([])
    expect(differences({ ...changed(problem, { body: { code: 'internal' } }), path: '/v1/nowhere' })).toEqual([expect.any(String)])
  })
})
