import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso, type TestApp } from '../harness/harness.ts'
import { startWorld, type World } from '../harness/repeatable-service.ts'

/** Something done to a post that nobody may know of. `post` is its number among those of its world. */
interface Hidden {
  readonly after: number
  readonly what: 'create' | 'patch' | 'trash' | 'restore' | 'erase' | 'move'
  readonly post: number
  readonly title: string
  readonly slug: 'own' | 'old' | 'made'
  readonly status: 'draft' | 'scheduled' | 'archived'
  readonly tags: readonly string[]
}

const hidden: fc.Arbitrary<Hidden> = fc.record({
  // Not before the tags are there: a record of a tag is made by whoever names it first.
  after: fc.integer({ min: 1, max: 9 }),
  what: fc.constantFrom('create', 'create', 'create', 'patch', 'trash', 'restore', 'erase', 'move'),
  post: fc.integer({ min: 0, max: 4 }),
  title: fc.constantFrom('Alpha', 'Hidden alpha', 'Zeta', 'Secret plan', 'beta'),
  slug: fc.constantFrom('own', 'old', 'made'),
  status: fc.constantFrom('draft', 'scheduled', 'archived'),
  tags: fc.constantFrom([], ['news'], ['NEWS', 'Quiet'], ['quiet'], ['Guides', 'news']),
})

const oldSlug = 'alpha'
/** The common step after which that slug is free to be taken over. */
const oldFrom = 4
const at = (minute: number) => `2026-06-01T12:${String(minute).padStart(2, '0')}:00.000Z`

/** The common step after which the post that was public once is hidden, and may be changed as other hidden ones are. */
const goneFrom = 6

/** What is done in every world: everything that is public comes from here, and the records of tags, too. */
const common: readonly ((verso: TestApp, admin: { key: string }) => Promise<unknown>)[] = [
  async (verso, admin) => {
    await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
    await verso.post('/v1/admin/categories', { name: 'Releases' }, admin)
  },
  async (verso) => {
    const { body } = await verso.post('/v1/posts', { title: 'All tags', tags: ['news', 'quiet', 'guides'] })
    await verso.delete(`/v1/posts/${body.id}?permanent=true`)
  },
  async (verso) => {
    const { body } = await verso.get('/v1/authors')
    const named = { authorId: body.data[0].id, categoryId: 'releases' }
    await verso.post('/v1/posts', { title: 'Alpha', slug: oldSlug, status: 'published', tags: ['News'], ...named })
  },
  (verso) =>
    verso.post('/v1/posts', {
      title: 'Beta',
      slug: 'beta',
      status: 'published',
      tags: ['news', 'Guides'],
      publishedAt: '2025-01-01T00:00:00Z',
    }),
  (verso) => verso.patch(`/v1/posts/${oldSlug}`, { slug: 'alpha-moved' }),
  (verso) => verso.post('/v1/posts', { title: 'Once public', slug: 'gone', status: 'published' }),
  (verso) => verso.patch('/v1/posts/gone', { status: 'archived' }),
  (verso) => verso.post('/v1/posts', { title: 'Trashed', slug: 'trashed', status: 'published' }),
  (verso) => verso.delete('/v1/posts/trashed'),
  (verso) => verso.patch('/v1/posts/beta', { content: 'Changed', title: 'Beta, changed' }),
]

/** Builds a world of what is common and, between, what is hidden; the ids and slugs of all hidden posts. */
async function build(world: World, steps: readonly Hidden[]): Promise<readonly string[]> {
  const { verso } = world
  const admin = { key: await world.step('admin', at(0), () => verso.keyWith('admin')) }
  const refs: string[] = []
  const ids: string[] = []
  for (const [minute, work] of common.entries()) {
    await world.step(`common ${minute}`, at(minute), () => work(verso, admin))
    if (minute === goneFrom) ids.unshift((await verso.get('/v1/posts/gone')).body.id)
    for (const [i, each] of steps.entries()) {
      if (each.after !== minute) continue
      await world.step(`hidden ${minute} ${i} ${JSON.stringify(each)}`, at(minute), async () => {
        const answer = await hide(verso, each, i, ids[each.post])
        if (each.what === 'create' && answer.status === 201) ids.push(answer.body.id)
        if (answer.body?.slug) refs.push(answer.body.slug)
      })
    }
  }
  verso.context.travelTo(at(59))
  return [...refs, ...ids]
}

function hide(verso: TestApp, { after, what, title, slug, status, tags }: Hidden, i: number, id = 'none'): Promise<Answer> {
  const slugs = { own: { slug: `hidden-${i}` }, old: { slug: after < oldFrom ? `hidden-${i}` : oldSlug }, made: {} }
  const fields = {
    title: `${title}${slug === 'made' ? ` hidden ${i}` : ''}`,
    tags,
    status,
    ...(status === 'scheduled' && { scheduledFor: '2030-01-01T00:00:00Z' }),
  }
  switch (what) {
    case 'create':
      return verso.post('/v1/posts', { ...fields, ...slugs[slug] })
    case 'patch':
      return verso.patch(`/v1/posts/${id}`, fields)
    case 'move':
      return verso.patch(`/v1/posts/${id}`, { slug: `moved-${i}` })
    case 'trash':
      return verso.delete(`/v1/posts/${id}`)
    case 'restore':
      return verso.post(`/v1/posts/${id}/restore`)
    case 'erase':
      return verso.delete(`/v1/posts/${id}?permanent=true`)
  }
}

const lists = ['/v1/posts', '/v1/tags', '/v1/categories', '/v1/authors']
const sorts = ['published_at', 'created_at', 'updated_at', 'scheduled_for', 'title', 'slug', 'status', '-title,status']
const filters = [
  'search=a',
  'search=hidden',
  'search=secret',
  'q=alpha',
  'q=hidden+alpha',
  'q=plan&sort=title',
  'tag=news',
  'tag=quiet',
  'tag=guides,quiet',
  'category=releases',
  'status=published',
  'status=draft',
  'trashed=true',
  'trashed=false',
  'published_after=2026-01-01T00:00:00Z',
  'updated_after=2026-06-01T12:05:00Z',
  'total=false',
  'fields=title',
  'exclude=content',
  'limit=1',
  'limit=1&page=2',
  'page=9',
  'limit=0',
  'nothing=1',
]

/** Every path that a public key may ask for, hidden resources by their names included. */
function paths(refs: readonly string[]): readonly string[] {
  return [
    ...lists.flatMap((list) => [list, `${list}?limit=1`, `${list}?limit=1&page=2`, `${list}?sort=-created_at`]),
    ...['name', '-slug', 'post_count', '-post_count'].flatMap((sort) => [`/v1/tags?sort=${sort}`, `/v1/categories?sort=${sort}`]),
    ...sorts.flatMap((sort) => [`/v1/posts?sort=${sort}`, `/v1/posts?sort=-${sort}&limit=1`]),
    ...filters.map((filter) => `/v1/posts?${filter}`),
    ...[...refs, oldSlug, 'alpha-moved', 'beta', 'gone', 'trashed', 'never'].map((ref) => `/v1/posts/${ref}`),
    ...['news', 'quiet', 'guides', 'all-tags'].map((tag) => `/v1/tags/${tag}`),
    '/v1/categories/releases',
    '/v1/media',
    '/v1/changes',
    '/v1/changes?limit=1',
    '/v1/admin/keys',
    '/v1/admin/authors',
    '/v1/nowhere',
  ]
}

/** All that can be seen of an answer but the hour at which it was given. */
function seen({ status, headers, text }: Answer) {
  return { status, headers: [...headers].filter(([name]) => name !== 'date'), text }
}

/** Asks both worlds the same, and the next page of whatever has one, and whether it is still so. */
async function expectAlike(
  worlds: readonly [World, World],
  method: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const ask = ({ verso }: World) =>
    verso.request(method, path, {
      key: verso.public,
      headers: { 'x-request-id': 'same', ...more },
      ...(method === 'POST' && { body: { title: 'x' } }),
    })
  const [one, other] = [await ask(worlds[0]), await ask(worlds[1])]
  expect(seen(other), `${method} ${path} ${JSON.stringify(more)}`).toEqual(seen(one))
  if (method !== 'GET') return
  const etag = one.headers.get('etag')
  if (etag && Object.keys(more).length === 0) await expectAlike(worlds, 'GET', path, { 'if-none-match': etag })
  const cursor = one.body?.pagination?.nextCursor
  if (cursor && !path.includes('page='))
    await expectAlike(worlds, 'GET', `${path.replace(/[?&]cursor=.*/, '')}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)
}

for (const engine of engines) {
  describe(`two worlds that differ only in what is unpublished, on ${engine.name}`, () => {
    it('answer a public key with the same bytes and headers', async () => {
      const steps = fc.array(hidden, { minLength: 5, maxLength: 25 })
      const property = fc.asyncProperty(steps, steps, async (mine, theirs) => {
        const worlds = [await startWorld(engine), await startWorld(engine)] as const
        expect(worlds[0].verso.public).toBe(worlds[1].verso.public)
        const refs = [...(await build(worlds[0], mine)), ...(await build(worlds[1], theirs))]
        for (const path of paths([...new Set(refs)])) {
          for (const method of ['GET', 'HEAD']) await expectAlike(worlds, method, path)
        }
        for (const ref of refs) {
          for (const method of ['PATCH', 'DELETE']) await expectAlike(worlds, method, `/v1/posts/${ref}`)
        }
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 2 : 1 })
    })
  })

  describe(`visibility on ${engine.name}`, () => {
    it('a public key sees of every list just what a secret key sees as published, and of singles no other', async () => {
      const verso = await startVerso(engine)
      const post = fc.record({
        title: fc.constantFrom('alpha', 'Beta', 'gamma'),
        status: fc.constantFrom('draft', 'scheduled', 'published', 'archived'),
        tags: fc.subarray(['x', 'Y', 'z']),
        trashed: fc.boolean(),
      })
      let run = 0
      const property = fc.asyncProperty(fc.array(post, { minLength: 5, maxLength: 15 }), async (posts) => {
        const project = await verso.otherProject(`run-${run++}`)
        const asPublic = { key: project.public }
        for (const { trashed, ...fields } of posts) {
          const scheduledFor = fields.status === 'scheduled' ? '2030-01-01T00:00:00Z' : null
          const { body } = await project.post('/v1/posts', { ...fields, scheduledFor })
          if (trashed) await project.delete(`/v1/posts/${body.id}`)
          const visible = fields.status === 'published' && !trashed
          for (const ref of [body.id, ...(trashed ? [] : [body.slug])]) {
            expect((await project.get(`/v1/posts/${ref}`, asPublic)).status, ref).toBe(visible ? 200 : 404)
          }
        }
        for (const query of [
          'sort=title',
          'sort=-slug&search=A',
          'q=a',
          'tag=x',
          'tag=y,z&sort=created_at',
          'limit=2',
          'limit=2&page=2&sort=status',
        ]) {
          const [publicly, published] = [
            await project.get(`/v1/posts?${query}`, asPublic),
            await project.get(`/v1/posts?${query}&status=published`),
          ]
          expect(publicly.body.data, query).toEqual(published.body.data)
          expect({ ...publicly.body.pagination, nextCursor: null }).toEqual({ ...published.body.pagination, nextCursor: null })
        }
        const tags = (await project.get('/v1/tags', asPublic)).body.data
        const carried = posts.filter(({ status, trashed }) => status === 'published' && !trashed).flatMap((each) => each.tags)
        expect(tags.map(({ slug, postCount }: { slug: string; postCount: number }) => `${slug} ${postCount}`).sort()).toEqual(
          [...new Set(carried)].map((tag) => `${tag.toLowerCase()} ${carried.filter((each) => each === tag).length}`).sort(),
        )
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 6 : 3 })
    })
  })
}
