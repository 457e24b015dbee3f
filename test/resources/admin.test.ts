import { describe, expect, it, vi } from 'vitest'
import type { Scope } from '../../src/actions/caller.ts'
import { type Answer, engines, shared, startVerso, type TestApp, type TestEngine } from '../harness/harness.ts'

/** What is administered under /v1/admin and read beside it: the same rules hold for each. */
const resources = [
  {
    noun: 'authors',
    id: 'auth_00000000000000000000000000',
    readScope: 'authors:read',
    sorts: ['name', 'created_at'],
    /** Fields with the longest text that each takes, in code points. */
    texts: { name: 300, email: 254, bio: 10_000, avatarUrl: 2_048 },
    emptyAllowed: ['bio'],
    required: ['name'],
    bad: [
      [{ email: 'nobody' }, '/email', 'invalid_format'],
      [{ email: 'a@b@c' }, '/email', 'invalid_format'],
      [{ email: 'a b@example.com' }, '/email', 'invalid_format'],
      [{ avatarUrl: '/a.png' }, '/avatarUrl', 'invalid_format'],
      [{ avatarUrl: 'ftp://example.com/a.png' }, '/avatarUrl', 'invalid_format'],
      [{ avatarUrl: 'javascript:alert(1)' }, '/avatarUrl', 'invalid_format'],
    ],
  },
  {
    noun: 'categories',
    id: 'cat_00000000000000000000000000',
    readScope: 'posts:read',
    sorts: ['name', 'created_at', 'slug', 'post_count'],
    texts: { name: 200, slug: 80, description: 1_000 },
    emptyAllowed: ['description'],
    required: ['name', 'slug'],
    bad: [
      [{ slug: 'Not-A-Slug' }, '/slug', 'invalid_format'],
      [{ slug: 'a--b' }, '/slug', 'invalid_format'],
      [{ slug: '-a' }, '/slug', 'invalid_format'],
      [{ slug: 'a_b' }, '/slug', 'invalid_format'],
      [{ postCount: 3 }, '/postCount', 'unknown_field'],
    ],
  },
] as const

type Resource = (typeof resources)[number]

/** A running Verso with one thing of each kind, and all that a refused write must leave as it is. */
async function start(engine: TestEngine, { noun }: Resource) {
  const verso = await startVerso(engine)
  const admin = await verso.keyWith('admin', 'posts:write', 'authors:read')
  const path = `/v1/admin/${noun}`
  const thing = (await verso.post(path, { name: 'First' }, { key: admin })).body
  const { db } = verso.app.installation
  const state = async () => [
    (await verso.get(path, { key: admin })).body,
    await db.selectFrom('changes').selectAll().orderBy('project_id').orderBy('seq').execute(),
    await db.selectFrom('project_state').selectAll().orderBy('project_id').execute(),
  ]
  return { verso, admin, path, thing, state }
}

const faultsOf = ({ body }: Answer) => body.errors.map((fault: Record<string, string>) => [fault.pointer ?? fault.parameter, fault.code])
/** What an answer says, but for what names this one request. */
const said = ({ status, body }: Answer) => ({ status, body: { ...body, instance: undefined, requestId: undefined } })

/** Bodies that are wrong whether they are to create or to change, with the fault that is named. */
function badBodies({ texts, emptyAllowed, bad }: Resource): [unknown, string, string][] {
  const limits = Object.entries<number>(texts)
  const valid: Record<string, string> = { email: `@${'a'.repeat(252)}.com`, avatarUrl: 'https://example.com/' }
  const overLong = (field: string, max: number) => (valid[field] ?? '').padStart(max + 1, 'a').padEnd(max + 1, 'a')
  return [
    ...limits.flatMap(([field]): [unknown, string, string][] => [
      ...[5, true, [], ['a'], {}].map((value): [unknown, string, string] => [{ [field]: value }, `/${field}`, 'wrong_type']),
      [{ [field]: 'a\0b' }, `/${field}`, 'invalid_text'],
      [{ [field]: '\ud800' }, `/${field}`, 'invalid_text'],
      ...((emptyAllowed as readonly string[]).includes(field)
        ? []
        : [[{ [field]: '' }, `/${field}`, field === 'name' ? 'empty' : 'invalid_format'] as [unknown, string, string]]),
    ]),
    ...limits.map(([field, max]): [unknown, string, string] => [
      { [field]: field === 'avatarUrl' ? `https://example.com/${'a'.repeat(max - 19)}` : overLong(field, max) },
      `/${field}`,
      'too_long',
    ]),
    [{ name: ' \t\n ' }, '/name', 'empty'],
    ...['id', 'createdAt', 'version', 'nam', 'a/b~c'].map((field): [unknown, string, string] => [
      { [field]: 'x' },
      `/${field.replace('~', '~0').replace('/', '~1')}`,
      'unknown_field',
    ]),
    ['{"__proto__": {"name": "x"}}', '/__proto__', 'unknown_field'],
    ['[]', '', 'wrong_type'],
    ['"text"', '', 'wrong_type'],
    ['5', '', 'wrong_type'],
    ['null', '', 'wrong_type'],
    ...bad.map(([body, pointer, code]): [unknown, string, string] => [body, pointer, code]),
  ]
}

/** Requests whose bodies cannot be read at all. */
const unreadable: readonly (readonly [string, unknown, Record<string, string>, number, string])[] = [
  ['truncated', '{"name": "x', {}, 400, 'malformed_json'],
  ['empty', '', { 'content-length': '0' }, 400, 'malformed_json'],
  ['not UTF-8', new Uint8Array([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x7d]), {}, 400, 'malformed_json'],
  ['nested too deep', `{"name":${'['.repeat(21)}${']'.repeat(21)}}`, {}, 400, 'malformed_json'],
  ['nested absurdly deep', '['.repeat(100_000), {}, 400, 'malformed_json'],
  ['larger than 2 MiB', `{"name":"${'a'.repeat(2 * 1024 * 1024)}"}`, {}, 413, 'body_too_large'],
  ['plain text', 'name=x', { 'content-type': 'text/plain' }, 415, 'unsupported_content_type'],
  ['a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_content_type'],
  ['in another charset', '{"name":"x"}', { 'content-type': 'application/json; charset=latin1' }, 415, 'unsupported_content_type'],
  ['compressed', '{"name":"x"}', { 'content-encoding': 'gzip' }, 415, 'unsupported_content_type'],
]

const badQueries = [
  ['page=0', 'out_of_range'],
  ['page=-1', 'out_of_range'],
  ['page=1.5', 'out_of_range'],
  ['page=1e18', 'out_of_range'],
  ['page=1000000001', 'out_of_range'],
  ['page=99999999999999999999', 'out_of_range'],
  ['page=', 'empty'],
  ['page=1&page=1', 'repeated'],
  ['limit=0', 'out_of_range'],
  ['limit=101', 'out_of_range'],
  ['limit=ten', 'out_of_range'],
  ['limit=5&limit=6', 'repeated'],
  ['total=1', 'not_allowed'],
  ['total=', 'empty'],
  ['sort=', 'empty'],
  ['sort=createdAt', 'not_allowed'],
  ['sort=email', 'not_allowed'],
  ['sort=name,-name', 'repeated'],
  ['sort=name&sort=name', 'repeated'],
  ['sort=name,', 'not_allowed'],
  ['sort=%00', 'invalid_text'],
  ['cursor=', 'empty'],
] as const

for (const engine of engines)
  describe.each(resources)(`/v1/admin/$noun and /v1/$noun on ${engine.name}`, (resource) => {
    const { noun, id: unknownId, readScope } = resource
    /** For requests that are refused. */
    const refusing = shared(() => start(engine, resource))

    it('every request without a key: 401; without its scope: 403 insufficient_scope, before anything else is judged', async () => {
      const { verso, path, thing, state } = await refusing()
      const before = await state()
      const nearly = await verso.keyWith(
        ...(['posts:write', 'posts:publish', 'posts:delete', 'authors:read_email', 'media:write', 'changes:read'] satisfies Scope[]),
      )
      for (const [method, where, body] of [
        ['GET', path, undefined],
        ['GET', `${path}/${thing.id}`, undefined],
        ['GET', `${path}/${unknownId}`, undefined],
        ['GET', `${path}?nonsense=1`, undefined],
        ['POST', path, { name: 'x' }],
        ['POST', path, '{'],
        ['PATCH', `${path}/${thing.id}`, { name: 'x' }],
        ['PATCH', `${path}/${unknownId}`, { name: 5 }],
        ['DELETE', `${path}/${thing.id}`, undefined],
      ] as const) {
        const refused = { status: 401, code: 'unauthenticated', scope: undefined }
        for (const [key, expected] of [
          [null, refused],
          [verso.public, { status: 403, code: 'insufficient_scope', scope: `${noun}:write` }],
          [nearly, { status: 403, code: 'insufficient_scope', scope: `${noun}:write` }],
        ] as const) {
          const { body: problem } = await verso.request(method, where, { key, body })
          expect({ status: problem.status, code: problem.code, scope: problem.scope }, `${method} ${where}`).toEqual(expected)
        }
      }
      expect(await state()).toEqual(before)
    })

    it(`GET /v1/${noun} and /v1/${noun}/{id}: 403 insufficient_scope without ${readScope}, be it with admin; 200 with it alone`, async () => {
      const { verso, thing } = await refusing()
      const admin = await verso.keyWith('admin', 'media:read')
      const reader = await verso.keyWith(readScope)
      for (const where of [`/v1/${noun}`, `/v1/${noun}/${thing.id}`, `/v1/${noun}/${unknownId}`]) {
        const { status, body } = await verso.get(where, { key: admin })
        expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', readScope])
        expect((await verso.get(where, { key: reader })).status).toBe(where.endsWith(unknownId) ? 404 : 200)
      }
    })

    it('every request for another project’s: the same as for none, and nothing happens to it', async () => {
      const { verso, path, thing, state } = await start(engine, resource)
      const other = await verso.otherProject('other')
      const key = await other.keyWith('admin', 'posts:write', 'posts:delete', 'authors:read')
      const before = await state()
      for (const [method, where, body] of [
        ['GET', (id: string) => `/v1/${noun}/${id}`, undefined],
        ['HEAD', (id: string) => `/v1/${noun}/${id}`, undefined],
        ['GET', (id: string) => `${path}/${id}`, undefined],
        ['PATCH', (id: string) => `${path}/${id}`, { name: 'Mine' }],
        ['DELETE', (id: string) => `${path}/${id}`, undefined],
        ['DELETE', (id: string) => `${path}/${id}?reassign_to=${thing.id}`, undefined],
      ] as const) {
        const [foreign, none] = [
          await other.request(method, where(thing.id), { key, body }),
          await other.request(method, where(unknownId), { key, body }),
        ]
        expect(said(foreign)).toEqual(said(none))
        expect(foreign.status).toBe(404)
      }
      for (const where of [`/v1/${noun}`, path])
        expect((await other.get(where, { key })).body).toMatchObject({ data: [], pagination: { total: 0 } })
      expect(await state()).toEqual(before)
    })

    it('POST and PATCH: 422 validation_failed naming the field, for each wrong body, and nothing is kept', async () => {
      const { verso, admin, path, thing, state } = await refusing()
      const before = await state()
      for (const [body, pointer, code] of badBodies(resource)) {
        const whole = typeof body === 'string' ? body : { name: 'x', ...(body as object) }
        const shown = JSON.stringify(body).slice(0, 80)
        for (const answer of [
          await verso.post(path, whole, { key: admin }),
          await verso.patch(`${path}/${thing.id}`, body, { key: admin }),
        ]) {
          expect([answer.status, answer.body.code], shown).toEqual([422, 'validation_failed'])
          expect(faultsOf(answer), shown).toContainEqual([pointer, code])
        }
      }
      expect(await state()).toEqual(before)
    })

    it('POST: 422 without a name; PATCH: 422 for null where something is required; all faults at once', async () => {
      const { verso, admin, path, thing, state } = await refusing()
      const before = await state()
      expect(faultsOf(await verso.post(path, {}, { key: admin }))).toEqual([['/name', 'required']])
      for (const field of resource.required) {
        for (const answer of [
          await verso.post(path, { name: 'x', [field]: null }, { key: admin }),
          await verso.patch(`${path}/${thing.id}`, { [field]: null }, { key: admin }),
        ])
          expect([answer.status, ...faultsOf(answer)]).toEqual([422, [`/${field}`, 'wrong_type']])
      }
      const answer = await verso.post(path, { name: '', b: 1, a: 'x\0' }, { key: admin })
      expect(faultsOf(answer).sort()).toEqual([
        ['/a', 'unknown_field'],
        ['/b', 'unknown_field'],
        ['/name', 'empty'],
      ])
      expect(await state()).toEqual(before)
    })

    it.each(unreadable)(
      'POST and PATCH, the body %s: refused by what can be told of it, and nothing is kept',
      async (_, body, headers, status, code) => {
        const { verso, admin, path, thing, state } = await refusing()
        const before = await state()
        for (const answer of [
          await verso.post(path, body, { key: admin, headers }),
          await verso.patch(`${path}/${thing.id}`, body, { key: admin, headers }),
        ])
          expect([answer.status, answer.body.code]).toEqual([status, code])
        expect(await state()).toEqual(before)
      },
    )

    it('POST, PATCH and DELETE with a parameter that is not there: 400 unknown_parameter, and nothing is kept', async () => {
      const { verso, admin, path, thing, state } = await refusing()
      const before = await state()
      const one = `${path}/${thing.id}`
      for (const answer of [
        await verso.post(`${path}?dry=1`, { name: 'x' }, { key: admin }),
        await verso.patch(`${one}?dry=1`, { name: 'x' }, { key: admin }),
        await verso.delete(`${one}?dry=1`, { key: admin }),
        await verso.get(`${one}?dry=1`, { key: admin }),
        await verso.get(`/v1/${noun}/${thing.id}?dry=1`, { key: admin }),
      ])
        expect([answer.status, answer.body.code, faultsOf(answer)]).toEqual([400, 'unknown_parameter', [['dry', 'unknown']]])
      expect(await state()).toEqual(before)
    })

    it('the lists: 400 naming the parameter, for each wrong query', async () => {
      const { verso, admin, path } = await refusing()
      for (const where of [`/v1/${noun}`, path]) {
        for (const [query, code] of badQueries) {
          const answer = await verso.get(`${where}?${query}`, { key: admin })
          expect([answer.status, answer.body.code], query).toEqual([400, 'invalid_parameter'])
          expect(faultsOf(answer), query).toEqual([[query.split('=')[0], code]])
        }
        for (const query of ['cursor=garbage', 'cursor=W10', 'cursor=WyJhIiwiYiJd', 'cursor=%F0%9F%98%80']) {
          const answer = await verso.get(`${where}?${query}`, { key: admin })
          expect([answer.status, answer.body.code], query).toEqual([400, 'invalid_cursor'])
        }
        for (const query of ['%FF=1', 'page=%', 'page=%C3%28']) {
          const answer = await verso.get(`${where}?${query}`, { key: admin })
          expect([answer.status, answer.body.code], query).toEqual([400, 'malformed_request'])
        }
        const all = await verso.get(`${where}?page=0&limit=0&total=x`, { key: admin })
        expect(
          faultsOf(all)
            .map(([parameter]: string[]) => parameter)
            .sort(),
        ).toEqual(['limit', 'page', 'total'])
      }
    })

    it('the lists: 400 invalid_cursor for a cursor of another sort; with page, 400; another limit is no matter', async () => {
      const { verso, admin, path } = await start(engine, resource)
      for (const name of ['Second', 'Third', 'Fourth']) await verso.post(path, { name }, { key: admin })
      const { nextCursor } = (await verso.get(`/v1/${noun}?limit=1`)).body.pagination
      const other = await verso.get(`/v1/${noun}?sort=-name&cursor=${nextCursor}`)
      expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
      expect((await verso.get(`/v1/${noun}?page=1&cursor=${nextCursor}`)).status).toBe(400)
      const rest = await verso.get(`/v1/${noun}?limit=50&cursor=${nextCursor}`)
      expect(rest.body.pagination).toMatchObject({ page: null, totalPages: null, total: 4, hasMore: false, nextCursor: null })
      expect(rest.body.data).toHaveLength(3)
      expect(rest.headers.get('link')).toBe(`</v1/${noun}?limit=50>; rel="first"`)
    })

    it('DELETE while posts are being made that name it: in use or gone, and no post names what is gone', async () => {
      const { verso, admin, path } = await start(engine, resource)
      const field = noun === 'authors' ? 'authorId' : 'categoryId'
      for (let round = 0; round < 8; round++) {
        const { id } = (await verso.post(path, { name: `Round ${round}` }, { key: admin })).body
        const post = () => verso.post('/v1/posts', { title: 'x', [field]: id })
        const [first, deletion, ...rest] = await Promise.all([post(), verso.delete(`${path}/${id}`, { key: admin }), post(), post()])
        expect([204, 409]).toContain(deletion.status)
        for (const { status } of [first, ...rest]) expect(deletion.status === 409 ? [201] : [422, 201]).toContain(status)
        if (deletion.status === 204) expect([first, ...rest].map(({ status }) => status)).toEqual([422, 422, 422])
      }
    })

    it('DELETE with reassign_to while posts are being made and changed: none is lost', async () => {
      const { verso, admin, path } = await start(engine, resource)
      const field = noun === 'authors' ? 'authorId' : 'categoryId'
      const shown = noun === 'authors' ? 'author' : 'category'
      for (let round = 0; round < 4; round++) {
        const make = async (name: string) => (await verso.post(path, { name }, { key: admin })).body.id
        const [from, to] = [await make('From'), await make('To')]
        const there = (await verso.post('/v1/posts', { title: 'There', [field]: from })).body
        const [deletion, edit, ...made] = await Promise.all([
          verso.delete(`${path}/${from}?reassign_to=${to}`, { key: admin }),
          verso.patch(`/v1/posts/${there.id}`, { title: 'Edited' }),
          ...[1, 2, 3].map(() => verso.post('/v1/posts', { title: 'New', [field]: from })),
        ])
        expect(deletion.status).toBe(204)
        expect(edit.status).toBeLessThan(500)
        for (const { status } of made) expect([201, 422]).toContain(status)
        const found = (await verso.get(`/v1/posts/${there.id}`)).body
        expect([found[shown].id, found.version]).toEqual([to, edit.status === 200 ? 3 : 2])
        for (const { body } of made.filter(({ status }) => status === 201))
          expect((await verso.get(`/v1/posts/${body.id}`)).body[shown].id).toBe(to)
        expect(await gaps(verso)).toEqual([])
      }
    })

    it.each([
      [`GET /v1/${noun}`, 3],
      [`GET /v1/${noun}?limit=100&sort=-${resource.sorts.at(-1)}`, 3],
      [`GET /v1/${noun}?total=false`, 2],
      [`GET /v1/admin/${noun}?limit=100`, 3],
      [`GET /v1/${noun}/{id}`, 2],
      [`GET /v1/admin/${noun}/{id}`, 2],
    ])('%s costs %i statements, however many there are', async (request, most) => {
      const { verso, admin, path, thing } = await start(engine, resource)
      for (let n = 0; n < 30; n++) await verso.post(path, { name: `Name ${n}` }, { key: admin })
      verso.statements.length = 0
      const answer = await verso.get(request.replace('GET ', '').replace('{id}', thing.id), { key: admin })
      const counted = verso.statements.filter((sql) => !/^(?:begin|commit)/.test(sql))
      // A list needs the revision too. Whether it has moved, SQLite knows without a statement.
      const more = request.endsWith('{id}') ? engine.lookUp - 1 : engine.more
      expect([answer.status, counted.length]).toEqual([200, most + more])
    })

    it('DELETE with reassign_to: as many statements for 30 posts as for one', async () => {
      const { verso, admin, path } = await start(engine, resource)
      const cost = async (posts: number) => {
        const make = async () => (await verso.post(path, { name: 'One' }, { key: admin })).body.id
        const [from, to] = [await make(), await make()]
        const field = noun === 'authors' ? 'authorId' : 'categoryId'
        for (let n = 0; n < posts; n++) await verso.post('/v1/posts', { title: 'x', [field]: from })
        verso.statements.length = 0
        expect((await verso.delete(`${path}/${from}?reassign_to=${to}`, { key: admin })).status).toBe(204)
        return verso.statements.length
      }
      const [one, many] = [await cost(1), await cost(30)]
      expect(many).toBe(one)
      // It runs again by itself, and on PostgreSQL the first transaction begins and ends with statements, too.
      expect(one).toBeLessThanOrEqual((engine.name === 'SQLite' ? 16 : 21) + engine.lookUp)
    })

    it('DELETE with reassign_to: posts in parts, also those in the trash, with pauses for other work between them; one change for each', async () => {
      const { verso, admin, path } = await start(engine, resource)
      const make = async () => (await verso.post(path, { name: 'One' }, { key: admin })).body.id
      const [from, to] = [await make(), await make()]
      const [field, shown] = noun === 'authors' ? ['authorId', 'author'] : ['categoryId', 'category']
      const operations = Array.from({ length: 60 }, (_, n) => ({
        op: 'create',
        body: { title: `Post ${n}`, [field]: from, status: n % 2 ? 'published' : 'draft' },
      }))
      for (let n = 0; n < 2; n++) expect((await verso.post('/v1/posts/batch', { operations })).status).toBe(200)
      const { body: trashed } = await verso.post('/v1/posts', { title: 'In the trash', [field]: from })
      await verso.delete(`/v1/posts/${trashed.id}`)
      const pause = vi.spyOn(verso.app.installation.db.engine, 'pause')
      verso.statements.length = 0
      expect((await verso.delete(`${path}/${from}?reassign_to=${to}`, { key: admin })).status).toBe(204)
      expect(verso.statements.filter((text) => /^update "posts"/.test(text) && text.includes('"version"'))).toHaveLength(2)
      expect(pause.mock.calls.length).toBeGreaterThanOrEqual(4)
      expect((await verso.get(`/v1/${noun}/${to}`)).body.postCount).toBe(120)
      expect((await verso.post(`/v1/posts/${trashed.id}/restore`)).body[shown].id).toBe(to)
      expect(await gaps(verso)).toEqual([])
    })

    it('POST, PATCH and DELETE: as many statements whatever else there is', async () => {
      const { verso, admin, path } = await start(engine, resource)
      const cost = async (request: () => Promise<Answer>) => {
        verso.statements.length = 0
        const { body } = await request()
        return { body, statements: verso.statements.length }
      }
      const costs = async () => {
        const made = await cost(() => verso.post(path, { name: 'New' }, { key: admin }))
        const edited = await cost(() => verso.patch(`${path}/${made.body.id}`, { name: 'Edited' }, { key: admin }))
        const same = await cost(() => verso.patch(`${path}/${made.body.id}`, { name: 'Edited' }, { key: admin }))
        const deleted = await cost(() => verso.delete(`${path}/${made.body.id}`, { key: admin }))
        return [made, edited, same, deleted].map(({ statements }) => statements)
      }
      const alone = await costs()
      for (let n = 0; n < 20; n++) await verso.post(path, { name: `Name ${n}` }, { key: admin })
      expect(await costs()).toEqual(alone)
      // After a request that wrote nothing, an engine may remember the look-up of the key.
      const most = [8, 8, 5, 10].map((count) => count + engine.lookUp - 1)
      expect(alone.map((count, i) => Math.max(count, most[i] ?? 0))).toEqual(most)
    })
  })

/** Revisions that are missing in the log. */
async function gaps(verso: TestApp) {
  const rows = await verso.app.installation.db
    .selectFrom('changes')
    .select('seq')
    .where('project_id', '=', verso.projectId)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq }, i) => [seq, i + 1]).filter(([seq, expected]) => seq !== expected)
}
