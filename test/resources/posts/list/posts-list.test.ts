import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp, type TestEngine } from '../../../harness/harness.ts'

/** A list with its pages, walked by the cursor; the ids in the order in which they came. */
async function walk(verso: TestApp, query: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await verso.get(`/v1/posts?${query}${cursor && `&cursor=${cursor}`}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.pagination.nextCursor
  }
  return ids
}

/** Five posts, one of each kind, whose every sort has another order. */
async function startWithPosts(engine: TestEngine): Promise<TestApp> {
  const verso = await startVerso(engine)
  const posts = [
    { title: 'beta', status: 'published', publishedAt: '2025-01-01T00:00:00Z' },
    { title: 'Alpha', status: 'published', publishedAt: '2025-03-01T00:00:00Z' },
    { title: 'gamma', status: 'draft' },
    { title: 'Delta', status: 'scheduled', scheduledFor: '2027-01-01T00:00:00Z' },
    { title: 'éta', status: 'archived', publishedAt: '2025-02-01T00:00:00Z' },
  ]
  for (const [i, post] of posts.entries()) {
    verso.context.travelTo(`2026-06-01T12:00:0${i}Z`)
    await verso.post('/v1/posts', post)
  }
  verso.context.travelTo('2026-06-01T13:00:00Z')
  await verso.patch('/v1/posts/beta', { excerpt: 'changed last' })
  return verso
}

const titlesOf = (body: { data: readonly { title: string }[] }) => body.data.map(({ title }) => title).join(' ')

for (const engine of engines) {
  describe(`GET /v1/posts on ${engine.name}`, () => {
    it('the envelope and Link of first, middle, last and no page', async () => {
      const verso = await startWithPosts(engine)
      const link = (page: number, rel: string) => `</v1/posts?limit=2&page=${page}>; rel="${rel}"`
      const expected = [
        [1, 2, true, ['first 1', 'next 2', 'last 3']],
        [2, 2, true, ['first 1', 'prev 1', 'next 3', 'last 3']],
        [3, 1, false, ['first 1', 'prev 2', 'last 3']],
        [4, 0, false, ['first 1', 'prev 3', 'last 3']],
        [5, 0, false, ['first 1', 'prev 3', 'last 3']],
        [1_000_000_000, 0, false, ['first 1', 'prev 3', 'last 3']],
      ] as const
      for (const [page, length, hasMore, links] of expected) {
        const { status, body, headers } = await verso.get(`/v1/posts?limit=2&page=${page}`)
        expect([status, body.data.length]).toEqual([200, length])
        expect(body.pagination).toEqual({
          page,
          limit: 2,
          total: 5,
          totalPages: 3,
          hasMore,
          nextCursor: hasMore ? expect.any(String) : null,
        })
        expect(headers.get('link')).toBe(links.map((each) => link(Number(each.split(' ')[1]), each.split(' ')[0] ?? '')).join(', '))
      }
      const empty = await verso.get('/v1/posts?search=nothing')
      expect(empty.body.pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0, hasMore: false, nextCursor: null })
      expect(empty.headers.get('link')).toBe(
        '</v1/posts?search=nothing&page=1>; rel="first", </v1/posts?search=nothing&page=1>; rel="last"',
      )
    })

    it('paging by cursor: page and totalPages null, Link has first and next; a page gives a cursor too', async () => {
      const verso = await startWithPosts(engine)
      const { body: page } = await verso.get('/v1/posts?limit=2&sort=title')
      const { nextCursor } = page.pagination
      const { body, headers } = await verso.get(`/v1/posts?limit=2&sort=title&cursor=${nextCursor}`)
      expect(titlesOf(page)).toBe('Alpha beta')
      expect(titlesOf(body)).toBe('Delta gamma')
      expect(body.pagination).toEqual({ page: null, limit: 2, total: 5, totalPages: null, hasMore: true, nextCursor: expect.any(String) })
      expect(headers.get('link')).toBe(
        `</v1/posts?limit=2&sort=title>; rel="first", </v1/posts?limit=2&sort=title&cursor=${body.pagination.nextCursor}>; rel="next"`,
      )
      const last = await verso.get(`/v1/posts?limit=99&sort=title&cursor=${nextCursor}&total=false&fields=slug`)
      expect(last.body.data.map(({ slug }: { slug: string }) => slug)).toEqual(['delta', 'gamma', 'eta'])
      expect(last.body.pagination).toEqual({ page: null, limit: 99, total: null, totalPages: null, hasMore: false, nextCursor: null })
    })

    it('total=false does not count', async () => {
      const verso = await startWithPosts(engine)
      const { body, headers } = await verso.get('/v1/posts?limit=2&total=false')
      expect(body.pagination).toEqual({ page: 1, limit: 2, total: null, totalPages: null, hasMore: true, nextCursor: expect.any(String) })
      expect(headers.get('link')).toBe(
        '</v1/posts?limit=2&total=false&page=1>; rel="first", </v1/posts?limit=2&total=false&page=2>; rel="next"',
      )
    })

    it('Link has at most 3,000 bytes: next before prev, first and last, and none where not one fits', async () => {
      const verso = await startWithPosts(engine)
      const statuses = (bytes: number) => `status=${'published,draft,'.repeat(500).slice(0, bytes)}`.replace(/,[a-z]*$/, '')
      const cases = [
        [450, ['first', 'prev', 'next', 'last']],
        [1_000, ['prev', 'next']],
        [2_000, ['next']],
        [4_000, []],
      ] as const
      for (const [bytes, expected] of cases) {
        const { status, headers, body } = await verso.get(`/v1/posts?${statuses(bytes)}&limit=1&page=2`)
        const link = headers.get('link') ?? ''
        expect([status, body.pagination.hasMore, body.pagination.nextCursor]).toEqual([200, true, expect.any(String)])
        expect(
          [...link.matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation),
          `${bytes}`,
        ).toEqual(expected)
        expect(link.length).toBeLessThanOrEqual(3_000)
      }
      expect((await verso.get(`/v1/posts?search=${encodeURIComponent('é'.repeat(200))}`)).headers.get('link')).toMatch(/rel="first"/)
    })

    it('every sort in both directions: empty values last, and ties by id in the direction of the last field', async () => {
      const verso = await startWithPosts(engine)
      const orders = {
        published_at: ['beta éta Alpha gamma Delta', 'Alpha éta beta Delta gamma'],
        created_at: ['beta Alpha gamma Delta éta', 'éta Delta gamma Alpha beta'],
        updated_at: ['Alpha gamma Delta éta beta', 'beta éta Delta gamma Alpha'],
        scheduled_for: ['Delta beta Alpha gamma éta', 'Delta éta gamma Alpha beta'],
        title: ['Alpha beta Delta gamma éta', 'éta gamma Delta beta Alpha'],
        slug: ['Alpha beta Delta éta gamma', 'gamma éta Delta beta Alpha'],
        status: ['éta gamma beta Alpha Delta', 'Delta Alpha beta gamma éta'],
      }
      for (const [name, [ascending, descending]] of Object.entries(orders)) {
        expect(titlesOf((await verso.get(`/v1/posts?sort=${name}`)).body), name).toBe(ascending)
        expect(titlesOf((await verso.get(`/v1/posts?sort=-${name}`)).body), `-${name}`).toBe(descending)
      }
      expect(titlesOf((await verso.get('/v1/posts')).body)).toBe(orders.published_at[1])
      expect(titlesOf((await verso.get('/v1/posts?sort=status,-title')).body)).toBe('éta gamma beta Alpha Delta')
      expect(titlesOf((await verso.get('/v1/posts?sort=-status,title')).body)).toBe('Delta Alpha beta gamma éta')
    })

    it('titles sort by their folding and then as written, by code point', async () => {
      const verso = await startVerso(engine)
      const titles = ['b', 'B', 'a', 'Z', 'é', 'e\u0301', 'ß', 'ss', 'SS', 'ﬀ', '😀', '\uffee', 'a b', 'a-b', 'ab']
      for (const title of titles) await verso.post('/v1/posts', { title })
      const { body } = await verso.get('/v1/posts?sort=title')
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual([
        'a',
        'a b',
        'a-b',
        'ab',
        'B',
        'b',
        'ﬀ',
        'SS',
        'ss',
        'ß',
        'Z',
        'e\u0301',
        'é',
        '\uffee',
        '😀',
      ])
    })

    it('search: a substring of the title without regard to case, every character plain', async () => {
      const verso = await startVerso(engine)
      const titles = ['Hello World', '100% sure', 'snake_case', 'back\\slash', 'Straße', 'ΟΔΥΣΣΕΥΣ', 'ılık', 'Café', "O'Neil [x] *?"]
      for (const title of titles) await verso.post('/v1/posts', { title })
      const find = async (search: string) =>
        titlesOf((await verso.get(`/v1/posts?sort=created_at&search=${encodeURIComponent(search)}`)).body)
      const expected = {
        'O W': 'Hello World',
        HELLO: 'Hello World',
        '%': '100% sure',
        _: 'snake_case',
        '\\': 'back\\slash',
        STRASSE: 'Straße',
        ß: 'Straße',
        οδυσσευς: 'ΟΔΥΣΣΕΥΣ',
        i: "O'Neil [x] *?",
        I: "O'Neil [x] *?",
        cafe: '',
        CAFÉ: 'Café',
        'cafe\u0301': 'Café',
        "'": "O'Neil [x] *?",
        '[x] *': "O'Neil [x] *?",
        'lo%wo': '',
        lo_wo: '',
      }
      for (const [search, title] of Object.entries(expected)) expect(await find(search), search).toBe(title)
      expect((await verso.get('/v1/posts?search=')).body.pagination.total).toBe(titles.length)
      expect((await verso.get(`/v1/posts?search=${encodeURIComponent('😀'.repeat(200))}`)).body.pagination.total).toBe(0)
      expect((await verso.get(`/v1/posts?search=${'a'.repeat(201)}`)).body.errors).toMatchObject([
        { parameter: 'search', code: 'too_long' },
      ])
      expect((await verso.get('/v1/posts?search=hello+world')).body.pagination.total).toBe(1)
    })

    it('filters by time: after is from then on, before is until then', async () => {
      const verso = await startWithPosts(engine)
      const find = async (query: string) => titlesOf((await verso.get(`/v1/posts?sort=published_at&${query}`)).body)
      expect(await find('published_after=2025-02-01T00:00:00Z')).toBe('éta Alpha')
      expect(await find('published_before=2025-02-01T00:00:00Z')).toBe('beta')
      expect(await find('published_after=2025-02-01T01:00:00%2B01:00&published_before=2025-03-01T00:00:00Z')).toBe('éta')
      expect(await find('updated_after=2026-06-01T12:00:03Z')).toBe('beta éta Delta')
      for (const offset of ['+01:00', '%2B01:00', '%2b01:00']) {
        expect(await find(`updated_after=2026-06-01T13:00:03${offset}`)).toBe('beta éta Delta')
      }
      expect(await find('updated_after=2026-06-01T12:00:03.001Z')).toBe('beta éta')
    })

    it('fields and exclude; id always comes, and the order is that of the representation', async () => {
      const verso = await startWithPosts(engine)
      const keys = async (query: string) => Object.keys((await verso.get(`/v1/posts?${query}`)).body.data[0]).join(' ')
      const all = await keys('')
      expect(await keys('fields=title,slug')).toBe('id title slug')
      expect(await keys('fields=slug,title,id')).toBe('id title slug')
      expect(await keys('exclude=content')).toBe(all.replace(' content', ''))
      expect(await keys('exclude=id,content,seo')).toBe(all.replace(' content', '').replace(' seo', ''))
      expect((await verso.get('/v1/posts?fields=title&exclude=content')).body.errors).toMatchObject([
        { parameter: 'exclude', code: 'conflict' },
      ])
    })

    it('the trash: what is deleted and nothing else, for keys that may see drafts', async () => {
      const verso = await startWithPosts(engine)
      await verso.delete('/v1/posts/beta')
      await verso.delete('/v1/posts/gamma')
      expect(titlesOf((await verso.get('/v1/posts?trashed=true&sort=title')).body)).toBe('beta gamma')
      expect((await verso.get('/v1/posts?trashed=true&status=draft')).body.pagination.total).toBe(1)
      expect(titlesOf((await verso.get('/v1/posts?trashed=false&sort=title')).body)).toBe('Alpha Delta éta')
      expect((await verso.get('/v1/posts?trashed=true', { key: verso.public })).body.scope).toBe('posts:read_drafts')
      expect((await verso.get('/v1/posts?trashed=false', { key: verso.public })).status).toBe(200)
    })

    it('a cursor is bound to sort and filters, not to limit, fields or total', async () => {
      const verso = await startWithPosts(engine)
      const { nextCursor } = (await verso.get('/v1/posts?limit=1&sort=title&search=a')).body.pagination
      const ask = async (query: string) => (await verso.get(`/v1/posts?cursor=${nextCursor}&${query}`)).body
      for (const same of ['sort=title&search=a', 'sort=title&search=a&limit=3&fields=id&total=false'])
        expect((await ask(same)).data).toBeDefined()
      for (const other of ['sort=title', 'sort=-title&search=a', 'sort=title&search=A', 'sort=title&search=a&status=draft', '']) {
        expect(await ask(other), other).toMatchObject({
          status: 400,
          code: 'invalid_cursor',
          errors: [{ parameter: 'cursor', code: 'other_list' }],
        })
      }
      expect(await ask('sort=title&search=a&page=1')).toMatchObject({
        code: 'invalid_parameter',
        errors: [{ parameter: 'page', code: 'conflict' }],
      })
    })

    it('a parameter that takes several values may be repeated: the same bytes, ETag and cursors as with commas', async () => {
      const verso = await startWithPosts(engine)
      const ask = (query: string, path = '/v1/posts') => verso.get(`${path}?${query}`)
      for (const [repeated, joined] of [
        ['status=draft&status=archived', 'status=draft,archived'],
        ['status=draft,published&limit=1&status=archived', 'status=draft,published,archived&limit=1'],
        ['tag=a&tag=b&author=x&author=y&category=c&category=d', 'tag=a,b&author=x,y&category=c,d'],
        ['sort=status&sort=-title', 'sort=status,-title'],
        ['fields=title&fields=id', 'fields=title,id'],
        ['exclude=content&exclude=seo', 'exclude=content,seo'],
      ] as const) {
        const [one, other] = [await ask(repeated), await ask(joined)]
        expect([one.status, one.text, one.headers.get('etag')], repeated).toEqual([200, other.text, other.headers.get('etag')])
        const { nextCursor } = one.body.pagination
        if (nextCursor) expect((await ask(`${joined}&cursor=${nextCursor}`)).status).toBe(200)
      }
      const withLinks = await ask('status=draft&status=published&limit=1')
      expect(withLinks.headers.get('link')).toContain('</v1/posts?status=draft&status=published&limit=1&page=2>; rel="next"')
      for (const [query, code] of [
        ['tag=a&tag=', 'empty'],
        ['status=draft&status=live', 'not_allowed'],
        ['sort=title&sort=-title', 'repeated'],
        ['page=1&page=1', 'repeated'],
        ['search=a&search=b', 'repeated'],
        ['published_after=2026-01-01T00:00:00Z&published_after=2026-01-01T00:00:00Z', 'repeated'],
      ])
        expect((await ask(`${query}`)).body, query).toMatchObject({ status: 400, errors: [{ code }] })
      const hidden = await verso.get('/v1/posts?status=published&status=draft', { key: verso.public })
      expect([hidden.status, hidden.body.code]).toEqual([403, 'insufficient_scope'])
    })

    it('pages at the edges: as many posts as the limit, one more, one less', async () => {
      const verso = await startWithPosts(engine)
      for (const limit of [1, 4, 5, 6, 100]) {
        expect(new Set(await walk(verso, `limit=${limit}&sort=scheduled_for`)).size, String(limit)).toBe(5)
        const { body } = await verso.get(`/v1/posts?limit=${limit}&page=${Math.ceil(5 / limit)}`)
        expect(body.pagination.hasMore).toBe(false)
      }
    })
  })
}
