import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'

for (const engine of engines) {
  describe(`visibility on ${engine.name}`, () => {
    it('a public key sees of every list just what a secret key sees as published, and of singles no other', async () => {
      const verso = await startVerso(engine)
      const post = fc.record({
        title: fc.constantFrom('alpha', 'Beta', 'gamma'),
        status: fc.constantFrom('draft', 'scheduled', 'published', 'archived'),
        tags: fc.subarray(['x', 'Y', 'z']),
        trashed: fc.boolean(),
      })
      let run = 0
      const property = fc.asyncProperty(fc.array(post, { minLength: 5, maxLength: 15 }), async (posts) => {
        const project = await verso.otherProject(`run-${run++}`)
        const asPublic = { key: project.public }
        for (const { trashed, ...fields } of posts) {
          const scheduledFor = fields.status === 'scheduled' ? '2030-01-01T00:00:00Z' : null
          const { body } = await project.post('/v1/posts', { ...fields, scheduledFor })
          if (trashed) await project.delete(`/v1/posts/${body.id}`)
          const visible = fields.status === 'published' && !trashed
          for (const ref of [body.id, ...(trashed ? [] : [body.slug])]) {
            expect((await project.get(`/v1/posts/${ref}`, asPublic)).status, ref).toBe(visible ? 200 : 404)
          }
        }
        for (const query of [
          'sort=title',
          'sort=-slug&search=A',
          'q=a',
          'tag=x',
          'tag=y,z&sort=created_at',
          'limit=2',
          'limit=2&page=2&sort=status',
        ]) {
          const [publicly, published] = [
            await project.get(`/v1/posts?${query}`, asPublic),
            await project.get(`/v1/posts?${query}&status=published`),
          ]
          expect(publicly.body.data, query).toEqual(published.body.data)
          expect({ ...publicly.body.pagination, nextCursor: null }).toEqual({ ...published.body.pagination, nextCursor: null })
        }
        const tags = (await project.get('/v1/tags', asPublic)).body.data
        const carried = posts.filter(({ status, trashed }) => status === 'published' && !trashed).flatMap((each) => each.tags)
        expect(tags.map(({ slug, postCount }: { slug: string; postCount: number }) => `${slug} ${postCount}`).sort()).toEqual(
          [...new Set(carried)].map((tag) => `${tag.toLowerCase()} ${carried.filter((each) => each === tag).length}`).sort(),
        )
      })
      await fc.assert(property, { numRuns: engine === engines[0] ? 6 : 3 })
    })
  })
}
