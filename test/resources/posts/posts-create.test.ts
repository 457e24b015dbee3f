import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

const now = '2026-06-01T12:00:00.000Z'
const past = '2020-02-29T10:00:00.000Z'
const future = '2030-01-01T00:00:00.000Z'

for (const engine of engines) {
  describe(`POST /v1/posts on ${engine.name}`, () => {
    it('201 with Location, ETag and the full post: a draft where only a title is given', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.post('/v1/posts', { title: '  Hello, world ' })
      const { body: post } = answer
      expect(answer.status).toBe(201)
      expect(post).toEqual({
        id: expect.stringMatching(/^post_[0-9a-hjkmnp-tv-z]{26}$/),
        title: 'Hello, world',
        slug: 'hello-world',
        content: '',
        excerpt: null,
        status: 'draft',
        publishedAt: null,
        scheduledFor: null,
        author: null,
        category: null,
        hasPendingEdit: false,
        tags: [],
        tagSlugs: [],
        aliases: [],
        seo: { title: null, description: null, canonicalUrl: null, ogImage: null },
        createdAt: now,
        updatedAt: now,
        version: 1,
      })
      expect(answer.headers.get('location')).toBe(`/v1/posts/${post.id}`)
      expect(answer.headers.get('etag')).toBe((await verso.get(`/v1/posts/${post.id}`)).headers.get('etag'))
      expect((await verso.get(`/v1/posts/${post.id}`)).body).toEqual(post)
      expect((await verso.get('/v1/posts/hello-world')).body).toEqual(post)
    })

    it('201 with every field there is', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', email: 'ada@example.com' }, admin)
      const { body: category } = await verso.post('/v1/admin/categories', { name: 'Releases' }, admin)
      const fields = {
        title: 'All of it',
        slug: 'everything-1',
        content: '# Hi',
        excerpt: 'Short',
        status: 'published',
        tags: ['News', 'Node.js', 'Ünïcode'],
        seo: { title: 'T', description: 'D', canonicalUrl: 'https://example.com/a', ogImage: 'http://example.com/a.png' },
      }
      const sent = { ...fields, publishedAt: past, authorId: author.id, categoryId: category.id, scheduledFor: null }
      const answer = await verso.post('/v1/posts', sent)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body).toMatchObject({ ...fields, publishedAt: past, scheduledFor: null })
      expect(answer.body.author).toEqual({ id: author.id, name: 'Ada' })
      expect(answer.body.category).toEqual({ id: category.id, name: 'Releases', slug: 'releases' })
      const bySlug = await verso.post('/v1/posts', { title: 'By slug', categoryId: 'releases', authorId: null })
      expect(bySlug.body.category.id).toBe(category.id)
    })

    it('content comes back byte for byte', async () => {
      const verso = await startVerso(engine)
      const contents = [
        '\r\n a\tb \n\n',
        '\ufeff# BOM',
        'e\u0301 is not \u00e9',
        '👩‍👩‍👧 \u2028 \u200b \u0001\u001f',
        "'; drop table posts; --",
        '\\u0000 \\ "',
      ]
      for (const content of contents) {
        const { body } = await verso.post('/v1/posts', { title: 'Bytes', content })
        expect((await verso.get(`/v1/posts/${body.id}`)).body.content).toBe(content)
      }
    })

    it('texts are measured in code points, content in bytes; the longest are taken', async () => {
      const verso = await startVerso(engine)
      const longest = {
        title: '😀'.repeat(300),
        slug: 'a'.repeat(80),
        excerpt: '😀'.repeat(1_000),
        content: 'é'.repeat(512 * 1024),
        tags: Array.from({ length: 50 }, (_, i) => '😀'.repeat(78) + String(i).padStart(2, '0')),
        seo: { title: '😀'.repeat(300), description: '😀'.repeat(1_000), canonicalUrl: `https://example.com/${'a'.repeat(2_028)}` },
      }
      const answer = await verso.post('/v1/posts', longest)
      expect(answer.status, answer.text.slice(0, 500)).toBe(201)
      expect(answer.body).toMatchObject(longest)
      const { errors } = (
        await verso.post('/v1/posts', {
          title: `${longest.title}a`,
          slug: `${longest.slug}a`,
          excerpt: `${longest.excerpt}a`,
          content: `${longest.content}a`,
          tags: [...longest.tags, 'one more', `${'a'.repeat(81)}`],
          seo: { title: `${longest.seo.title}a`, description: `${longest.seo.description}a`, canonicalUrl: `${longest.seo.canonicalUrl}a` },
        })
      ).body
      expect(errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`).sort()).toEqual(
        ['/content', '/excerpt', '/seo/canonicalUrl', '/seo/description', '/seo/title', '/slug', '/tags', '/tags/51', '/title'].map(
          (pointer) => `${pointer} too_long`,
        ),
      )
    })

    it('422 names every fault at once, those of form and those of meaning', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.post('/v1/posts', {
        content: 5,
        status: 'scheduled',
        scheduledFor: past,
        authorId: 'auth_nobody',
        categoryId: 'nowhere',
        tags: ['a', ''],
        seo: { ogImage: 'ftp://example.com/a.png', keywords: 'a' },
        author: { id: 'a' },
      })
      expect(answer.body).toMatchObject({ status: 422, code: 'validation_failed' })
      const faults = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
      expect(faults.sort()).toEqual([
        '/author unknown_field',
        '/authorId not_found',
        '/categoryId not_found',
        '/content wrong_type',
        '/scheduledFor in_the_past',
        '/seo/keywords unknown_field',
        '/seo/ogImage invalid_format',
        '/tags/1 empty',
        '/title required',
      ])
    })

    it('422 says in words what a value must be', async () => {
      const verso = await startVerso(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'Previewed' })).body
      const tokens = `/v1/posts/${id}/preview-tokens`
      for (const [path, body, ...details] of [
        ['/v1/posts', [], 'The body must be an object.'],
        ['/v1/posts', { title: 5, tags: 'a' }, 'title must be a string.', 'tags must be an array or null.'],
        ['/v1/posts', { title: 'a', seo: [] }, 'seo must be an object or null.'],
        [tokens, { expiresIn: 1.5 }, 'expiresIn must be a whole number.'],
        [tokens, { expiresIn: 0 }, 'expiresIn must be at least 1.'],
        [tokens, { expiresIn: 7_776_001 }, 'expiresIn must be at most 7776000.'],
      ] as const)
        expect((await verso.post(path, body)).body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(details)
    })

    it('201 for every status with the dates that go with it', async () => {
      const verso = await startVerso(engine)
      for (const [status, dates, expected] of [
        ['draft', {}, { publishedAt: null, scheduledFor: null }],
        ['published', {}, { publishedAt: now, scheduledFor: null }],
        ['published', { publishedAt: past }, { publishedAt: past, scheduledFor: null }],
        ['published', { publishedAt: now }, { publishedAt: now, scheduledFor: null }],
        ['published', { publishedAt: null }, { publishedAt: now, scheduledFor: null }],
        ['archived', {}, { publishedAt: null, scheduledFor: null }],
        ['archived', { publishedAt: past }, { publishedAt: past, scheduledFor: null }],
        ['scheduled', { scheduledFor: future }, { publishedAt: null, scheduledFor: future }],
        ['scheduled', { scheduledFor: future, publishedAt: null }, { publishedAt: null, scheduledFor: future }],
        ['draft', { publishedAt: null, scheduledFor: null }, { publishedAt: null, scheduledFor: null }],
      ] as const) {
        const answer = await verso.post('/v1/posts', { title: 'One', status, ...dates })
        expect(answer.body, `${status} ${JSON.stringify(dates)}`).toMatchObject({ status, ...expected })
      }
    })

    it('422 unknown_field: a field with a very long name is named by its beginning', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.post('/v1/posts', { title: 'A', ['x/'.repeat(100_000)]: 1 })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual([
        { pointer: `/${'x~1'.repeat(32)}`, code: 'unknown_field', detail: expect.stringContaining('There is no field') },
      ])
    })

    it('422 unknown_field names the field that was probably meant, in every body', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      const admin = { key: await verso.keyWith('admin') }
      const detailOf = (answer: { readonly body: { readonly errors: readonly { readonly detail: string }[] } }) =>
        answer.body.errors[0]?.detail
      const said = (field: string, meant: string) => `There is no field \`${field}\` that can be set; did you mean \`${meant}\`?`
      const author = { title: 'Two', author: 'auth_1' }
      expect(detailOf(await verso.post('/v1/posts', author))).toBe(said('author', 'authorId'))
      expect(detailOf(await verso.post('/v1/posts', { title: 'Two', category: 'news' }))).toBe(said('category', 'categoryId'))
      expect(detailOf(await verso.patch('/v1/posts/one', { author: null }))).toBe(said('author', 'authorId'))
      expect(detailOf(await verso.patch('/v1/posts/one', { seo: { canonical_url: null } }))).toBe(said('canonical_url', 'canonicalUrl'))
      expect(detailOf(await verso.post('/v1/posts/batch', { operations: [{ op: 'create', body: author }] }))).toBe(
        said('author', 'authorId'),
      )
      expect(detailOf(await verso.post('/v1/admin/authors', { name: 'Ada', avatar_url: null }, admin))).toBe(
        said('avatar_url', 'avatarUrl'),
      )
      expect(detailOf(await verso.post('/v1/posts', { title: 'Two', elephants: 3 }))).toMatch(
        /^There is no field `elephants` that can be set; the fields are title, .*seo.*\.$/,
      )
      expect(detailOf(await verso.post('/v1/posts', { title: 'Two', foo: 3 }))).toContain('the fields are title, ')
    })

    it('422 with one fault for one field', async () => {
      const verso = await startVerso(engine)
      const faultsOf = async (body: object) =>
        (await verso.post('/v1/posts', body)).body.errors.map(({ pointer, code }: { pointer: string; code: string }) =>
          [pointer, code].join(' '),
        )
      const late = { title: 'x', status: 'scheduled', scheduledFor: '9999-12-31T23:59:59-01:00' }
      expect(await faultsOf(late)).toEqual(['/scheduledFor invalid_format'])
      expect(await faultsOf({ title: 'x', 'a\ud800': 1 })).toEqual(['/a\ufffd unknown_field'])
      expect(await faultsOf({ title: 'x', slug: 'a\0' })).toEqual(['/slug invalid_text'])
      expect(await faultsOf({ title: 'x', status: 'scheduled', authorId: 7, slug: '-' })).toHaveLength(3)
    })

    it('422 for a status with dates that do not go with it, and for an unknown one', async () => {
      const verso = await startVerso(engine)
      for (const [status, dates, expected] of [
        ['scheduled', {}, '/scheduledFor required'],
        ['scheduled', { scheduledFor: null }, '/scheduledFor required'],
        ['scheduled', { scheduledFor: now }, '/scheduledFor in_the_past'],
        ['scheduled', { scheduledFor: past }, '/scheduledFor in_the_past'],
        ['scheduled', { scheduledFor: future, publishedAt: past }, '/publishedAt not_allowed'],
        ['published', { publishedAt: future }, '/publishedAt in_the_future'],
        ['published', { scheduledFor: future }, '/scheduledFor not_allowed'],
        ['archived', { publishedAt: future }, '/publishedAt in_the_future'],
        ['archived', { scheduledFor: future }, '/scheduledFor not_allowed'],
        ['draft', { publishedAt: past }, '/publishedAt not_allowed'],
        ['draft', { scheduledFor: future }, '/scheduledFor not_allowed'],
        [undefined, { publishedAt: past }, '/publishedAt not_allowed'],
        [undefined, { scheduledFor: future }, '/scheduledFor not_allowed'],
        ['Scheduled', { scheduledFor: future }, '/status not_allowed'],
        [null, { publishedAt: past }, '/status wrong_type'],
      ] as const) {
        const answer = await verso.post('/v1/posts', { title: 'One', status, ...dates })
        const faults = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
        expect([answer.status, ...faults], `${status} ${JSON.stringify(dates)}`).toEqual([422, expected])
      }
    })

    it('dates are taken as RFC 3339 has them, and given back in UTC with milliseconds', async () => {
      const verso = await startVerso(engine)
      for (const [sent, given] of [
        ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
        ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
        ['2026-01-31T12:00:00.1239999Z', '2026-01-31T12:00:00.123Z'],
        ['2026-01-31T12:00:00+05:30', '2026-01-31T06:30:00.000Z'],
        ['2026-01-31T23:59:59.5-00:01', '2026-02-01T00:00:59.500Z'],
        ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
        ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
      ] as const) {
        const { body } = await verso.post('/v1/posts', { title: 'One', status: 'published', publishedAt: sent })
        expect(body.publishedAt, sent).toBe(given)
      }
    })

    it('422 for what is no date', async () => {
      const verso = await startVerso(engine)
      for (const publishedAt of [
        '2026-01-31',
        '2026-01-31T12:00:00',
        '2026-01-31 12:00:00Z',
        '2026-02-29T12:00:00Z',
        '2026-01-31T12:00:60Z',
        '2026-01-31T24:00:00Z',
        '0000-12-31T23:59:59Z',
        '0001-01-01T00:00:00+00:01',
        '+010000-01-01T00:00:00Z',
        '2026-01-31T12:00Z',
        '1767225600',
        '',
        'now',
        1_767_225_600,
        true,
      ] as const) {
        const answer = await verso.post('/v1/posts', { title: 'One', status: 'published', publishedAt })
        expect(answer.body, String(publishedAt)).toMatchObject({ status: 422, errors: [{ pointer: '/publishedAt' }] })
      }
    })

    it('the scopes that a status takes', async () => {
      const verso = await startVerso(engine)
      const writer = { key: await verso.keyWith('posts:write') }
      const publisher = { key: await verso.keyWith('posts:write', 'posts:publish') }
      const reader = { key: await verso.keyWith('posts:read_drafts', 'posts:publish') }
      const ask = (status: string, how: { key: string }) =>
        verso.post('/v1/posts', { title: 'One', status, ...(status === 'scheduled' && { scheduledFor: future }) }, how)
      for (const status of ['draft', 'archived']) expect((await ask(status, writer)).status).toBe(201)
      for (const status of ['published', 'scheduled']) {
        expect((await ask(status, writer)).body).toMatchObject({ status: 403, code: 'insufficient_scope', scope: 'posts:publish' })
        expect((await ask(status, publisher)).status).toBe(201)
      }
      expect((await ask('draft', reader)).body.scope).toBe('posts:write')
      expect((await ask('draft', { key: verso.public })).body.scope).toBe('posts:write')
    })

    it('Location and links stand under the path of VERSO_PUBLIC_URL', async () => {
      const verso = await startVerso(engine, { env: { VERSO_PUBLIC_URL: 'https://example.com/content/' } })
      const { headers, body } = await verso.post('/v1/posts', { title: 'One' })
      expect(headers.get('location')).toBe(`/content/v1/posts/${body.id}`)
      expect((await verso.get('/v1/posts?limit=1')).headers.get('link')).toContain('</content/v1/posts?limit=1&page=1>; rel="first"')
    })
  })
}
