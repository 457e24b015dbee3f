import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

/** Lists in the order of publication are merged from several indexes: every one of them is held against a list sorted here. */

interface Made {
  readonly id: string
  readonly status: string
  readonly publishedAt: string | null
  readonly author: { readonly id: string } | null
  readonly category: { readonly slug: string } | null
  readonly tags: readonly string[]
}

interface Asked {
  readonly status: readonly string[]
  readonly by: 'author' | 'category' | 'tag' | 'nothing'
  readonly names: readonly number[]
  readonly from: boolean
  readonly until: boolean
  readonly limit: number
  readonly isPublic: boolean
  readonly ascending: boolean
}

const asked: fc.Arbitrary<Asked> = fc.record({
  status: fc.subarray(['draft', 'scheduled', 'published', 'archived']),
  by: fc.constantFrom('author', 'category', 'tag', 'tag', 'nothing'),
  names: fc.subarray([0, 1, 2], { minLength: 1 }),
  from: fc.boolean(),
  until: fc.boolean(),
  limit: fc.constantFrom(1, 3, 100),
  isPublic: fc.boolean(),
  ascending: fc.boolean(),
})

/** A few moments only, so that many posts have the same. */
const moments = ['2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']
const [, after, before] = moments
const tags = ['a', 'b', 'c']

async function fill(verso: TestApp) {
  const admin = { key: await verso.keyWith('admin') }
  const make = async (kind: string, name: string) => (await verso.post(`/v1/admin/${kind}`, { name }, admin)).body
  const authors = [await make('authors', 'x'), await make('authors', 'y')].map(({ id }) => id as string)
  const categories = [await make('categories', 'x'), await make('categories', 'y')].map(({ slug }) => slug as string)
  for (let i = 0; i < 40; i++) {
    const status = ['draft', 'scheduled', 'published', 'published', 'archived'][i % 5]
    const { body } = await verso.post('/v1/posts', {
      title: `Post ${i}`,
      status,
      tags: tags.filter((_, n) => (i >> n) % 2 === 0),
      authorId: authors[i % 3] ?? null,
      categoryId: categories[(i >> 1) % 3] ?? null,
      ...(status === 'scheduled' && { scheduledFor: '2030-01-01T00:00:00Z' }),
      ...((status === 'published' || (status === 'archived' && i % 2 === 0)) && { publishedAt: moments[i % 3] }),
    })
    if (i % 7 === 0) await verso.delete(`/v1/posts/${body.id}`)
    if (i % 14 === 0) await verso.post(`/v1/posts/${body.id}/restore`)
    if (i % 8 === 2) await verso.patch(`/v1/posts/${body.id}`, { status: 'published', publishedAt: moments[0] })
    if (i % 9 === 3) await verso.patch(`/v1/posts/${body.id}`, { status: 'draft' })
  }
  return { authors, categories, all: (await verso.get('/v1/posts?sort=created_at&limit=100')).body.data as readonly Made[] }
}

function query({ status, by, names, from, until, isPublic }: Asked, { authors, categories }: Awaited<ReturnType<typeof fill>>): string {
  const named = { author: authors, category: categories, tag: tags, nothing: [] }[by]
  const values = names.map((n) => named[n] ?? (by === 'author' ? 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc' : 'none'))
  const parts = [
    ...(by === 'nothing' ? [] : [`${by}=${values.join()}`]),
    ...(isPublic || status.length === 0 ? [] : [`status=${status.join()}`]),
    ...(from ? [`published_after=${after}`] : []),
    ...(until ? [`published_before=${before}`] : []),
  ]
  return parts.join('&')
}

function expected(
  all: readonly Made[],
  wanted: Asked,
  names: { authors: readonly string[]; categories: readonly string[] },
): readonly string[] {
  const { status, by, from, until, isPublic, ascending } = wanted
  const isNamed = ({ author, category, tags: own }: Made) =>
    wanted.names.some((n) => {
      if (by === 'author') return author !== null && author.id === names.authors[n]
      if (by === 'category') return category !== null && category.slug === names.categories[n]
      return own.includes(tags[n] ?? '')
    })
  const time = ({ publishedAt }: Made) => publishedAt ?? ''
  // What has no date comes last, in both directions.
  const place = (post: Made) => (time(post) || (ascending ? '9999' : '0000')) + post.id
  const compare = (a: string, b: string) => (a < b ? -1 : 1)
  return all
    .filter((post) => (isPublic ? post.status === 'published' : status.length === 0 || status.includes(post.status)))
    .filter((post) => by === 'nothing' || isNamed(post))
    .filter((post) => !from || time(post) >= `${after}`)
    .filter((post) => !until || (time(post) !== '' && time(post) < `${before}`))
    .toSorted((a, b) => (ascending ? compare(place(a), place(b)) : compare(place(b), place(a))))
    .map(({ id }) => id)
}

/** The ids on all pages, one after the other by cursor, and again by number. */
async function walk(verso: TestApp, path: string, key: string): Promise<readonly [readonly string[], readonly string[]]> {
  const both: [string[], string[]] = [[], []]
  for (let next = path; next !== ''; ) {
    const { body } = await verso.get(next, { key })
    both[0].push(...body.data.map(({ id }: Made) => id))
    next = body.pagination.nextCursor ? `${path}&cursor=${body.pagination.nextCursor}` : ''
  }
  for (let page = 1; both[1].length < both[0].length; page++) {
    const { body } = await verso.get(`${path}&page=${page}`, { key })
    both[1].push(...body.data.map(({ id }: Made) => id))
    if (body.data.length === 0) break
  }
  return both
}

for (const engine of engines)
  describe(`GET /v1/posts in the order of publication on ${engine.name}`, { timeout: 120_000 }, () => {
    it('brings every post once and in order, whatever is asked for', async () => {
      const verso = await startVerso(engine)
      const filled = await fill(verso)
      await fc.assert(
        fc.asyncProperty(asked, async (wanted) => {
          const key = wanted.isPublic ? verso.public : verso.secret
          const ids = expected(filled.all, wanted, filled)
          const path = `/v1/posts?limit=${wanted.limit}&sort=${wanted.ascending ? '' : '-'}published_at&fields=id&${query(wanted, filled)}`
          expect(await walk(verso, path, key), path).toEqual([ids, ids])
          expect((await verso.get(path, { key })).body.pagination.total, path).toBe(ids.length)
        }),
        { numRuns: 40 },
      )
    })
  })
