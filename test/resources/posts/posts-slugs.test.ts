import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

for (const engine of engines) {
  describe(`slugs of posts on ${engine.name}`, () => {
    it('made once from the title, and never rewritten when the title changes', async () => {
      const verso = await startVerso(engine)
      const titles = [
        ['Hello, World!', 'hello-world'],
        ["Don't panic & carry on", 'dont-panic-and-carry-on'],
        ['Größe und Äpfel', 'grosse-und-apfel'],
        ['Привет мир', 'privet-mir'],
        ['Καλημέρα', 'kalimera'],
        ['C++ 20', 'c-20'],
      ] as const
      for (const [title, slug] of titles) {
        expect((await verso.post('/v1/posts', { title })).body.slug, title).toBe(slug)
        expect((await verso.patch(`/v1/posts/${slug}`, { title: 'Something else' })).body).toMatchObject({ title: 'Something else', slug })
      }
      expect((await verso.post('/v1/posts', { title: '日本語' })).body.slug).toMatch(/^post-[a-z0-9]{6}$/)
      const long = (await verso.post('/v1/posts', { title: `${'word '.repeat(15)}${'x'.repeat(50)}` })).body.slug
      expect(long).toBe(Array(15).fill('word').join('-'))
    })

    it('what only begins alike is not in the way of a made slug', async () => {
      const verso = await startVerso(engine)
      const create = async (title: string) => (await verso.post('/v1/posts', { title })).body.slug
      const titles = ['One', 'One two', 'One 2', 'One', 'One 12 3', 'One', 'One 2']
      const slugs = []
      for (const title of titles) slugs.push(await create(title))
      expect(slugs).toEqual(['one', 'one-two', 'one-2', 'one-3', 'one-12-3', 'one-4', 'one-2-2'])
    })

    it('a made slug that is or was taken gets -2, -3, …', async () => {
      const verso = await startVerso(engine)
      const create = async (title: string) => (await verso.post('/v1/posts', { title, status: 'published' })).body.slug
      expect([await create('One'), await create('One'), await create('ONE!')]).toEqual(['one', 'one-2', 'one-3'])
      await verso.patch('/v1/posts/one-2', { slug: 'two' })
      expect(await create('One')).toBe('one-4')
      await verso.delete('/v1/posts/one')
      expect(await create('One')).toBe('one')
      await verso.post('/v1/posts', { title: 'x', slug: 'one-5' })
      expect(await create('One')).toBe('one-6')
      const edge = 'a'.repeat(80)
      expect([await create(edge), await create(edge)]).toEqual([edge, `${'a'.repeat(78)}-2`])
      const long = 'How we moved an entire newsroom of forty people to a static site in one weekend'
      const words = 'how-we-moved-an-entire-newsroom-of-forty-people-to-a-static-site-in-one'
      expect([await create(long), await create(long), await create(long)]).toEqual([`${words}-weekend`, `${words}-2`, `${words}-3`])
      expect((await verso.post('/v1/posts', { title: 'x', slug: `${words}-weekend` })).body.suggestion).toBe(`${words}-4`)
    })

    it('POST and PATCH: an explicit slug that is taken is 409 slug_conflict with one that is free', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.post('/v1/posts', { title: 'Two' })
      const answers = [
        await verso.post('/v1/posts', { title: 'x', slug: 'one' }),
        await verso.patch('/v1/posts/two', { slug: 'one', title: 'x' }),
      ]
      for (const { body } of answers) {
        expect(body).toMatchObject({
          status: 409,
          code: 'slug_conflict',
          suggestion: 'one-2',
          errors: [{ pointer: '/slug', code: 'taken' }],
        })
      }
      expect((await verso.get('/v1/posts?sort=slug')).body.data).toMatchObject([{ slug: 'one' }, { slug: 'two', title: 'Two', version: 1 }])
      expect((await verso.patch('/v1/posts/two', { slug: 'one-2' })).body.slug).toBe('one-2')
      expect((await verso.patch('/v1/posts/one-2', { slug: 'one-2' })).body.version).toBe(2)
    })

    it('422 for what is no slug', async () => {
      const verso = await startVerso(engine)
      for (const slug of ['', 'A', 'a--b', '-a', 'a-', 'a_b', 'a b', 'é', 'a/b', 'a.b', 'a\n', 'post_1', 'a'.repeat(81), null, 5, ['a']]) {
        const answer = await verso.post('/v1/posts', { title: 'One', slug })
        expect(answer.status, String(slug)).toBe(422)
        expect(answer.body.errors[0].pointer).toBe('/slug')
      }
    })

    it('422 says in words what a slug has', async () => {
      const verso = await startVerso(engine)
      const { body } = await verso.post('/v1/posts', { title: 'One', slug: 'Bad Slug!' })
      expect(body.detail).toBe('slug must have a to z, 0 to 9 and single hyphens between them only, such as hello-world.')
    })

    it('a hundred simultaneous creates of one title give a hundred slugs, rows and revisions without gap or repeat', async () => {
      const verso = await startVerso(engine)
      const created = await Promise.all(Array.from({ length: 100 }, () => verso.post('/v1/posts', { title: 'Same', tags: ['same'] })))
      expect(created.map(({ status }) => status)).toEqual(created.map(() => 201))
      const slugs = ['same', ...Array.from({ length: 99 }, (_, i) => `same-${i + 2}`)]
      expect(created.map(({ body }) => body.slug).sort()).toEqual(slugs.sort())
      const { db } = verso.app.installation
      const changes = await db.selectFrom('changes').selectAll().orderBy('seq').execute()
      expect(changes.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
      expect(new Set(changes.map(({ resource_id }) => resource_id)).size).toBe(100)
      const state = await db.selectFrom('project_state').selectAll().executeTakeFirstOrThrow()
      expect([Number(state.revision), Number(state.public_revision)]).toEqual([100, 0])
      expect((await verso.get('/v1/posts?tag=same')).body.pagination.total).toBe(100)
      expect((await verso.get('/v1/tags')).body.data).toMatchObject([{ slug: 'same', postCount: 100 }])
      expect(await db.selectFrom('post_revisions').select('version').execute()).toHaveLength(100)
    })

    it('of many at once who want one slug one gets it and the others 409, in POST, PATCH and restore', async () => {
      const verso = await startVerso(engine)
      const ids: string[] = []
      for (let i = 0; i < 10; i++) ids.push((await verso.post('/v1/posts', { title: 'Mine', status: 'published' })).body.id)
      const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()
      const others = Array(9).fill(409)
      const created = await Promise.all(ids.map((_, i) => verso.post('/v1/posts', { title: `New ${i}`, slug: 'wanted' })))
      expect(statuses(created)).toEqual([201, ...others])
      const patched = await Promise.all(ids.map((id) => verso.patch(`/v1/posts/${id}`, { slug: 'liked' })))
      expect(statuses(patched)).toEqual([200, ...others])
      for (const id of ids) await verso.delete(`/v1/posts/${id}`)
      const restored = await Promise.all(ids.map((id) => verso.post(`/v1/posts/${id}/restore`, { slug: 'back' })))
      expect(statuses(restored)).toEqual([200, ...others])
      expect([...created, ...patched, ...restored].filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
        Array(27).fill('slug_conflict'),
      )
    })
  })

  describe(`old slugs on ${engine.name}`, () => {
    it('GET and HEAD /v1/posts/{old slug}: 301 to the new one in one hop, the query kept', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      await verso.patch('/v1/posts/two', { slug: 'three' })
      for (const key of [verso.public, verso.secret]) {
        for (const [old, method] of [
          ['one', 'GET'],
          ['two', 'GET'],
          ['one', 'HEAD'],
        ] as const) {
          const answer = await verso.request(method, `/v1/posts/${old}`, { key })
          expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([301, '/v1/posts/three', ''])
          expect(answer.headers.get('cache-control')).toBe((await verso.get('/v1/posts/three', { key })).headers.get('cache-control'))
          expect(answer.headers.get('etag')).toBeNull()
        }
      }
      for (const query of ['?fields=title,slug', '?fields=title%2Cslug&include=toc', `?fields=title,${'slug,'.repeat(1_500)}id`])
        expect((await verso.get(`/v1/posts/one${query}`, { key: verso.public })).headers.get('location')).toBe(`/v1/posts/three${query}`)
      expect((await verso.get('/v1/posts/one?a=b')).body.code).toBe('unknown_parameter')
      expect((await verso.get('/v1/posts/three?a=b')).body.code).toBe('unknown_parameter')
      expect((await verso.get('/v1/posts/never?a=b')).body.code).toBe('unknown_parameter')
    })

    it('writing under an old slug is 404', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      expect((await verso.patch('/v1/posts/one', { title: 'x' })).status).toBe(404)
      expect((await verso.delete('/v1/posts/one')).status).toBe(404)
    })

    it('only of once-published posts, and only where the key may see the post', async () => {
      const verso = await startVerso(engine)
      const status = async (slug: string, key: string) => (await verso.get(`/v1/posts/${slug}`, { key })).status
      await verso.post('/v1/posts', { title: 'Draft' })
      await verso.patch('/v1/posts/draft', { slug: 'new-draft' })
      expect(await status('draft', verso.secret)).toBe(404)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { status: 'draft' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      expect([await status('one', verso.secret), await status('one', verso.public)]).toEqual([301, 404])
      await verso.patch('/v1/posts/two', { status: 'published' })
      expect([await status('one', verso.secret), await status('one', verso.public)]).toEqual([301, 301])
      const { body: post } = await verso.get('/v1/posts/two')
      await verso.delete('/v1/posts/two')
      expect([await status('one', verso.secret), await status('two', verso.secret)]).toEqual([404, 404])
      await verso.post(`/v1/posts/${post.id}/restore`)
      expect(await status('one', verso.public)).toBe(301)
      await verso.delete(`/v1/posts/${post.id}?permanent=true`)
      expect(await status('one', verso.secret)).toBe(404)
    })

    it('a slug that a once-published post had while it was hidden never redirects', async () => {
      const verso = await startVerso(engine)
      const publicly = async (slug: string) => (await verso.get(`/v1/posts/${slug}`, { key: verso.public })).status
      const site = { siteUrl: 'https://site.example', permalink: '/{slug}' }
      expect((await verso.patch('/v1/admin/project', site, { key: await verso.keyWith('admin') })).status).toBe(200)
      for (const status of ['archived', 'draft'] as const) {
        const { body: post } = await verso.post('/v1/posts', { title: 'Seen', slug: `seen-${status}`, status: 'published' })
        await verso.patch(`/v1/posts/${post.id}`, { status })
        await verso.patch(`/v1/posts/${post.id}`, { slug: `secret-${status}` })
        await verso.delete(`/v1/posts/${post.id}`)
        await verso.post(`/v1/posts/${post.id}/restore`, { slug: `secret-again-${status}` })
        await verso.patch(`/v1/posts/${post.id}`, { slug: `final-${status}` })
        await verso.patch(`/v1/posts/${post.id}`, { status: 'published' })
        const slugs = ['seen', 'secret', 'secret-again', 'final'].map((slug) => `${slug}-${status}`)
        expect(await Promise.all(slugs.map(publicly))).toEqual([301, 404, 404, 200])
        const { text } = await verso.get('/v1/redirects', { key: verso.public })
        expect([text.includes(`seen-${status}`), text.includes('secret')]).toEqual([true, false])
      }
    })

    it('an explicit slug may take an old one over, and the redirect ends', async () => {
      const verso = await startVerso(engine)
      const { body: first } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      const { body: second } = await verso.post('/v1/posts', { title: 'Other', slug: 'one', status: 'published' })
      expect((await verso.get('/v1/posts/one', { key: verso.public })).body.id).toBe(second.id)
      await verso.patch('/v1/posts/one', { slug: 'three' })
      expect((await verso.get('/v1/posts/one')).headers.get('location')).toBe('/v1/posts/three')
      await verso.patch('/v1/posts/two', { slug: 'one' })
      expect((await verso.get('/v1/posts/one')).body.id).toBe(first.id)
      await verso.delete('/v1/posts/one')
      expect((await verso.get('/v1/posts/one')).status).toBe(404)
    })

    it('back to a slug that it had before: the post itself, no redirect to itself', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      for (const [from, to] of [
        ['one', 'two'],
        ['two', 'one'],
      ])
        await verso.patch(`/v1/posts/${from}`, { slug: to })
      expect((await verso.get('/v1/posts/one')).status).toBe(200)
      expect((await verso.get('/v1/posts/two')).headers.get('location')).toBe('/v1/posts/one')
    })

    it('a hidden post that takes an old slug over shows nothing of itself: the redirect stands until it is published', async () => {
      const verso = await startVerso(engine)
      const publicly = async (slug: string) => {
        const { status, headers } = await verso.get(`/v1/posts/${slug}`, { key: verso.public })
        return [status, headers.get('location')]
      }
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch('/v1/posts/one', { slug: 'two' })
      const { body: hidden } = await verso.post('/v1/posts', { title: 'Hidden', slug: 'one' })
      expect((await verso.get('/v1/posts/one')).body.id).toBe(hidden.id)
      expect(await publicly('one')).toEqual([301, '/v1/posts/two'])
      await verso.patch('/v1/posts/one', { slug: 'elsewhere' })
      expect(await publicly('one')).toEqual([301, '/v1/posts/two'])
      await verso.patch('/v1/posts/elsewhere', { slug: 'one', status: 'scheduled', scheduledFor: '2026-07-01T00:00:00Z' })
      expect(await publicly('one')).toEqual([301, '/v1/posts/two'])
      await verso.context.travelTo('2026-07-01T00:00:00Z')
      expect(await publicly('one')).toEqual([200, null])
      await verso.delete('/v1/posts/one')
      expect(await publicly('one')).toEqual([404, null])
    })

    it('restored under another slug, a once-published post leaves a redirect where nobody sees another there', async () => {
      const verso = await startVerso(engine)
      const ids: string[] = []
      for (const title of ['One', 'Two']) ids.push((await verso.post('/v1/posts', { title, status: 'published' })).body.id)
      for (const id of ids) await verso.delete(`/v1/posts/${id}`)
      const { body: other } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      expect(other.slug).toBe('one')
      for (const id of ids) expect((await verso.post(`/v1/posts/${id}/restore`, { slug: `back-${ids.indexOf(id)}` })).status).toBe(200)
      expect((await verso.get('/v1/posts/one', { key: verso.public })).body.id).toBe(other.id)
      expect((await verso.get('/v1/posts/two', { key: verso.public })).headers.get('location')).toBe('/v1/posts/back-1')
      await verso.patch('/v1/posts/one', { slug: 'away' })
      expect((await verso.get('/v1/posts/one')).headers.get('location')).toBe('/v1/posts/away')
    })
  })
}

for (const engine of engines.filter(({ name }) => name === 'SQLite'))
  describe(`finding a free slug on ${engine.name}`, () => {
    it('looks at no slug but those that may be in the way, of posts and of tags', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      const asked = new Set(verso.statements.filter((text) => /^select "slug" from "(?:posts|tags)"/.test(text)))
      expect(asked.size).toBe(2)
      for (const text of asked) {
        const plan = sql<{ detail: string }>`explain query plan ${sql.raw(text.replaceAll('?', "'1'"))}`
        const { rows } = await verso.app.installation.engine.write((tx) => plan.execute(tx))
        const looks = rows.filter(({ detail }) => /^(?:SEARCH|SCAN)/.test(detail))
        expect(looks.length).toBeGreaterThan(0)
        for (const { detail } of looks) expect(detail).toMatch(/slug[=>]/)
      }
    })
  })
