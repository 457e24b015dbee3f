import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../../src/database/engine.ts'
import { listBytes } from '../../../../src/http/response/list-response.ts'
import type { Reads } from '../../../../src/lists/read-at-revision.ts'
import type { PostPlan } from '../../../../src/resources/posts/list/plan-query.ts'
import { listPosts } from '../../../../src/resources/posts/list/post-list-store.ts'
import { cached } from '../../../../src/resources/posts/list-cache/cached-list.ts'
import { postList } from '../../../../src/resources/posts/post-schema.ts'
import { parseInstant } from '../../../../src/values/instant.ts'
import { type Answer, engines, seededRandom, startVerso, type TestApp } from '../../../harness/harness.ts'

interface Step {
  readonly what: 'create' | 'patch' | 'trash' | 'restore' | 'erase' | 'rename author' | 'rename category' | 'replace author'
  readonly post: number
  readonly body: Readonly<Record<string, unknown>>
}

const name = fc.constantFrom('Ada', 'Ünïcode', '"quoted"\\', '🌊 wave', 'line\u2028end')
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom<Step['what'][]>(
    'create',
    'create',
    'patch',
    'patch',
    'trash',
    'restore',
    'erase',
    'rename author',
    'rename category',
    'replace author',
  ),
  post: fc.nat(5),
  body: fc.record(
    {
      title: name,
      content: fc.constantFrom('', 'plain', '"\\\u0001\u007f', 'é🌊'.repeat(20)),
      excerpt: fc.constantFrom(null, 'short "one"'),
      status: fc.constantFrom('draft', 'published', 'archived'),
      tags: fc.subarray(['news', 'Ünï', '"']),
      named: fc.boolean(),
    },
    { requiredKeys: ['title'] },
  ),
})

/** A project with posts that name authors and categories, and what is done to them. */
async function startScene(verso: TestApp) {
  const admin = { key: await verso.keyWith('admin', 'posts:delete', 'posts:publish', 'posts:write') }
  const make = async (kind: string, value: object) => (await verso.post(`/v1/admin/${kind}`, value, admin)).body.id as string
  const authors = [await make('authors', { name: 'First' }), await make('authors', { name: 'Second' })]
  const category = await make('categories', { name: 'Releases' })
  const posts: string[] = []
  const take = async ({ what, post, body: { named, ...body } }: Step): Promise<void> => {
    const id = posts[post % Math.max(1, posts.length)]
    const value = named ? { ...body, authorId: authors[post % authors.length], categoryId: category } : body
    if (what === 'create') posts.push((await verso.post('/v1/posts', value)).body.id)
    else if (what === 'rename author') await verso.patch(`/v1/admin/authors/${authors[0]}`, { name: body.title }, admin)
    else if (what === 'rename category') await verso.patch(`/v1/admin/categories/${category}`, { name: body.title }, admin)
    else if (what === 'replace author') {
      const next = await make('authors', { name: String(body.title) })
      await verso.delete(`/v1/admin/authors/${authors.shift()}?reassign_to=${next}`, admin)
      authors.push(next)
    } else if (id === undefined) return
    else if (what === 'patch') await verso.patch(`/v1/posts/${id}`, value)
    else if (what === 'restore') await verso.post(`/v1/posts/${id}/restore`)
    else await verso.delete(`/v1/posts/${id}${what === 'erase' ? '?permanent=true' : ''}`, admin)
  }
  return { take }
}

const queries = [
  '',
  '&sort=title',
  '&limit=2&page=2',
  '&exclude=content',
  '&exclude=content&sort=-updated_at&limit=3',
  '&fields=id,content,tags',
]

/** A list says of every post what the post says of itself, byte for byte. */
async function expectSameBytes(verso: TestApp, query: string, key: string): Promise<void> {
  const list = await verso.get(`/v1/posts?total=true${query}`, { key })
  const singles: Answer[] = []
  for (const { id } of list.body.data) singles.push(await verso.get(`/v1/posts/${id}`, { key }))
  const fields = /fields=([^&]*)/.exec(query)?.[1]?.split(',')
  const shown = (post: object) =>
    Object.fromEntries(
      Object.entries(post).filter(([field]) => (fields ? fields.includes(field) : field !== 'content' || !query.includes('exclude'))),
    )
  expect(list.text.slice(0, list.text.lastIndexOf('],"pagination"'))).toBe(
    `{"data":[${singles.map(({ body }) => JSON.stringify(shown(body))).join(',')}`,
  )
  if (query === '') expect(list.text).toContain(`[${singles.map(({ text }) => text).join(',')}]`)
}

for (const engine of engines) {
  describe(`lists of known posts on ${engine.name}`, () => {
    it('GET /v1/posts: the bytes of each post are those of the post alone, whatever was done to it and to what it names', async () => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const verso = await startVerso(engine)
        const scene = await startScene(verso)
        for (const each of steps) {
          await scene.take(each)
          for (const query of queries) {
            await expectSameBytes(verso, query, verso.secret)
            await expectSameBytes(verso, query, verso.public)
          }
        }
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 8 : 2 })
    })

    it('GET /v1/posts: what is hidden while its page is being read is not shown', async () => {
      const verso = await startVerso(engine)
      for (const title of ['One', 'Two', 'Three']) await verso.post('/v1/posts', { title, status: 'published' })
      const list = cached(listPosts)
      const { db } = verso.app.installation
      const now = parseInstant('2026-06-01T12:00:00Z')
      if (!now) throw new Error('that is an instant')
      const read = async (through: Db, limit = 3) => {
        const plan: PostPlan = { ...byTitle, limit }
        const revision = 1
        const sight = { projectId: verso.projectId, drafts: false, emails: false }
        const reads: Reads = {
          db: through,
          sight,
          revision,
          short: async (work) => ({ value: (await work(through, revision)) ?? ((await work(db, revision)) as never), revision }),
          long: async (work) => ({ value: (await work(through, revision)) ?? ((await work(db, revision)) as never), revision }),
        }
        return String(await listBytes(plan, (await list({ reads, plan, now })).value))
      }
      for (let i = 0; i < 2; i++) expect(await read(db)).toContain('"title":"Two"')
      // One of them is another one now, but all that they name is known; it is hidden as soon as the page has been read.
      await verso.patch('/v1/posts/two', { content: 'New' })
      expect(await read(db, 1)).toContain('"title":"One"')
      const hide = () => verso.patch('/v1/posts/two', { title: 'Secret', status: 'draft' })
      const seen = await read(interrupted(db, 1, hide))
      expect(seen).not.toContain('Secret')
      expect(seen).toBe(await read(db))
      expect(JSON.parse(seen).data).toHaveLength(2)
    })

    it('GET /v1/posts: lists that are asked for again and again are the same, in every sort, by every filter, on every page', async () => {
      const verso = await startVerso(engine)
      const scene = await startScene(verso)
      const random = seededRandom('posts')
      const any = <T>(...values: readonly T[]) => values[(random(1)[0] ?? 0) % values.length] as T
      for (let i = 0; i < 24; i++) {
        verso.context.travelTo(`2026-06-01T12:${10 + (i % 5)}:00Z`)
        const body = {
          title: any('Äpfel', 'apples', 'Zoo', '🌊', 'B'),
          tags: any([], ['news'], ['news', 'old']),
          status: any('draft', 'published'),
        }
        await scene.take({ what: 'create', post: i, body: { ...body, named: any(true, false) } })
      }
      const hidden = (await verso.get('/v1/posts?status=draft&limit=1')).body.data[0].id
      const [author] = (await verso.get('/v1/authors')).body.data
      const filters = ['', '&tag=news', '&tag=news,old&status=draft', '&category=releases', `&author=${author.id}&tag=old`, '&tag=nothing']
      const all = [
        ...filters,
        '&published_after=2026-06-01T12:11:00Z',
        '&published_before=2026-06-01T12:13:00Z&updated_after=2026-06-01T12:12:00Z',
      ]
      const sorts = [...postList.sorts, 'status,-title'].flatMap((name) => [name, `-${name}`])
      for (const key of [verso.secret, verso.public]) {
        const own = all.filter((filter) => key === verso.secret || !filter.includes('draft'))
        for (const sort of sorts) {
          for (const filter of own) {
            const query = `sort=${sort}${filter}&limit=3&page=${any(1, 2, 3)}`
            // Odd fields are read by a statement of their own.
            const { body: expected } = await verso.get(`/v1/posts?${query}&fields=id,title`, { key })
            const { body: list } = await verso.get(`/v1/posts?${query}`, { key })
            const shown = list.data.map(({ id, title }: Readonly<Record<string, string>>) => ({ id, title }))
            expect({ ...list, data: shown }, query).toEqual(expected)
          }
          // What a public key cannot see moves the log without a word to it.
          if (sort === 'title') await verso.patch(`/v1/posts/${hidden}`, { excerpt: key === verso.public ? 'x' : 'y' })
        }
        verso.statements.length = 0
        await verso.get('/v1/posts?sort=-status&limit=5&page=2', { key })
        expect(verso.statements.filter((sql) => sql.includes('order by'))).toEqual([])
      }
    })

    it('GET /v1/posts: a list of posts that are known costs one statement beside the look-up of the key and the count', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 5; i++) await verso.post('/v1/posts', { title: `Post ${i}`, status: 'published' })
      for (const sort of ['title', '-title', 'slug']) await verso.get(`/v1/posts?sort=${sort}`)
      verso.statements.length = 0
      await verso.get('/v1/posts?sort=-slug&total=false')
      expect(verso.statements.filter((sql) => sql.includes('"contents"'))).toEqual([])
      expect(verso.statements.filter((sql) => sql.includes('"posts"."version"'))).toHaveLength(1)
    })
  })
}

const byTitle: PostPlan = {
  filters: {},
  sort: [{ name: 'title', descending: false }],
  limit: 20,
  position: { kind: 'page', page: 1 },
  total: true,
  fields: undefined,
  fingerprint: '',
}

/** A handle through which something happens after the first so many statements. */
function interrupted(db: Db, statements: number, happens: () => Promise<unknown>): Db {
  let left = statements
  const executeQuery: Db['executeQuery'] = async (query) => {
    const result = await db.executeQuery<never>(query as never)
    left -= 1
    if (left === 0) await happens()
    return result
  }
  const get = (target: Db, key: keyof Db) => {
    const value = target[key]
    return key === 'executeQuery' ? executeQuery : typeof value === 'function' ? value.bind(target) : value
  }
  return new Proxy(db, { get: (target, key) => get(target, key as keyof Db) })
}
