import { request } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { startWorld, type World } from '../../harness/repeatable-service.ts'

async function cursorAtEnd(verso: TestApp, key: string): Promise<string> {
  const { body } = await verso.get('/v1/changes?limit=100', { key })
  expect(body.hasMore).toBe(false)
  return body.nextCursor
}

const prune = ({ app }: TestApp) => app.jobs.find(({ name }) => name === 'prune-changes')?.runOnce()
const changesOf = ({ app }: TestApp) => app.installation.db.selectFrom('changes').select('seq').orderBy('seq').execute()

for (const engine of engines) {
  describe(`cursors of the changes feed on ${engine.name}`, () => {
    it('GET /v1/changes?since: 410 cursor_expired once the next change is 90 days old, pruned or not', async () => {
      const verso = await startVerso(engine)
      const keys = [verso.public, verso.secret]
      const before = await Promise.all(keys.map((key) => cursorAtEnd(verso, key)))
      await verso.post('/v1/posts', { title: 'Old', status: 'published' })
      const behind = await Promise.all(keys.map((key) => cursorAtEnd(verso, key)))
      const ask = (cursors: readonly string[]) =>
        Promise.all(cursors.map(async (cursor, i) => (await verso.get(`/v1/changes?since=${cursor}`, { key: keys[i] ?? '' })).status))
      verso.context.travelTo('2026-08-30T11:59:59.999Z')
      expect(await ask(before)).toEqual([200, 200])
      verso.context.travelTo('2026-08-30T12:00:00.000Z')
      expect(await ask(before)).toEqual([410, 410])
      expect(await ask(behind)).toEqual([200, 200])
      for (let i = 0; i < 120; i++) await verso.patch('/v1/posts/old', { excerpt: `${i}` })
      await prune(verso)
      expect(await changesOf(verso)).toHaveLength(120)
      expect(await ask(before)).toEqual([410, 410])
      expect(await ask(behind)).toEqual([200, 200])
      verso.context.travelTo('2027-06-01T12:00:00.000Z')
      await prune(verso)
      expect(await changesOf(verso)).toEqual([{ seq: 121 }])
      expect(await ask(behind)).toEqual([410, 410])
      const { body } = await verso.get('/v1/changes', { key: verso.public })
      expect(body).toMatchObject({ data: [{ action: 'upsert', data: { excerpt: '119' } }], hasMore: false })
      expect(await ask([body.nextCursor])).toEqual([200])
    })

    it('GET /v1/changes?since: 400 invalid_cursor for what was made for other eyes, or not here', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const cursor = await cursorAtEnd(verso, verso.secret)
      const { nextCursor: elsewhere } = (await other.get('/v1/changes')).body
      const asked = [
        [verso.public, cursor],
        [await verso.keyWith('changes:read', 'posts:read'), cursor],
        [verso.secret, elsewhere],
        [verso.secret, 'x'],
        [verso.secret, Buffer.from('[1,2,3,4]').toString('base64url')],
        [verso.secret, `${cursor}a`],
        [verso.secret, (await verso.get('/v1/posts?limit=1')).body.pagination.nextCursor ?? 'none'],
      ] as const
      for (const [key, since] of asked) {
        const { status, body } = await verso.get(`/v1/changes?since=${since}`, { key })
        expect([status, body.code, body.errors?.[0].parameter], since).toEqual([400, 'invalid_cursor', 'since'])
      }
      // The same rights, another key: as after a rotation.
      expect(
        (
          await verso.get(`/v1/changes?since=${cursor}`, {
            key: await verso.keyWith('posts:delete', 'posts:publish', 'posts:write', 'media:write', 'authors:read_email', 'changes:read'),
          })
        ).status,
      ).toBe(200)
    })

    it('GET /v1/changes: 400 invalid_parameter for other limits and waits, and unknown_parameter', async () => {
      const verso = await startVerso(engine)
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'wait=31', 'wait=-1', 'wait=1.5', 'wait=', 'since=', 'wait=1&wait=1'])
        expect((await verso.get(`/v1/changes?${query}`)).body.code, query).toBe('invalid_parameter')
      expect((await verso.get('/v1/changes?cursor=x')).body.code).toBe('unknown_parameter')
    })

    it('GET /v1/changes: 200 for as long as anybody polls, at one statement where nothing happened', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}`, status: 'published' })
      const cursor = await cursorAtEnd(verso, verso.public)
      const count = async (query: string) => {
        verso.statements.length = 0
        await verso.get(`/v1/changes${query}`, { key: verso.public })
        return verso.statements.filter((sql) => !/^(?:begin|commit)/.test(sql)).length
      }
      expect(await count(`?since=${cursor}`)).toBeLessThanOrEqual(engine.lookUp)
      // The key, and each of the kinds that it may see.
      expect(await count('?limit=100')).toBeLessThanOrEqual(3 + engine.lookUp)
      for (let i = 0; i < 20; i++) await verso.patch(`/v1/posts/post-${i}`, { excerpt: 'new' })
      // The key, whether the log goes so far, its changes, the posts.
      expect(await count(`?since=${cursor}`)).toBeLessThanOrEqual(3 + engine.lookUp)
      await verso.post('/v1/posts', { title: 'Draft' })
      expect(await count(`?since=${await cursorAtEnd(verso, verso.public)}`)).toBeLessThanOrEqual(engine.lookUp)
    })

    it('GET /v1/changes?wait=30: fifty who wait cost one statement a look, and a write one more look', async () => {
      const verso = await startVerso(engine)
      const { installation } = verso.app
      const cursor = await cursorAtEnd(verso, verso.public)
      const answers = Array.from({ length: 50 }, () => verso.get(`/v1/changes?since=${cursor}&wait=30`, { key: verso.public }))
      // A hidden write, so that nobody is answered; what is counted after it is a look of all.
      await verso.post('/v1/posts', { title: 'Draft' })
      verso.statements.length = 0
      await installation.watch.poll()
      expect(verso.statements.filter((sql) => sql.includes('project_state') && !sql.includes('api_keys')).length).toBeLessThanOrEqual(2)
      await verso.patch('/v1/posts/draft', { status: 'published' })
      for (const { body } of await Promise.all(answers)) expect(body.data).toMatchObject([{ action: 'upsert', data: { title: 'Draft' } }])
      verso.statements.length = 0
      await installation.watch.poll()
      expect(verso.statements).toEqual([])
    })

    it('GET /v1/changes?wait=30: one who goes away is waited for no more', async () => {
      const verso = await startVerso(engine)
      const cursor = await cursorAtEnd(verso, verso.public)
      const headers = { authorization: `Bearer ${verso.public}` }
      const asked = request(`${verso.app.url}/v1/changes?since=${cursor}&wait=30`, { headers, agent: false }).end()
      await expect.poll(() => looks(verso)).toBe(1)
      asked.on('error', () => undefined).destroy()
      await expect.poll(() => looks(verso)).toBe(0)
    })

    it('GET /v1/changes?wait=30: 200 at once where the service stops', async () => {
      const verso = await startVerso(engine)
      const cursor = await cursorAtEnd(verso, verso.public)
      const answer = verso.get(`/v1/changes?since=${cursor}&wait=30`, { key: verso.public })
      await expect.poll(() => looks(verso)).toBe(1)
      await verso.app.stop()
      expect((await answer).body).toEqual({ data: [], nextCursor: cursor, hasMore: false })
    })
  })

  it(`GET /v1/changes: two worlds that differ only in what is unpublished tell a public key the same, on ${engine.name}`, async () => {
    const hidden = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 5 }), what: fc.constantFrom('create', 'patch', 'trash', 'schedule') }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    const property = fc.asyncProperty(hidden, hidden, async (mine, theirs) => {
      const heard = [await listen(await startWorld(engine), mine), await listen(await startWorld(engine), theirs)] as const
      expect(heard[1]).toEqual(heard[0])
      expect(heard[0].length).toBeGreaterThan(5)
    })
    await fc.assert(property, { numRuns: 3 })
  })
}

/** How many statements a look costs: one while somebody waits. */
async function looks({ app, statements }: TestApp): Promise<number> {
  statements.length = 0
  await app.installation.watch.poll()
  return statements.length
}

interface Hidden {
  readonly after: number
  readonly what: 'create' | 'patch' | 'trash' | 'schedule'
}

/** All that a public key is told, page by page, of a world in which resources happen that it may not know of. */
async function listen(world: World, steps: readonly Hidden[]): Promise<readonly string[]> {
  const told: string[] = []
  let query = ''
  for (const [minute, work] of common.entries()) {
    const at = `2026-06-01T12:0${minute}:00.000Z`
    await world.step(`common ${minute}`, at, work)
    for (const [i, { what }] of steps.filter(({ after }) => after === minute).entries())
      await world.step(`hidden ${minute} ${i} ${what}`, at, (verso) => hide(verso, what, `${minute}-${i}`))
    for (let hasMore = true; hasMore; ) {
      const { text, body } = await world.verso.get(`/v1/changes?limit=2${query}`, { key: world.verso.public })
      told.push(text)
      query = `&since=${body.nextCursor}`
      hasMore = body.hasMore
    }
  }
  return told
}

const common: readonly ((verso: TestApp) => Promise<unknown>)[] = [
  (verso) => verso.post('/v1/posts', { title: 'Alpha', status: 'published' }),
  (verso) => verso.post('/v1/posts', { title: 'Beta', status: 'published' }),
  (verso) => verso.patch('/v1/posts/alpha', { title: 'Alpha, changed' }),
  (verso) => verso.patch('/v1/posts/beta', { status: 'draft' }),
  (verso) => verso.delete('/v1/posts/alpha'),
  (verso) => verso.patch('/v1/posts/beta', { status: 'published' }),
]

async function hide(verso: TestApp, what: Hidden['what'], name: string): Promise<void> {
  const { body } = await verso.post('/v1/posts', { title: `Hidden ${name}`, slug: `hidden-${name}` })
  if (what === 'patch') await verso.patch(`/v1/posts/${body.id}`, { title: 'Still hidden' })
  if (what === 'trash') await verso.delete(`/v1/posts/${body.id}`)
  if (what === 'schedule') await verso.patch(`/v1/posts/${body.id}`, { status: 'scheduled', scheduledFor: '2030-01-01T00:00:00Z' })
}
