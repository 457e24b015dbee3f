import { describe, expect, it } from 'vitest'
import { type Answer, engines, shared, startVerso, type TestEngine } from '../../harness/harness.ts'
import { logOf } from '../../harness/rows.ts'

const unknownId = 'auth_00000000000000000000000000'

/** A running Verso, and a key that administers it and may do all that the default key may. */
async function start(engine: TestEngine) {
  const verso = await startVerso(engine)
  const admin = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'posts:delete', 'authors:read_email')
  const create = async (name: string, more: object = {}): Promise<Answer['body']> => {
    const answer = await verso.post('/v1/admin/authors', { name, ...more }, { key: admin })
    expect(answer.status).toBe(201)
    return answer.body
  }
  return { verso, admin, create }
}

const names = (answer: Answer) => answer.body.data.map((author: { name: string }) => author.name)

for (const engine of engines) {
  describe(`reading authors on ${engine.name}`, () => {
    it('GET /v1/authors: 200, by name in the order of code points', async () => {
      const { verso, create } = await start(engine)
      for (const name of ['ada', 'Émile', 'Bob', 'Ada', '😀', '￿', 'bob']) await create(name)
      const answer = await verso.get('/v1/authors')
      expect(answer.status).toBe(200)
      expect(names(answer)).toEqual(['Ada', 'Bob', 'ada', 'bob', 'Émile', '￿', '😀'])
      expect(answer.body.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1, hasMore: false, nextCursor: null })
      expect(names(await verso.get('/v1/authors?sort=-name'))).toEqual(['😀', '￿', 'Émile', 'bob', 'ada', 'Bob', 'Ada'])
    })

    it('GET /v1/authors: 200 and no authors in a new project', async () => {
      const { verso } = await start(engine)
      expect((await verso.get('/v1/authors')).body.data).toEqual([])
    })

    it('GET /v1/authors?sort=created_at: 200, in the order of creation, and backwards', async () => {
      const { verso, create } = await start(engine)
      for (const [minute, name] of ['c', 'a', 'b'].entries()) {
        verso.context.travelTo(`2026-06-01T12:0${minute}:00.000Z`)
        await create(name)
      }
      expect(names(await verso.get('/v1/authors?sort=created_at'))).toEqual(['c', 'a', 'b'])
      expect(names(await verso.get('/v1/authors?sort=-created_at'))).toEqual(['b', 'a', 'c'])
    })

    it.each(['name', '-name', 'created_at', '-created_at'])(
      'GET /v1/authors?sort=%s: a cursor walks every author once, equal names and times included, while others are added',
      async (sort) => {
        const { verso, create } = await start(engine)
        const ids: string[] = []
        for (const name of ['a', 'b', 'b', 'b', 'c', 'd', 'b']) ids.push((await create(name)).id)
        const seen: string[] = []
        let cursor = ''
        do {
          const { body } = await verso.get(`/v1/authors?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`)
          seen.push(...body.data.map((author: { id: string }) => author.id))
          await create('b')
          cursor = body.pagination.nextCursor
        } while (cursor && seen.length < 50)
        expect(seen.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort())
        expect(new Set(seen).size).toBe(seen.length)
      },
    )

    it('GET /v1/authors?page=2&limit=2: 200 with the pages around it in Link; past the end no authors', async () => {
      const { verso, create } = await start(engine)
      for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
      const answer = await verso.get('/v1/authors?page=2&limit=2')
      expect(names(answer)).toEqual(['c', 'd'])
      expect(answer.body.pagination).toMatchObject({ page: 2, limit: 2, total: 5, totalPages: 3, hasMore: true })
      expect(answer.headers.get('link')).toBe(
        '</v1/authors?page=1&limit=2>; rel="first", </v1/authors?page=1&limit=2>; rel="prev", ' +
          '</v1/authors?page=3&limit=2>; rel="next", </v1/authors?page=3&limit=2>; rel="last"',
      )
      expect((await verso.get('/v1/authors?page=9&limit=2')).body.data).toEqual([])
      expect((await verso.get('/v1/authors?total=false')).body.pagination).toMatchObject({ total: null, totalPages: null, hasMore: false })
    })

    it('GET /v1/authors/{idOrSlug}: 200, the e-mail address for keys with authors:read_email alone', async () => {
      const { verso, create } = await start(engine)
      const ada = await create('Ada', { email: 'ada@example.com', bio: 'Writes.', avatarUrl: 'https://example.com/a.png' })
      const open = {
        id: ada.id,
        name: 'Ada',
        slug: 'ada',
        email: null,
        bio: 'Writes.',
        avatarUrl: 'https://example.com/a.png',
        postCount: 0,
        createdAt: '2026-06-01T12:00:00.000Z',
        updatedAt: '2026-06-01T12:00:00.000Z',
        version: 1,
      }
      const full = { ...open, email: 'ada@example.com' }
      const readers = [verso.public, await verso.keyWith('authors:read'), await verso.keyWith('admin', 'authors:read')]
      for (const key of readers) {
        expect((await verso.get(`/v1/authors/${ada.id}`, { key })).body).toEqual(open)
        expect((await verso.get('/v1/authors', { key })).body.data).toEqual([open])
      }
      for (const key of [verso.secret, await verso.keyWith('authors:read_email')]) {
        expect((await verso.get(`/v1/authors/${ada.id}`, { key })).body).toEqual(full)
        expect((await verso.get('/v1/authors', { key })).body.data).toEqual([full])
      }
    })

    it('GET /v1/authors: another ETag for those who see the e-mail addresses', async () => {
      const { verso, create } = await start(engine)
      await create('Ada', { email: 'ada@example.com' })
      const tags = []
      for (const key of [await verso.keyWith('authors:read'), await verso.keyWith('authors:read_email')])
        tags.push((await verso.get('/v1/authors', { key })).headers.get('etag'))
      expect(new Set(tags).size).toBe(2)
    })

    it('POST and PATCH /v1/admin/authors: a slug made from the name, -2 where that is taken, or the one given; 409 slug_conflict', async () => {
      const { verso, admin } = await start(engine)
      const post = (body: object) => verso.post('/v1/admin/authors', body, { key: admin })
      const made = [await post({ name: 'Ada Lovelace' }), await post({ name: 'Ada Lovelace' }), await post({ name: 'x', slug: 'mary' })]
      expect(made.map(({ body }) => body.slug)).toEqual(['ada-lovelace', 'ada-lovelace-2', 'mary'])
      const taken = await post({ name: 'x', slug: 'mary' })
      expect([taken.status, taken.body.code, taken.body.suggestion]).toEqual([409, 'slug_conflict', 'mary-2'])
      const patch = (body: object) => verso.patch('/v1/admin/authors/mary', body, { key: admin })
      expect((await patch({ name: 'Mary S.' })).body).toMatchObject({ name: 'Mary S.', slug: 'mary', version: 2 })
      expect((await patch({ slug: 'ada-lovelace' })).body).toMatchObject({ code: 'slug_conflict', suggestion: 'ada-lovelace-3' })
      expect((await patch({ slug: null })).status).toBe(422)
      expect((await patch({ slug: 'mary-s' })).body.slug).toBe('mary-s')
      expect((await verso.get('/v1/authors/mary-s', { key: verso.public })).body.id).toBe(made[2]?.body.id)
      for (const ref of ['mary', 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc']) expect((await verso.get(`/v1/authors/${ref}`)).status).toBe(404)
      expect((await verso.otherProject('other').then((other) => other.get('/v1/authors/mary-s'))).status).toBe(404)
      const reassigned = await verso.delete('/v1/admin/authors/mary-s?reassign_to=ada-lovelace', { key: admin })
      expect(reassigned.status).toBe(204)
    })

    it('GET /v1/authors: postCount is the number of posts that the key can see', async () => {
      const { verso, create } = await start(engine)
      const ada = await create('Ada')
      await create('Bob')
      for (const status of ['published', 'draft', 'published']) await verso.post('/v1/posts', { title: 'x', status, authorId: ada.id })
      const countsFor = async (key: string) =>
        (await verso.get('/v1/authors', { key })).body.data.map((each: { postCount: number }) => each.postCount)
      expect([await countsFor(verso.public), await countsFor(verso.secret)]).toEqual([
        [2, 0],
        [3, 0],
      ])
      expect((await verso.get('/v1/authors/ada', { key: verso.public })).body.postCount).toBe(2)
      const { data } = (await verso.get('/v1/changes')).body
      expect(data[0]).toMatchObject({ type: 'author', data: { slug: expect.stringMatching(/^(?:ada|bob)$/) } })
      expect(data[0].data).not.toHaveProperty('postCount')
    })

    it('HEAD /v1/authors and /v1/authors/{idOrSlug}: the headers of GET and no body', async () => {
      const { verso, create } = await start(engine)
      const { id } = await create('Ada')
      for (const path of ['/v1/authors', `/v1/authors/${id}`]) {
        const [get, head] = [await verso.get(path), await verso.request('HEAD', path)]
        expect([head.status, head.text]).toEqual([200, ''])
        for (const name of ['etag', 'link', 'cache-control', 'content-type', 'content-length', 'vary'])
          expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
    })

    const reading = shared(async () => {
      const { verso, admin, create } = await start(engine)
      return { verso, admin, ada: await create('Ada') }
    })

    it.each([unknownId, 'auth_', 'nobody', 'Ada', 'post_00000000000000000000000000', '%00', 'auth_%00', '%F0%9F%98%80', '__proto__'])(
      'GET /v1/authors/%s: 404 not_found',
      async (id) => {
        const { verso } = await reading()
        const answer = await verso.get(`/v1/authors/${id}`)
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      },
    )

    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
      '%s /v1/authors and /v1/authors/{idOrSlug}: 405, for authors are read-only here',
      async (method) => {
        const { verso, admin, ada } = await reading()
        for (const path of ['/v1/authors', `/v1/authors/${ada.id}`, `/v1/authors/${unknownId}`]) {
          const answer = await verso.request(method, path, { key: admin, ...(method !== 'DELETE' && { body: { name: 'Bob' } }) })
          expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
        }
        expect(names(await verso.get('/v1/authors'))).toEqual(['Ada'])
      },
    )

    it('GET /v1/authors?status=draft: 400 unknown_parameter; one author takes no parameter at all', async () => {
      const { verso, create } = await start(engine)
      const { id } = await create('Ada')
      for (const path of ['/v1/authors?status=draft', '/v1/authors?search=a', '/v1/authors?fields=id', `/v1/authors/${id}?fields=id`]) {
        const answer = await verso.get(path)
        expect([answer.status, answer.body.code]).toEqual([400, 'unknown_parameter'])
      }
    })

    it('GET /v1/authors: 304 by one look-up while nothing changed, and the new list once something has', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      for (const key of [verso.public, verso.secret]) {
        const tag = (await verso.get('/v1/authors', { key })).headers.get('etag') ?? ''
        verso.statements.length = 0
        const again = await verso.get('/v1/authors', { key, headers: { 'if-none-match': tag } })
        expect([again.status, again.text]).toEqual([304, ''])
        expect(verso.statements.length).toBeLessThanOrEqual(engine.lookUp)
        await verso.patch(`/v1/admin/authors/${id}`, { bio: `for ${key}` }, { key: admin })
        expect((await verso.get('/v1/authors', { key, headers: { 'if-none-match': tag } })).status).toBe(200)
      }
    })

    it('GET /v1/posts: the author is exactly { id, name }, and who renames an author changes the ETags of posts', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada', { email: 'ada@example.com' })
      const post = (await verso.post('/v1/posts', { title: 'Engines', status: 'published', authorId: id })).body
      expect(post.author).toEqual({ id, name: 'Ada' })
      const key = verso.public
      const [list, one] = [await verso.get('/v1/posts', { key }), await verso.get('/v1/posts/engines', { key })]
      await verso.patch(`/v1/admin/authors/${id}`, { name: 'Ada L.' }, { key: admin })
      for (const [path, before] of [['/v1/posts', list] as const, ['/v1/posts/engines', one] as const]) {
        const after = await verso.get(path, { key, headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
        expect(after.status).toBe(200)
        expect((after.body.data?.[0] ?? after.body).author).toEqual({ id, name: 'Ada L.' })
      }
      expect((await verso.get(`/v1/posts/${post.id}`)).body.version).toBe(1)
    })
  })

  describe(`administering authors on ${engine.name}`, () => {
    it('POST /v1/admin/authors: 201 with Location, ETag and the author, everything but the name null', async () => {
      const { verso, admin } = await start(engine)
      const answer = await verso.post('/v1/admin/authors', { name: '  Ada Lovelace ' }, { key: admin })
      const { id, ...rest } = answer.body
      expect(answer.status).toBe(201)
      expect(id).toMatch(/^auth_[0-9a-z]{26}$/)
      const at = '2026-06-01T12:00:00.000Z'
      const empty = { email: null, bio: null, avatarUrl: null, postCount: 0 }
      expect(rest).toEqual({ name: 'Ada Lovelace', slug: 'ada-lovelace', ...empty, createdAt: at, updatedAt: at, version: 1 })
      expect(answer.headers.get('location')).toBe(`/v1/admin/authors/${id}`)
      expect(answer.headers.get('etag')).toMatch(/^"1\./)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect((await verso.get(answer.headers.get('location') ?? '', { key: admin })).text).toBe(answer.text)
      expect(await logOf(verso, id)).toEqual([['author.created', 1, 0, 1]])
    })

    it('POST /v1/admin/authors: 201 for two of one name; the longest values are kept as they are', async () => {
      const { create } = await start(engine)
      const most = {
        email: `${'é'.repeat(242)}@example.com`,
        bio: '😀'.repeat(10_000),
        avatarUrl: `https://example.com/${'a'.repeat(2_028)}`,
      }
      const first = await create('😀'.repeat(300), most)
      expect(await create('😀'.repeat(300), most)).toMatchObject({ ...most, name: first.name })
    })

    it('GET /v1/admin/authors and /v1/admin/authors/{idOrSlug}: 200 with e-mail addresses, whatever else the key may see', async () => {
      const { verso, create } = await start(engine)
      const ada = await create('Ada', { email: 'ada@example.com' })
      const key = await verso.keyWith('admin')
      expect((await verso.get('/v1/admin/authors', { key })).body.data).toEqual([ada])
      expect((await verso.get(`/v1/admin/authors/${ada.id}`, { key })).body).toEqual(ada)
      expect((await verso.patch(`/v1/admin/authors/${ada.id}`, { bio: 'x' }, { key })).body.email).toBe('ada@example.com')
    })

    it('PATCH /v1/admin/authors/{idOrSlug}: 200, what is not named stays and null clears', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada', { email: 'ada@example.com', bio: 'Writes.' })
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const answer = await verso.patch(`/v1/admin/authors/${id}`, { name: ' Bob ', email: null }, { key: admin })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ name: 'Bob', email: null, bio: 'Writes.', version: 2, updatedAt: '2026-06-02T00:00:00.000Z' })
      expect(answer.body.createdAt).toBe('2026-06-01T12:00:00.000Z')
      expect(answer.headers.get('etag')).toMatch(/^"2\./)
      expect(await logOf(verso, id)).toEqual([
        ['author.created', 1, 0, 1],
        ['author.updated', 2, 1, 1],
      ])
    })

    it('PATCH /v1/admin/authors/{idOrSlug}: 200 for a merge patch by its own content type', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const headers = { 'content-type': 'application/merge-patch+json' }
      expect((await verso.patch(`/v1/admin/authors/${id}`, { bio: 'x' }, { key: admin, headers })).body.version).toBe(2)
    })

    it.each([{}, { name: 'Ada' }, { name: ' Ada ' }, { email: null, bio: 'Writes.' }])(
      'PATCH /v1/admin/authors/{idOrSlug} with %j: 200, the same version and nothing in the log, for nothing changed',
      async (patch) => {
        const { verso, admin, create } = await start(engine)
        const { id } = await create('Ada', { bio: 'Writes.' })
        verso.context.travelTo('2026-06-02T00:00:00Z')
        const answer = await verso.patch(`/v1/admin/authors/${id}`, patch, { key: admin })
        expect([answer.status, answer.body.version, answer.body.updatedAt]).toEqual([200, 1, '2026-06-01T12:00:00.000Z'])
        expect(await logOf(verso, id)).toHaveLength(1)
      },
    )

    it('PATCH and DELETE /v1/admin/authors/{idOrSlug}: 412 stale_version with the present one, before the body is judged', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const path = `/v1/admin/authors/${id}`
      for (const tag of ['"2"', '"2.abc"', 'W/"7"', '"x"']) {
        const asked = { key: admin, headers: { 'if-match': tag } }
        for (const answer of [await verso.patch(path, { name: 5 }, asked), await verso.delete(path, asked)])
          expect([answer.status, answer.body.code, answer.body.version]).toEqual([412, 'stale_version', 1])
      }
      const etag = (await verso.get(path, { key: admin })).headers.get('etag') ?? ''
      for (const tag of [etag, '"1"', 'W/"1.other"', '*', '"9", "1"', etag])
        expect((await verso.patch(path, { bio: null }, { key: admin, headers: { 'if-match': tag } })).status).toBe(200)
      expect((await verso.delete(path, { key: admin, headers: { 'if-match': etag } })).status).toBe(204)
    })

    it('DELETE /v1/admin/authors/{idOrSlug}: 204, gone everywhere, and 204 again; 404 for an id that never was', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const path = `/v1/admin/authors/${id}`
      expect((await verso.delete(path, { key: admin })).status).toBe(204)
      expect((await verso.delete(path, { key: admin })).status).toBe(204)
      expect((await verso.delete(`${path}?reassign_to=${id}`, { key: admin })).status).toBe(204)
      for (const answer of [
        await verso.get(path, { key: admin }),
        await verso.get(`/v1/authors/${id}`),
        await verso.patch(path, {}, { key: admin }),
        await verso.delete(`/v1/admin/authors/${unknownId}`, { key: admin }),
      ])
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      expect(await logOf(verso, id)).toEqual([
        ['author.created', 1, 0, 1],
        ['author.deleted', 2, 1, 0],
      ])
    })

    it('DELETE /v1/admin/authors/{idOrSlug}: 409 in_use while a post names the author, be it in the trash; 204 once none does', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const path = `/v1/admin/authors/${id}`
      const post = (await verso.post('/v1/posts', { title: 'Engines', authorId: id })).body
      const refused = async () => {
        const answer = await verso.delete(path, { key: admin })
        expect([answer.status, answer.body.code]).toEqual([409, 'in_use'])
        expect(answer.body.detail).toContain('reassign_to')
        expect((await verso.get(path, { key: admin })).body.version).toBe(1)
      }
      await refused()
      await verso.delete(`/v1/posts/${post.id}`)
      await refused()
      await verso.delete(`/v1/posts/${post.id}?permanent=true`)
      expect((await verso.delete(path, { key: admin })).status).toBe(204)
    })

    it('DELETE /v1/admin/authors/{idOrSlug}: 204 when the posts that named the author are gone from the trash for good, purged or not', async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const post = (await verso.post('/v1/posts', { title: 'Engines', authorId: id })).body
      await verso.delete(`/v1/posts/${post.id}`)
      verso.context.travelTo('2026-07-01T12:00:00.000Z')
      expect((await verso.delete(`/v1/admin/authors/${id}`, { key: admin })).status).toBe(204)
      expect(await logOf(verso, post.id)).toHaveLength(2)
    })

    it('DELETE /v1/admin/authors/{idOrSlug}?reassign_to={id}: 204, every post is changed and kept as a revision, others are left alone', async () => {
      const { verso, admin, create } = await start(engine)
      const [ada, bob] = [await create('Ada'), await create('Bob')]
      const make = async (body: object) => (await verso.post('/v1/posts', body)).body
      const published = await make({ title: 'Out', authorId: ada.id, status: 'published', tags: ['a'] })
      const draft = await make({ title: 'Draft', authorId: ada.id, content: '# Kept' })
      const other = await make({ title: 'Other', authorId: bob.id })
      const trashed = await make({ title: 'Trashed', authorId: ada.id, status: 'published' })
      await verso.delete(`/v1/posts/${trashed.id}`)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect((await verso.delete(`/v1/admin/authors/${ada.id}?reassign_to=${bob.id}`, { key: admin })).status).toBe(204)
      const author = { id: bob.id, name: 'Bob' }
      const updatedAt = '2026-06-02T00:00:00.000Z'
      for (const post of [published, draft])
        expect((await verso.get(`/v1/posts/${post.id}`)).body).toEqual({ ...post, author, updatedAt, version: 2 })
      expect((await verso.get(`/v1/posts/${other.id}`)).body).toEqual(other)
      expect((await verso.post(`/v1/posts/${trashed.id}/restore`)).body).toMatchObject({ author, version: 4, status: 'published' })
      expect((await logOf(verso, published.id)).at(-1)).toEqual(['post.updated', 2, 1, 1])
      expect((await logOf(verso, draft.id)).at(-1)).toEqual(['post.updated', 2, 0, 0])
      expect((await logOf(verso, trashed.id)).at(-2)).toEqual(['', 3, 0, 0])
      expect((await logOf(verso, ada.id)).at(-1)).toEqual(['author.deleted', 2, 1, 0])
      const revisions = await verso.app.installation.db
        .selectFrom('post_revisions')
        .selectAll()
        .where('post_id', '=', draft.id)
        .orderBy('version')
        .execute()
      const [before, after] = revisions.map(({ snapshot, row_hash, ...row }) => ({ ...row, ...JSON.parse(snapshot) }))
      expect(after).toEqual({ ...before, version: 2, authorId: bob.id, created_at: updatedAt, actor: expect.stringMatching(/^key_/) })
    })

    it('DELETE /v1/admin/authors/{idOrSlug}?reassign_to={id}: revisions go on without gap or repeat, for more posts than one statement takes', async () => {
      const { verso, admin, create } = await start(engine)
      const [ada, bob] = [await create('Ada'), await create('Bob')]
      for (let n = 0; n < 450; n++) await verso.post('/v1/posts', { title: `Post ${n}`, authorId: ada.id })
      expect((await verso.delete(`/v1/admin/authors/${ada.id}?reassign_to=${bob.id}`, { key: admin })).status).toBe(204)
      const { db } = verso.app.installation
      const seqs = (await db.selectFrom('changes').select('seq').orderBy('seq').execute()).map((row) => row.seq)
      expect(seqs).toEqual(seqs.map((_, i) => i + 1))
      expect(seqs).toHaveLength(2 + 450 + 450 + 1)
      expect(await db.selectFrom('post_revisions').select('version').where('version', '=', 2).execute()).toHaveLength(450)
      expect((await verso.get(`/v1/posts?author=${bob.id}&limit=1`)).body.pagination.total).toBe(450)
    })

    const refusing = shared(async () => {
      const { verso, admin, create } = await start(engine)
      const { id } = await create('Ada')
      const other = await verso.otherProject('other')
      const foreign = (await other.post('/v1/admin/authors', { name: 'Eve' }, { key: await other.keyWith('admin') })).body.id
      return { verso, admin, id, foreign }
    })

    it.each([
      ['reassign_to=', 'empty'],
      ['reassign_to=a&reassign_to=b', 'repeated'],
      ['reassign_to=%00', 'invalid_text'],
      [`reassign_to=${unknownId}`, 'not_found'],
      ['reassign_to=bob', 'not_found'],
      ['reassign_to=SELF', 'not_allowed'],
      ['reassign_to=FOREIGN', 'not_found'],
      ['reasign_to=x', 'unknown'],
      ['permanent=true', 'unknown'],
    ])('DELETE /v1/admin/authors/{idOrSlug}?%s: 400 (%s), and the author stays', async (query, code) => {
      const { verso, admin, id, foreign } = await refusing()
      const asked = query.replace('SELF', id).replace('FOREIGN', foreign)
      const answer = await verso.delete(`/v1/admin/authors/${id}?${asked}`, { key: admin })
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, code])
      expect((await verso.get(`/v1/authors/${id}`)).status).toBe(200)
    })
  })
}
