import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkInstallation } from '../../src/maintenance/check/check-installation.ts'
import { repairLists } from '../../src/maintenance/check/repair-lists.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'

/** One write; `post` is the number of a post among those that were made. */
interface Step {
  readonly what: 'create' | 'patch' | 'trash' | 'restore' | 'erase' | 'revision' | 'batch' | 'rehearse' | 'wait' | 'reassign'
  readonly post: number
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  readonly tags: readonly string[]
  readonly author: number
  readonly category: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...(['create', 'create', 'patch', 'patch', 'trash', 'restore', 'erase'] as const),
    ...(['revision', 'batch', 'rehearse', 'wait', 'reassign'] as const),
  ),
  post: fc.nat(5),
  status: fc.constantFrom('draft', 'scheduled', 'published', 'archived'),
  tags: fc.subarray(['News', 'news ', 'Straße', 'STRASSE', 'C++'], { maxLength: 3 }),
  author: fc.nat(2),
  category: fc.nat(2),
})

/** What the steps have to work with: ids by their number. */
interface Things {
  readonly posts: string[]
  readonly authors: string[]
  readonly categories: string[]
  readonly admin: { readonly key: string }
}

async function prepare(verso: TestApp): Promise<Things> {
  const admin = { key: await verso.keyWith('admin', 'posts:write', 'posts:publish') }
  const make = async (kind: string) => (await verso.post(`/v1/admin/${kind}`, { name: 'x' }, admin)).body.id as string
  return { posts: [], authors: [await make('authors'), await make('authors')], categories: [await make('categories')], admin }
}

/** The clock goes on by a day a step; what is scheduled becomes due two steps later, and the trash is emptied in between. */
const at = (day: number) => new Date(Date.parse('2026-06-01T12:00:00Z') + day * 86_400_000).toISOString()

async function take(verso: TestApp, resources: Things, { what, post, ...step }: Step, day: number): Promise<void> {
  const body = {
    status: step.status,
    tags: step.tags,
    authorId: resources.authors[step.author] ?? null,
    categoryId: resources.categories[step.category] ?? null,
    ...(step.status === 'scheduled' && { scheduledFor: at(day + 2) }),
  }
  const id = resources.posts[post] ?? 'post_06dq8k2rxf7e9aw5n4j1t3ybvc'
  const keep = (made: { readonly id?: string } | undefined) => made?.id && resources.posts.push(made.id)
  if (what === 'create') keep((await verso.post('/v1/posts', { title: 'One', ...body })).body)
  if (what === 'patch') await verso.patch(`/v1/posts/${id}`, body)
  if (what === 'trash') await verso.delete(`/v1/posts/${id}`)
  if (what === 'restore') await verso.post(`/v1/posts/${id}/restore`)
  if (what === 'erase') await verso.delete(`/v1/posts/${id}?permanent=true`)
  if (what === 'revision') await verso.post(`/v1/posts/${id}/revisions/1/restore`)
  if (what === 'rehearse') await verso.post('/v1/posts?dry_run=true', { title: 'Two', ...body })
  if (what === 'wait') verso.context.travelTo(at(day + 40))
  if (what === 'reassign') await reassign(verso, resources)
  if (what === 'batch') {
    const operations = [
      { op: 'create', body: { title: 'Three', ...body } },
      { op: 'update', id, body: { tags: ['batch'] } },
      { op: 'delete', id },
    ]
    const { body: answer } = await verso.post('/v1/posts/batch', { atomic: step.author === 0, operations })
    keep(answer.results?.[0]?.post)
  }
}

/** The author or category with the lowest number goes, and the next takes its posts. */
async function reassign(verso: TestApp, { authors, categories, admin }: Things): Promise<void> {
  const made = (await verso.post('/v1/admin/categories', { name: 'y' }, admin)).body.id
  await verso.delete(`/v1/admin/categories/${categories[0]}?reassign_to=${made}`, admin)
  categories.splice(0, 1, made)
  if (authors.length < 2) return
  await verso.delete(`/v1/admin/authors/${authors[0]}?reassign_to=${authors[1]}`, admin)
  authors.shift()
}

const queries = ['', 'status=draft', 'status=published,archived', 'tag=news', 'tag=strasse&status=published', 'tag=none', 'category=none']

/** What a check finds. */
async function faults({ app }: TestApp): Promise<readonly string[]> {
  const findings: string[] = []
  for await (const finding of checkInstallation(app.installation.engine)) findings.push(finding)
  return findings
}

/** Every total that is kept beside the same list counted: a filter that keeps nothing out is one that the counts know nothing of. */
async function totals(verso: TestApp, { authors }: Things) {
  const asked = [...queries, `author=${authors.join()}`, `author=${authors[0]}&status=scheduled`, 'category=x,y']
  const total = async (query: string, key: string) => {
    const { body } = await verso.get(`/v1/posts?${query}&limit=1`, { key })
    return body.pagination?.total
  }
  const rows = []
  for (const query of asked)
    for (const key of query.includes('draft') || query.includes('scheduled') || query.includes('archived')
      ? [verso.secret]
      : [verso.secret, verso.public])
      rows.push({ query, kept: await total(query, key), counted: await total(`${query}&updated_after=2000-01-01T00:00:00Z`, key) })
  return rows
}

for (const engine of engines)
  describe(`counts of posts on ${engine.name}`, { timeout: 120_000 }, () => {
    it('are those of a recount, whatever was written', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const verso = await startVerso(engine)
          const resources = await prepare(verso)
          for (const [index, each] of steps.entries()) {
            verso.context.travelTo(at(index))
            await take(verso, resources, each, index)
          }
          await verso.get('/v1/posts')
          expect(await faults(verso)).toEqual([])
          for (const { query, kept, counted } of await totals(verso, resources)) expect(kept, query).toBe(counted)
          for (const job of verso.app.jobs.filter(({ name }) => name === 'purge')) await job.runOnce()
          expect(await faults(verso)).toEqual([])
        }),
        { numRuns: 6 },
      )
    })

    it('stay right when posts are made, changed and erased at the same time', async () => {
      const verso = await startVerso(engine)
      const made = await Promise.all(Array.from({ length: 12 }, () => verso.post('/v1/posts', { title: 'One', tags: ['a', 'b'] })))
      const ids = made.map(({ body }) => body.id)
      const writes = ids.flatMap((id, i) => [
        () => verso.patch(`/v1/posts/${id}`, { status: 'published', tags: ['b', 'c'] }),
        () => verso.patch(`/v1/posts/${id}`, { tags: ['a'] }),
        () => verso.delete(`/v1/posts/${id}${i % 2 ? '?permanent=true' : ''}`),
        () => verso.post('/v1/posts', { title: 'One', tags: ['b', 'a'] }),
      ])
      const answers = await Promise.all(writes.map((write) => write()))
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(await faults(verso)).toEqual([])
    })

    it('that are wrong are found by a check, and made right where that is asked for', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      const { engine: open } = verso.app.installation
      const projects = [{ id: verso.projectId }]
      await open.alone((tx) => tx.updateTable('post_counts').set({ posts: 5 }).where('dimension', '!=', 'author').execute())
      await open.alone((tx) => tx.updateTable('post_tags').set({ status: 'published' }).execute())
      const findings = await faults(verso)
      expect(findings).toEqual([
        `the count of draft posts (${verso.projectId}) is wrong by 4`,
        'the count of draft posts (tag a) is wrong by 4',
        `${post.id} is not in its place in the lists of its tags`,
      ])
      expect(await repairLists(open, projects)).toBe(3)
      expect(await faults(verso)).toEqual([])
    })
  })
