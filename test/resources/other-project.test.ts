import { describe, expect, it } from 'vitest'
import { describeApi } from '../../src/app/routes.ts'
import { type Answer, engines, type Requests, startVerso, type TestEngine } from '../harness/harness.ts'
import { rowCounts } from '../harness/rows.ts'

const kinds = ['posts', 'authors', 'categories', 'tags', 'media', 'keys', 'webhooks'] as const
type Kind = (typeof kinds)[number]

/** Every method and path of the service that names a resource, and what kind of resource that is. */
const routes = Object.entries(describeApi().paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter(() => /^\/v1\/.*\{\w+\}/.test(path))
    .map((method) => ({ method: method.toUpperCase(), path, kind: kinds.find((each) => path.includes(`/${each}/`)) })),
)

const picture = { filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
const allScopes = ['posts:write', 'posts:publish', 'posts:delete', 'authors:read_email', 'media:write', 'changes:read', 'admin'] as const

/** A project that has one of everything, and another that has nothing but a key with every right. */
async function startTwo(engine: TestEngine) {
  const verso = await startVerso(engine)
  const other = await verso.otherProject('other')
  const admin = { key: await verso.keyWith('admin') }
  const author = (await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)).body
  const category = (await verso.post('/v1/admin/categories', { name: 'Releases' }, admin)).body
  const post = (
    await verso.post('/v1/posts', { title: 'Here', status: 'published', tags: ['news'], authorId: author.id, categoryId: category.id })
  ).body
  const moved = (await verso.patch(`/v1/posts/${post.id}`, { slug: 'moved' })).body
  const draft = (await verso.post('/v1/posts', { title: 'Draft' })).body
  const trashed = (await verso.post('/v1/posts', { title: 'Trashed' })).body
  await verso.delete(`/v1/posts/${trashed.id}`)
  const token = (await verso.post(`/v1/posts/${draft.id}/preview-tokens`, {})).body
  const webhook = (await verso.post('/v1/admin/webhooks', { url: 'https://hooks.example/' }, admin)).body
  const tag = (await verso.get('/v1/tags/news')).body
  const media = (await verso.post('/v1/media', { url: 'https://a.example/a.png', ...picture })).body
  const key = (await verso.get('/v1/admin/keys', admin)).body.data[0]
  const refs: Record<Kind, readonly string[]> = {
    posts: [post.id, 'here', moved.slug, draft.id, draft.slug, trashed.id],
    authors: [author.id],
    categories: [category.id, category.slug],
    tags: [tag.id, tag.slug],
    media: [media.id],
    keys: [key.id],
    webhooks: [webhook.id],
  }
  /** What stands further back in a path: parts of the resources above. */
  const parts: Readonly<Record<string, string>> = { tokenId: token.id, version: '1', deliveryId: 'evt_none' }
  return { verso, other, keys: [await other.keyWith(...allScopes), other.public], refs, parts, author, category, tag }
}

function withNames(path: string, first: string, parts: Readonly<Record<string, string>>): string {
  return path.replace(/\{\w+\}/, first).replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? `no ${name}`)
}

/** A name of the same kind and length that nothing ever had. */
const nobody = (ref: string) => (ref.includes('_') ? `${ref.slice(0, -6)}zzzzzz` : 'z'.repeat(ref.length))

/** What an answer tells, apart from the name that was asked for. */
function told({ status, headers, text }: Answer, ref: string) {
  return { status, headers: [...headers].filter(([name]) => name !== 'date'), text: text.replaceAll(`/${ref}`, '/REF') }
}

for (const engine of engines) {
  describe(`another project on ${engine.name}`, () => {
    it('every route and method: a resource of another project looks like one that never was', async () => {
      const { verso, other, keys, refs, parts } = await startTwo(engine)
      expect(routes.length).toBeGreaterThan(15)
      expect(routes.filter(({ kind }) => kind === undefined)).toEqual([])
      const before = await rowCounts(verso.app)
      for (const { method, path, kind } of routes) {
        for (const ref of refs[kind ?? 'posts']) {
          for (const key of keys) {
            for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
              const ask = (name: string) =>
                other.request(each, withNames(path, name, parts), {
                  key,
                  headers: { 'x-request-id': 'same' },
                  ...(['POST', 'PATCH', 'PUT'].includes(each) && { body: {} }),
                })
              const [foreign, none] = [await ask(ref), await ask(nobody(ref))]
              expect(told(foreign, ref), `${each} ${path} ${ref}`).toEqual(told(none, nobody(ref)))
              expect(foreign.status, `${each} ${path} ${ref}`).toBeGreaterThanOrEqual(403)
            }
          }
        }
      }
      expect(await rowCounts(verso.app)).toEqual(before)
    })

    it('every list: nothing of another project, whatever it is filtered by', async () => {
      const { other, keys, author, category, tag } = await startTwo(engine)
      const paths = Object.entries(describeApi().paths).filter(([path, item]) => item.get && path.startsWith('/v1/') && !path.includes('{'))
      expect(paths.length).toBeGreaterThan(5)
      for (const [path] of paths) {
        const { body } = await other.get(path, { key: keys[0] ?? '' })
        expect(
          body.data.filter(({ id }: { id: string }) => !id.startsWith('key_')),
          path,
        ).toEqual([])
        if (body.pagination) expect(body.pagination.total, path).toBe(path.endsWith('/keys') ? 3 : 0)
      }
      const filters = [`author=${author.id}`, `category=${category.slug}`, `tag=${tag.slug}`, 'trashed=true', 'search=e']
      for (const filter of filters) expect((await other.get(`/v1/posts?${filter}`)).body.pagination.total, filter).toBe(0)
    })

    it('a body that names a resource of another project is refused as if it named nothing', async () => {
      const { verso, other, keys, author, category } = await startTwo(engine)
      const admin = { key: keys[0] ?? '' }
      const mine = (await other.post('/v1/admin/authors', { name: 'Mine' }, admin)).body
      const before = await rowCounts(verso.app)
      const asks: readonly (readonly [string, (ref: string) => Promise<Answer>])[] = [
        [author.id, (ref) => other.post('/v1/posts', { title: 'x', authorId: ref })],
        [category.id, (ref) => other.post('/v1/posts', { title: 'x', categoryId: ref })],
        [category.slug, (ref) => other.post('/v1/posts', { title: 'x', categoryId: ref })],
        [author.id, (ref) => other.delete(`/v1/admin/authors/${mine.id}?reassign_to=${ref}`, admin)],
      ]
      for (const [ref, ask] of asks) {
        const [foreign, none] = [await ask(ref), await ask(nobody(ref))]
        expect(foreign.body).toEqual({ ...none.body, requestId: foreign.body.requestId })
        expect(foreign.status).toBeGreaterThanOrEqual(400)
      }
      expect(await rowCounts(verso.app)).toEqual(before)
    })

    it('a cursor and a tag of one project open nothing in another', async () => {
      const { verso, other } = await startTwo(engine)
      const first: Requests = verso
      const list = await first.get('/v1/posts?limit=1&sort=title')
      const { body } = await other.get(`/v1/posts?limit=1&sort=title&cursor=${list.body.pagination.nextCursor}`)
      expect([body.data, body.pagination.total]).toEqual([[], 0])
      const etag = list.headers.get('etag') ?? ''
      expect((await other.get('/v1/posts?limit=1&sort=title', { headers: { 'if-none-match': etag } })).status).toBe(200)
    })
  })
}
