import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { blogFor } from '../../import/import-fixture.ts'

const sent = ['News', ' ai ', 'AI', 'news', 'Ai', 'C', 'C++', 'STRASSE', 'Straße']
const kept = ['News', ' ai ', 'C', 'C++', 'STRASSE']

for (const engine of engines) {
  describe(`a tag named twice, on ${engine.name}`, () => {
    it('POST /v1/posts: 201, it is kept once, in its first spelling and place', async () => {
      const verso = await startVerso(engine)
      const { status, body } = await verso.post('/v1/posts', { title: 'One', tags: sent })
      expect([status, body.tags]).toEqual([201, kept])
      expect((await verso.get('/v1/posts/one')).body.tags).toEqual(kept)
      expect((await verso.get('/v1/posts')).body.data[0].tags).toEqual(kept)
      expect((await verso.get('/v1/posts/one/revisions/1')).body.tags).toEqual(kept)
      expect((await verso.get('/v1/tags')).body.data.map(({ name }: { name: string }) => name)).toEqual([
        'ai',
        'C',
        'C++',
        'News',
        'STRASSE',
      ])
    })

    it('PATCH /v1/posts/{id}: 200; where that leaves the tags as they were, nothing has changed', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', tags: ['AI'] })
      expect((await verso.patch('/v1/posts/one', { tags: ['AI', 'ai '] })).body).toMatchObject({ tags: ['AI'], version: 1 })
      expect((await verso.patch('/v1/posts/one', { tags: ['ai', 'AI'] })).body).toMatchObject({ tags: ['ai'], version: 2 })
      expect((await verso.get('/v1/posts/one')).body.tags).toEqual(['ai'])
      expect((await verso.get('/v1/tags/ai')).body).toMatchObject({ name: 'ai', postCount: 1 })
    })

    it('POST /v1/posts/batch: 200, in every operation', async () => {
      const verso = await startVerso(engine)
      const operations = [
        { op: 'create', body: { title: 'One', tags: sent } },
        { op: 'update', id: 'one', body: { tags: ['b', 'B', 'a'] } },
      ]
      const { status, body } = await verso.post('/v1/posts/batch', { operations })
      expect(status).toBe(200)
      expect(body.results.map(({ post }: { post: { tags: unknown } }) => post.tags)).toEqual([kept, ['b', 'a']])
    })

    it('POST and PATCH with dry_run=true: 200 with the same tags as the write', async () => {
      const verso = await startVerso(engine)
      expect((await verso.post('/v1/posts?dry_run=true', { title: 'One', tags: sent })).body.tags).toEqual(kept)
      await verso.post('/v1/posts', { title: 'One' })
      expect((await verso.patch('/v1/posts/one?dry_run=true', { tags: sent })).body.tags).toEqual(kept)
    })

    it('POST, PATCH, lists and revisions: tagSlugs are the slugs of the tags, in the same order', async () => {
      const verso = await startVerso(engine)
      const tagSlugs = ['news', 'ai', 'c', 'c-2', 'strasse']
      const { body: post } = await verso.post('/v1/posts', { title: 'One', tags: sent })
      expect(post.tagSlugs).toEqual(tagSlugs)
      expect((await verso.get('/v1/posts?fields=tagSlugs')).body.data).toEqual([{ id: post.id, tagSlugs }])
      expect((await verso.patch('/v1/posts/one', { tags: ['C++', 'C'] })).body.tagSlugs).toEqual(['c-2', 'c'])
      expect((await verso.patch('/v1/posts/one', { tags: null })).body.tagSlugs).toEqual([])
      expect((await verso.get('/v1/posts/one/revisions/1')).body.tagSlugs).toEqual(tagSlugs)
      const restored = (await verso.post('/v1/posts/one/revisions/2/restore')).body
      expect([restored.tags, restored.tagSlugs]).toEqual([
        ['C++', 'C'],
        ['c-2', 'c'],
      ])
      expect((await verso.get('/v1/posts?tag=c-2')).body.data).toEqual([restored])
    })

    it('verso import: the tags of a file likewise', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'one.md': '---\ntitle: One\ndate: 2020-01-01\ntags: [News, ai, AI, NEWS, C, C++]\n---\nText\n' })
      await blog.import()
      const { body } = await verso.get('/v1/posts/one')
      expect([body.tags, body.tagSlugs]).toEqual([
        ['News', 'ai', 'C', 'C++'],
        ['news', 'ai', 'c', 'c-2'],
      ])
    })
  })
}
