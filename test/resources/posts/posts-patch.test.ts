import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

const past = '2020-02-29T10:00:00.000Z'
const future = '2030-01-01T00:00:00.000Z'

for (const engine of engines) {
  describe(`PATCH /v1/posts/{idOrSlug} on ${engine.name}`, () => {
    it('200 with the whole post, a new version and its ETag; by id and by slug', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', tags: ['a'], seo: { title: 'T', description: 'D' } })
      verso.context.travelTo('2026-06-01T12:00:01.500Z')
      const answer = await verso.patch('/v1/posts/one', { excerpt: 'Short', seo: { title: null, ogImage: 'https://a.example/' } })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        ...post,
        excerpt: 'Short',
        seo: { title: null, description: 'D', canonicalUrl: null, ogImage: 'https://a.example/' },
        updatedAt: '2026-06-01T12:00:01.500Z',
        version: 2,
      })
      const read = await verso.get(`/v1/posts/${post.id}`)
      expect(answer.headers.get('etag')).toBe(read.headers.get('etag'))
      expect(read.body).toEqual(answer.body)
      expect((await verso.patch(`/v1/posts/${post.id}`, { content: 'x' })).body).toMatchObject({ content: 'x', version: 3 })
    })

    it('null clears what may be empty, and is 422 for title, slug and status', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const author = await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
      await verso.post('/v1/admin/categories', { name: 'News' }, admin)
      await verso.post('/v1/posts', {
        title: 'One',
        content: 'x',
        excerpt: 'x',
        tags: ['x'],
        authorId: author.body.id,
        categoryId: 'news',
        seo: { title: 'x', canonicalUrl: 'https://a.example/' },
      })
      const cleared = {
        content: null,
        excerpt: null,
        tags: null,
        authorId: null,
        categoryId: null,
        seo: null,
        publishedAt: null,
        scheduledFor: null,
      }
      expect((await verso.patch('/v1/posts/one', cleared)).body).toMatchObject({
        content: '',
        excerpt: null,
        tags: [],
        author: null,
        category: null,
        seo: { title: null, description: null, canonicalUrl: null, ogImage: null },
      })
      const refused = await verso.patch('/v1/posts/one', { title: null, slug: null, status: null })
      expect(refused.body).toMatchObject({ status: 422, errors: [{ pointer: '/title' }, { pointer: '/slug' }, { pointer: '/status' }] })
    })

    it('422 for every field that is only read', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      for (const name of ['id', 'author', 'category', 'createdAt', 'updatedAt', 'version']) {
        const answer = await verso.patch('/v1/posts/one', { [name]: post[name] })
        expect(answer.body, name).toMatchObject({ status: 422, errors: [{ pointer: `/${name}`, code: 'unknown_field' }] })
      }
    })

    it('a patch that changes nothing is 200 with the same version and no trace', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published', tags: ['a', 'A'], content: 'x' })
      const before = await verso.get('/v1/posts')
      verso.context.travelTo('2026-07-01T00:00:00Z')
      const { publishedAt } = post
      const same = { title: ' One ', slug: 'one', tags: ['a', 'A'], content: 'x', status: 'published', publishedAt, seo: {}, excerpt: null }
      for (const patch of [{}, same, { seo: { title: null } }, { status: 'published' }, { authorId: null, scheduledFor: null }]) {
        const answer = await verso.patch('/v1/posts/one', patch)
        expect(answer.body).toEqual(post)
        expect(answer.headers.get('etag')).toMatch(/^"1\./)
      }
      expect((await verso.get('/v1/posts', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })).status).toBe(304)
      const { db } = verso.app.installation
      expect(await db.selectFrom('changes').select('seq').execute()).toHaveLength(1)
      expect(await db.selectFrom('post_revisions').select('version').execute()).toHaveLength(1)
    })

    it('PATCH /v1/posts/{id}: 412 stale_version for If-Match without quotes, and the detail says so', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const patch = (ifMatch: string) => verso.patch('/v1/posts/one', { excerpt: 'x' }, { headers: { 'if-match': ifMatch } })
      const { body } = await patch('1')
      expect(body).toMatchObject({ status: 412, code: 'stale_version', version: 1 })
      expect(body.detail).toContain('needs quotes: write "1"')
      expect((await patch('"1"')).status).toBe(200)
    })

    it('If-Match looks at the version alone, weak or not; stale is 412 with the current version, and nothing is kept', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const etag = (await verso.patch('/v1/posts/one', { excerpt: '2' })).headers.get('etag') ?? ''
      const patch = (ifMatch: string) => verso.patch('/v1/posts/one', { excerpt: ifMatch }, { headers: { 'if-match': ifMatch } })
      for (const stale of ['"1"', '"3.abc"', `"1", "3"`, '"other"', '2', 'W/"22"', '""', '"02"', '"2x"']) {
        const answer = await patch(stale)
        expect(answer.body, stale).toMatchObject({ status: 412, code: 'stale_version', version: 2 })
      }
      expect((await verso.get('/v1/posts/one')).body).toMatchObject({ version: 2, excerpt: '2' })
      let version = 2
      for (const form of [
        () => etag,
        () => `W/"${version}.x"`,
        () => `"1", "${version}"`,
        () => `"${version}.other"`,
        () => '*',
        () => ' * ',
      ]) {
        expect((await patch(form())).body.version, form()).toBe(++version)
      }
      const unchanged = await verso.patch('/v1/posts/one', {}, { headers: { 'if-match': '"1"' } })
      expect(unchanged.status).toBe(412)
    })

    it('of many who change one version one succeeds, and the others are told so', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const headers = { 'if-match': '"1"' }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => verso.patch('/v1/posts/one', { excerpt: `${i}` }, { headers })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)])
      const without = await Promise.all(Array.from({ length: 20 }, (_, i) => verso.patch('/v1/posts/one', { excerpt: `again ${i}` })))
      expect(without.map(({ status }) => status)).toEqual(without.map(() => 200))
      expect(without.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 3))
    })

    it('dates that do not go with the status are 422', async () => {
      const verso = await startVerso(engine)
      const states = { draft: {}, published: {}, archived: {}, scheduled: { scheduledFor: future } }
      for (const [status, more] of Object.entries(states)) await verso.post('/v1/posts', { title: status, status, ...more })
      const refused = [
        ['draft', { publishedAt: past }, 'not_allowed'],
        ['draft', { scheduledFor: future }, 'not_allowed'],
        ['draft', { status: 'scheduled' }, 'required'],
        ['draft', { status: 'scheduled', scheduledFor: past }, 'in_the_past'],
        ['scheduled', { scheduledFor: null }, 'required'],
        ['scheduled', { scheduledFor: past }, 'in_the_past'],
        ['scheduled', { publishedAt: past }, 'not_allowed'],
        ['scheduled', { status: 'draft', scheduledFor: future }, 'not_allowed'],
        ['published', { publishedAt: null }, 'required'],
        ['published', { publishedAt: future }, 'in_the_future'],
        ['published', { scheduledFor: future }, 'not_allowed'],
        ['archived', { publishedAt: future }, 'in_the_future'],
        ['archived', { scheduledFor: future }, 'not_allowed'],
      ] as const
      for (const [slug, patch, code] of refused) {
        const { body } = await verso.patch(`/v1/posts/${slug}`, patch)
        expect(body, `${slug} ${JSON.stringify(patch)}`).toMatchObject({ status: 422, errors: [{ code }] })
      }
      const taken = [
        ['draft', { publishedAt: null, scheduledFor: null }, 1],
        ['published', { publishedAt: past }, 2],
        ['published', { scheduledFor: null }, 2],
        ['archived', { publishedAt: past }, 2],
        ['archived', { publishedAt: null }, 3],
        ['scheduled', { status: 'scheduled' }, 1],
        ['scheduled', { scheduledFor: '2031-01-01T00:00:00Z' }, 2],
        ['scheduled', { status: 'draft', scheduledFor: null }, 3],
      ] as const
      for (const [slug, patch, version] of taken) {
        const answer = await verso.patch(`/v1/posts/${slug}`, patch)
        expect([answer.status, answer.body.version], `${slug} ${JSON.stringify(patch)}`).toEqual([200, version])
      }
    })

    it('what is or becomes published or scheduled needs posts:publish', async () => {
      const verso = await startVerso(engine)
      const writer = { key: await verso.keyWith('posts:write') }
      const publisher = { key: await verso.keyWith('posts:write', 'posts:publish') }
      await verso.post('/v1/posts', { title: 'One' })
      const status = async (patch: object, how: { key: string }) => (await verso.patch('/v1/posts/one', patch, how)).status
      expect(await status({ title: 'x' }, writer)).toBe(200)
      expect(await status({ status: 'archived' }, writer)).toBe(200)
      expect(await status({ status: 'published' }, writer)).toBe(403)
      expect(await status({ status: 'scheduled', scheduledFor: future }, writer)).toBe(403)
      expect(await status({ status: 'published' }, publisher)).toBe(200)
      for (const patch of [{ title: 'y' }, { status: 'draft' }, { status: 'archived' }, {}]) expect(await status(patch, writer)).toBe(403)
      expect(await status({ status: 'scheduled', scheduledFor: future }, publisher)).toBe(200)
      expect(await status({ status: 'draft' }, writer)).toBe(403)
      expect(await status({ title: 'z' }, { key: verso.public })).toBe(403)
      expect((await verso.patch('/v1/posts/none', { status: 'published' }, writer)).body.scope).toBe('posts:publish')
      expect((await verso.patch('/v1/posts/none', { title: 'z' }, writer)).status).toBe(404)
    })

    it('every change leaves a row in the log and a revision of the post as it then stood', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', content: 'first' })
      await verso.patch('/v1/posts/one', { content: 'second' })
      await verso.patch('/v1/posts/one', { status: 'published', content: 'first' })
      await verso.patch('/v1/posts/one', { status: 'scheduled', scheduledFor: future })
      await verso.patch('/v1/posts/one', { scheduledFor: '2031-01-01T00:00:00Z' })
      await verso.patch('/v1/posts/one', { status: 'archived' })
      await verso.patch('/v1/posts/one', { status: 'draft', title: 'x' })
      await verso.delete('/v1/posts/one')
      const { db } = verso.app.installation
      const rows = await db.selectFrom('changes').selectAll().orderBy('seq').execute()
      expect(
        rows.map((row) => [Number(row.seq), row.resource_id, Number(row.version), row.news, row.public_before, row.public_after]),
      ).toEqual([
        [1, post.id, 1, 'post.created', 0, 0],
        [2, post.id, 2, 'post.updated', 0, 0],
        [3, post.id, 3, 'post.published post.updated', 0, 1],
        [4, post.id, 4, 'post.unpublished post.scheduled', 1, 0],
        [5, post.id, 5, 'post.scheduled', 0, 0],
        [6, post.id, 6, 'post.archived', 0, 0],
        [7, post.id, 7, 'post.updated', 0, 0],
        [8, post.id, 8, 'post.deleted', 0, 0],
      ])
      expect(new Set(rows.map(({ actor }) => actor))).toEqual(
        new Set([(await db.selectFrom('api_keys').select('id').where('kind', '=', 'secret').executeTakeFirstOrThrow()).id]),
      )
      const revisions = await db.selectFrom('post_revisions').selectAll().orderBy('version').execute()
      expect(revisions.map(({ version }) => Number(version))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(revisions.map(({ content_hash }) => content_hash).indexOf(revisions[2]?.content_hash ?? '')).toBe(0)
      expect(await db.selectFrom('contents').select('hash').execute()).toHaveLength(2)
      expect(JSON.parse(revisions[2]?.snapshot ?? '')).toMatchObject({ title: 'One', status: 'published', tags: [] })
    })
  })
}
