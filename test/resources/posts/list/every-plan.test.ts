import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../../../src/actions/action.ts'
import { operator } from '../../../../src/actions/caller.ts'
import { parseQuery } from '../../../../src/http/request/query.ts'
import { insertPosts } from '../../../../src/import/post-bulk-store.ts'
import { toCursor } from '../../../../src/lists/cursor.ts'
import { planList } from '../../../../src/lists/list-plan.ts'
import type { Reads } from '../../../../src/lists/read-at-revision.ts'
import type { FilterName, QueryPlan, Strategy } from '../../../../src/resources/posts/list/plan-query.ts'
import {
  decide,
  type ListRequest,
  listPosts,
  type PageReader,
  readPage,
  runQuery,
} from '../../../../src/resources/posts/list/post-list-store.ts'
import { cached } from '../../../../src/resources/posts/list-cache/cached-list.ts'
import { refsOnPage } from '../../../../src/resources/posts/list-cache/post-ref-store.ts'
import { createPost, type PostEdits } from '../../../../src/resources/posts/post.ts'
import { type ListedPost, postList } from '../../../../src/resources/posts/post-schema.ts'
import { tagsNamed } from '../../../../src/resources/posts/post-tag-store.ts'
import { logPostChanges } from '../../../../src/resources/posts/post-write.ts'
import { newId } from '../../../../src/values/ids.ts'
import { type Instant, toInstant } from '../../../../src/values/instant.ts'
import { engines, startVerso, type TestEngine } from '../../../harness/harness.ts'

/** Enough for pages that skip days. */
const posts = 2_300
const runs = 60
const seed = Number(process.env.VERSO_TEST_SEED) || Date.now() % 1_000_000_000

type Made = Omit<PostEdits, 'tags'> & { readonly title: string; readonly slug: string; readonly tags: readonly string[] }

const fill: Action<readonly Made[], void> = {
  name: 'test.fill',
  async run(tx, caller, edits, random) {
    const written = []
    for (const { tags: names, ...each } of edits) {
      const tags = await tagsNamed(tx, caller.projectId, names, caller.now)
      written.push({ before: undefined, change: createPost(newId('post', caller.now, random), { ...each, tags }, caller.now) })
    }
    const made = written.map(({ change }) => change.post)
    await insertPosts(tx, caller.projectId, made)
    await logPostChanges(tx, caller, written)
  },
}

async function start(engine: TestEngine) {
  const verso = await startVerso(engine)
  const admin = { key: await verso.keyWith('admin') }
  const make = async (kind: string, name: string) => (await verso.post(`/v1/admin/${kind}`, { name }, admin)).body
  const authors: string[] = [(await make('authors', 'x')).id, (await make('authors', 'y')).id]
  const categories = [await make('categories', 'x'), await make('categories', 'y')]
  const edits = Array.from({ length: posts }, (_, i): Made => {
    const status = (['published', 'published', 'published', 'archived', 'draft'] as const)[(i * 7) % 5] ?? 'draft'
    const isDated = status === 'published' || (status === 'archived' && i % 3 > 0)
    return {
      title: `${['Äpfel', 'apples', 'Zoo', 'B'][i % 4]} ${i % 90}`,
      slug: `post-${i}`,
      content: i % 3 ? 'words' : 'other words',
      status,
      publishedAt: isDated ? (`2026-01-0${1 + (i % 9)}T00:00:0${i % 5}.000Z` as Instant) : null,
      tags: ['a', 'b', 'c'].filter((_, n) => (i >> n) % 3 === 0),
      authorId: (authors[i % 3] ?? null) as PostEdits['authorId'] & string,
      categoryId: (categories[(i >> 1) % 3]?.id ?? null) as PostEdits['categoryId'] & string,
    }
  })
  const caller = operator(verso.projectId, 'cli', toInstant(verso.context.now()))
  for (let from = 0; from < posts; from += 300) await verso.app.installation.perform(fill, caller, edits.slice(from, from + 300))
  // As after an import: if autovacuum has looked while the first rows were being written, PostgreSQL takes each table for empty.
  await verso.app.installation.engine.analyze?.()
  for (const slug of ['post-3', 'post-4', 'post-8']) await verso.delete(`/v1/posts/${slug}`)
  return { verso, authors }
}

const any = (name: string, ...values: readonly string[]) => fc.constantFrom('', ...values.map((value) => `&${name}=${value}`))

/** Values to ask for, `AUTHOR` standing for an id. A new filter does not compile until it has some. */
const values: Readonly<Record<FilterName, readonly string[]>> = {
  status: ['draft', 'published', 'draft,published', 'archived,draft,scheduled'],
  tag: ['a', 'a,b', 'a,b,c', 'none'],
  category: ['x', 'x,y', 'none'],
  author: ['AUTHOR', 'AUTHOR,nobody', 'nobody'],
  search: ['app', 'ZOO 1', 'o', '90'],
  q: ['words', 'other words', 'nothing'],
  published_after: ['2026-01-03T00:00:00Z'],
  published_before: ['2026-01-07T00:00:03Z'],
  updated_after: ['2020-01-01T00:00:00Z'],
  trashed: ['true'],
}

/** At most three filters at once. */
const query = fc
  .tuple(...Object.entries(values).map(([name, each]) => any(name, ...each)))
  .map((all) => all.filter((each) => each !== ''))
  .chain((all) => fc.subarray(all, { maxLength: Math.min(3, all.length) }))
const asked = fc.record({
  filters: query,
  sort: any('sort', ...postList.sorts.flatMap((name) => [name, `-${name}`]), 'status,-title'),
  page: fc.constantFrom(1, 1, 2, 21, 22),
  limit: fc.constantFrom(1, 20, 100),
  total: fc.boolean(),
  byCursor: fc.boolean(),
  isPublic: fc.boolean(),
})

type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** One list for each way to read it, so that every run sees all of them. */
const examples = [
  ['&tag=a'],
  ['&tag=a,b', '&published_after=2026-01-03T00:00:00Z'],
  ['&author=AUTHOR'],
  ['&q=words'],
  ['&q=other words'],
  ['&updated_after=2020-01-01T00:00:00Z'],
  [],
].map((filters): [Asked] => [{ filters, sort: '', page: 2, limit: 20, total: true, byCursor: true, isPublic: false }])

/** Everything by one query and one count, as the engine likes. Tests of words look at ranks; here they are read as if each had many matches. */
function plainly({ words, strategies }: QueryPlan): QueryPlan {
  const strategy: Strategy = words ? { kind: 'match', rows: 'posts' } : { kind: 'read' }
  const [ranks] = strategies.flatMap((each) =>
    each.kind === 'ranks' ? [{ ...each, amounts: each.amounts.map(() => 'many' as const) }] : [],
  )
  return {
    strategies: [ranks ?? strategy],
    skipsDays: false,
    total: { kind: 'counted', strategy },
    titles: undefined,
    words,
  }
}

for (const engine of engines)
  describe(`lists of posts on ${engine.name}`, { timeout: 300_000 }, () => {
    it(`are those of one plain query and one count, whatever was decided, with the caches and without (seed ${seed})`, async () => {
      const { verso, authors } = await start(engine)
      const list = cached(listPosts)
      const seen = new Set<string>()
      const check = async ({ filters, sort, page, limit, total, byCursor, isPublic }: Asked) => {
        const isOpen = (filter: string) => !isPublic || !/trashed|draft|archived/.test(filter)
        const text = `${filters.filter(isOpen).join('')}${sort}&limit=${limit}`.replace('AUTHOR', authors[0] ?? '')
        const plan = (more: string) => planList(postList, parseQuery(text + more), { scopes: ['posts:read', 'posts:read_drafts'] })
        const request: ListRequest = {
          db: verso.app.installation.db,
          sight: { projectId: verso.projectId, drafts: !isPublic, emails: false },
          plan: plan(`&page=${page}`),
          now: toInstant(verso.context.now()),
        }
        await expectSame(request, list, total, seen)
        const first = byCursor ? await readPage(request, idsOf(request)) : undefined
        if (first?.last)
          await expectSame({ ...request, plan: plan(`&cursor=${toCursor(request.plan.fingerprint, first.last)}`) }, list, total, seen)
      }
      await fc.assert(fc.asyncProperty(asked, check), { numRuns: examples.length + runs, examples, seed })
      expect([...seen]).toEqual(expect.arrayContaining(['read', 'merge', 'match', 'summed', 'counted']))
    })
  })

async function expectSame(
  request: ListRequest,
  list: ReturnType<typeof cached<ListedPost>>,
  withTotal: boolean,
  seen: Set<string>,
): Promise<void> {
  const decided = await decide(request)
  for (const { kind } of [...decided.strategies, decided.total]) seen.add(kind)
  const plain = await runQuery(request, plainly(decided), idsOf(request))
  const plan = { ...request.plan, total: withTotal }
  const expected = { ...plain, total: withTotal ? plain.total : undefined }
  const name = JSON.stringify([plan.filters, plan.sort, plan.position, plan.limit])
  expect(await readPage({ ...request, plan }, idsOf(request)), name).toEqual(expected)
  const { items, last, ...page } = (await list({ reads: readsOf(request, await revisionOf(request)), plan, now: request.now })).value
  const ids = items.map((item) => ('id' in item ? item.id : JSON.parse(String(Buffer.concat([...item]))).id))
  expect({ ...page, items: ids }, name).toEqual({ hasMore: expected.hasMore, total: expected.total, items: expected.items })
  if (page.hasMore) expect(last, name).toEqual(expected.last)
}

function idsOf({ db }: ListRequest): PageReader<Awaited<ReturnType<typeof refsOnPage>>[number], string> {
  return { read: (values, shape) => refsOnPage(db, values, shape), toItems: async (rows) => rows.map(({ id }) => id) }
}

/** Every read, as if the request had it to itself. */
function readsOf({ db, sight }: ListRequest, revision: number): Reads {
  const read: Reads['long'] = async (work) => ({ value: (await work(db, revision)) as never, revision })
  return { db, sight, revision, short: read, long: read }
}

async function revisionOf({ db, sight }: ListRequest): Promise<number> {
  const rows = await db
    .selectFrom('project_state')
    .select(['revision', 'public_revision'])
    .where('project_id', '=', sight.projectId)
    .execute()
  return Number(rows[0]?.[sight.drafts ? 'revision' : 'public_revision'])
}
