import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, engines, type Requests, startVerso } from '../harness/harness.ts'

const sorts = ['published_at', 'created_at', 'updated_at', 'scheduled_for', 'title', 'slug', 'status'] as const

interface Seed {
  readonly title: string
  readonly status: string
  readonly minutes: number
  readonly tags: readonly string[]
}

/** Few different titles and times, so that much is equal; letters from where orders differ between collations and encodings. */
const seed: fc.Arbitrary<Seed> = fc.record({
  title: fc.constantFrom(
    'a',
    'A',
    'b',
    'B',
    'ß',
    'ss',
    'é',
    'e\u0301',
    'Ω',
    'ω',
    '\uffee',
    '😀',
    '𝒜',
    'z',
    '-',
    '_',
    'a b',
    '日本',
    'İ',
    'ı',
  ),
  status: fc.constantFrom('draft', 'scheduled', 'published', 'published', 'archived'),
  minutes: fc.integer({ min: 1, max: 4 }),
  tags: fc.constantFrom([], ['x'], ['y'], ['x', 'y']),
})

const sort = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...sorts), descending: fc.boolean() }), {
    minLength: 2,
    maxLength: 4,
    selector: ({ name }) => name,
  })
  .map((keys) => keys.map(({ name, descending }) => (descending ? `-${name}` : name)).join(','))

/** One walk: its sort, its filters, and the limits of its pages in turn. */
const filter = fc.constantFrom(
  '',
  'status=published',
  'status=draft,scheduled',
  'tag=x',
  'tag=x,y',
  'search=a',
  'published_after=2026-06-01T10:02:00Z',
)

function toPost({ title, status, minutes, tags }: Seed) {
  const scheduledFor = status === 'scheduled' ? `2026-07-01T00:0${minutes}:00Z` : null
  return { title, status, tags, scheduledFor, ...(status === 'published' && { publishedAt: `2026-06-01T10:0${minutes}:00Z` }) }
}

const idsOf = ({ body }: Answer): readonly string[] => body.data.map(({ id }: { id: string }) => id)

/** Every page of a list, each with the next of these limits; between two pages something happens. */
async function walk(
  project: Requests,
  query: string,
  limits: readonly number[],
  between: () => Promise<unknown>,
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor = ''
  for (let page = 0; page < 1_000; page++) {
    const answer = await project.get(`/v1/posts?${query}&fields=id&limit=${limits[page % limits.length]}${cursor}`)
    ids.push(...idsOf(answer))
    const { nextCursor, hasMore } = answer.body.pagination
    expect(hasMore).toBe(nextCursor !== null)
    if (nextCursor === null) return ids
    cursor = `&cursor=${nextCursor}`
    await between()
  }
  throw new Error('the walk has no end')
}

for (const engine of engines) {
  describe(`cursors on ${engine.name}`, () => {
    it('walk every post once for every sort in both directions, while posts are being added', async () => {
      const verso = await startVerso(engine)
      let run = 0
      const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 })
      const property = fc.asyncProperty(
        fc.array(seed, { minLength: 12, maxLength: 25 }),
        fc.array(fc.tuple(sort, filter), { maxLength: 4 }),
        limits,
        fc.infiniteStream(seed),
        async (seeds, more, pageLimits, news) => {
          const project = await verso.otherProject(`run-${run++}`)
          for (const [i, each] of seeds.entries()) {
            verso.context.travelTo(`2026-06-01T12:00:0${i % 3}Z`)
            await project.post('/v1/posts', toPost(each))
          }
          const singles = sorts.flatMap((name) => [`sort=${name}`, `sort=-${name}`])
          for (const query of [...singles, ...more.map(([each, which]) => `sort=${each}&${which}`)]) {
            const there = idsOf(await project.get(`/v1/posts?${query}&limit=100`))
            let added = 0
            const seen = await walk(project, query, pageLimits, async () => {
              if (added++ < 1) await project.post('/v1/posts', toPost(news.next().value))
            })
            expect(new Set(seen).size, `${query}: twice`).toBe(seen.length)
            expect(
              seen.filter((id) => there.includes(id)),
              query,
            ).toEqual(there)
          }
        },
      )
      await fc.assert(property, { numRuns: engine === engines[0] ? 3 : 1 })
    })

    it('walk what is left where posts are deleted, the one at the cursor too', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 12; i++) await verso.post('/v1/posts', { title: 'Same' })
      const all = idsOf(await verso.get('/v1/posts?sort=title'))
      const [lastSeen, firstToCome] = all.slice(3, 5)
      const seen = await walk(verso, 'sort=title', [4], async () => {
        for (const id of [lastSeen, firstToCome]) await verso.delete(`/v1/posts/${id}`)
      })
      expect(seen).toEqual(all.filter((id) => id !== firstToCome))
    })

    it('of a key that sees drafts: a public key goes on from there, and never anew', async () => {
      const verso = await startVerso(engine)
      for (const [title, day] of Object.entries({ A: '01', B: '02' }))
        await verso.post('/v1/posts', { title, status: 'published', publishedAt: `2026-01-${day}T00:00:00Z` })
      for (const title of ['C', 'D']) await verso.post('/v1/posts', { title })
      for (const [query, limit, left] of [
        ['sort=published_at', 1, ['b']],
        ['sort=published_at', 3, []],
        ['sort=published_at,title', 3, []],
        ['sort=-published_at', 3, []],
      ] as const) {
        const { nextCursor } = (await verso.get(`/v1/posts?${query}&limit=${limit}`)).body.pagination
        const { data, pagination } = (await verso.get(`/v1/posts?${query}&cursor=${nextCursor}`, { key: verso.public })).body
        expect([query, limit, data.map(({ slug }: { slug: string }) => slug)]).toEqual([query, limit, left])
        expect(pagination).toMatchObject({ total: 2, hasMore: false, nextCursor: null })
      }
    })

    it('pages and cursors agree', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 23; i++) await verso.post('/v1/posts', { title: `Post ${i % 4}`, status: i % 2 ? 'published' : 'draft' })
      for (const query of ['sort=title', 'sort=-published_at,title', 'sort=status,-title']) {
        const paged: string[] = []
        for (let page = 1; page <= 5; page++) paged.push(...idsOf(await verso.get(`/v1/posts?${query}&limit=5&page=${page}`)))
        expect(await walk(verso, query, [5], async () => undefined)).toEqual(paged)
      }
    })
  })
}
