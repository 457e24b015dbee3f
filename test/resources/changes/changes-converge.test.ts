import { expect, it } from 'vitest'
import type { Action } from '../../../src/actions/action.ts'
import { operator } from '../../../src/actions/caller.ts'
import type { Tx } from '../../../src/database/engine.ts'
import { createAuthor, editAuthor, removeAuthor } from '../../../src/resources/authors/author-actions.ts'
import { createCategory, editCategory, removeCategory } from '../../../src/resources/categories/category-actions.ts'
import { createPost, patchPost } from '../../../src/resources/posts/post-actions.ts'
import { deletePost, restoreTrashed } from '../../../src/resources/posts/post-trash-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { Problem } from '../../../src/values/problems.ts'
import { engines, type Requests, seededRandom, startVerso, type TestApp } from '../../harness/harness.ts'
import { countText, soakSize } from '../../harness/soak.ts'

const writesAtOnce = 50
const writes = soakSize(10_000, writesAtOnce)

interface Resource {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a resource of its type has.
  readonly [field: string]: any
}

/** Chooses by chance that can be repeated. */
function chooser(seed: string) {
  const random = seededRandom(seed)
  const below = (most: number) => Buffer.from(random(4)).readUInt32LE() % most
  const from = <T>(list: readonly T[]): T => {
    const chosen = list[below(list.length)]
    if (chosen === undefined) throw new Error('there is nothing to choose from')
    return chosen
  }
  return { below, from }
}

type Chance = ReturnType<typeof chooser>

/** What was made, dead or alive. */
interface Made {
  readonly posts: string[]
  readonly authors: string[]
  readonly categories: string[]
}

const statuses = ['draft', 'published', 'published', 'scheduled', 'archived'] as const
const later = '2026-06-01T13:00:00.000Z'

function fieldsOf({ below, from }: Chance, { authors, categories }: Made) {
  const status = from(statuses)
  return {
    title: `Title ${below(50)}`,
    tags: from([[], ['a'], ['A', 'b'], ['c']]),
    status,
    ...(status === 'scheduled' && { scheduledFor: from(['2026-06-01T12:10:00.000Z', later]) }),
    ...(below(3) === 0 && { authorId: from([...authors, null]) }),
    ...(below(3) === 0 && { categoryId: from([...categories, null]) }),
  }
}

type Write = (run: <I, R>(action: Action<I, R>, input: I) => Promise<R>) => Promise<unknown>

function anyWrite(chance: Chance, made: Made): Write {
  const { below, from } = chance
  const ok = <T>(value: T) => ({ ok: true, value }) as const
  const ifMatch = 'any'
  const kind = below(100)
  if (made.posts.length === 0 || kind < 25)
    return async (run) => made.posts.push((await run(createPost, { body: ok(fieldsOf(chance, made)) })).id)
  const idOrSlug = from(made.posts)
  if (kind < 60) {
    const { title, ...rest } = fieldsOf(chance, made)
    const value = from([rest, { title }, { content: `Content ${below(1_000)}` }, { slug: `slug-${below(200)}` }])
    return (run) => run(patchPost, { idOrSlug, ifMatch, body: ok(value) })
  }
  if (kind < 75) return (run) => run(deletePost, { idOrSlug, ifMatch, permanent: below(4) === 0 })
  if (kind < 85) return (run) => run(restoreTrashed, { id: idOrSlug, ifMatch, body: ok({}) })
  if (made.authors.length === 0 || kind < 87)
    return async (run) => made.authors.push((await run(createAuthor, { body: ok({ name: `Author ${below(9)}` }) })).id)
  if (made.categories.length === 0 || kind < 89)
    return async (run) => made.categories.push((await run(createCategory, { body: ok({ name: `Category ${below(9)}` }) })).id)
  const [author, category] = [from(made.authors), from(made.categories)]
  if (kind < 93) return (run) => run(editAuthor, { idOrSlug: author, ifMatch, body: ok({ name: `Author ${below(99)}` }) })
  if (kind < 96) return (run) => run(editCategory, { idOrSlug: category, ifMatch, body: ok({ slug: `category-${below(99)}` }) })
  if (kind < 98) return (run) => run(removeAuthor, { idOrSlug: author, ifMatch, reassignTo: from([null, ...made.authors]) ?? undefined })
  return (run) => run(removeCategory, { idOrSlug: category, ifMatch, reassignTo: from([null, ...made.categories]) ?? undefined })
}

/** So many random writes in one transaction; those that are refused change nothing. */
async function writeAtOnce({ app, context, projectId }: TestApp, writes: readonly Write[]): Promise<void> {
  const caller = operator(projectId, 'cli', toInstant(context.now()))
  await app.installation.engine.write(async (tx: Tx) => {
    for (const write of writes) {
      try {
        await write((action, input) => action.run(tx, caller, input, context.random))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
      }
    }
  })
}

/** Follows the feed, and nothing else. */
function follower(verso: Requests, key: string, { from }: Chance) {
  const copy = new Map<string, { readonly type: string; readonly resource: Resource }>()
  let cursor: string | undefined
  return {
    /** One page; whether there is more. */
    async follow(): Promise<boolean> {
      const { body } = await verso.get(`/v1/changes?limit=${from([1, 7, 20, 100])}${cursor === undefined ? '' : `&since=${cursor}`}`, {
        key,
      })
      for (const { action, type, id, data } of body.data) {
        if (action === 'upsert') copy.set(id, { type, resource: data })
        else copy.delete(id)
      }
      cursor = body.nextCursor
      return body.hasMore
    },
    of: (type: string) =>
      [...copy.values()]
        .filter((each) => each.type === type)
        .map(({ resource }) => resource)
        .sort(byId),
  }
}

const byId = (a: Resource, b: Resource) => (a.id < b.id ? -1 : 1)

async function everything(verso: Requests, path: string, key: string): Promise<readonly Resource[]> {
  const found: Resource[] = []
  for (let cursor = ''; ; ) {
    const { body } = await verso.get(`${path}?limit=100&sort=created_at${cursor}`, { key })
    found.push(...body.data)
    if (!body.pagination.hasMore) return found.sort(byId)
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

for (const engine of engines) {
  it(`whoever only follows /v1/changes with a public key ends, after ${writes} random writes, with what the public lists show, on ${engine.name}`, {
    tags: ['soak'],
    timeout: 600_000,
  }, async ({ annotate }) => {
    const verso = await startVerso(engine)
    const chance = chooser('converge')
    const made: Made = { posts: [], authors: [], categories: [] }
    const consumer = follower(verso, verso.public, chance)
    for (let done = 0; done < writes; done += writesAtOnce) {
      await writeAtOnce(
        verso,
        Array.from({ length: writesAtOnce }, () => anyWrite(chance, made)),
      )
      verso.context.travelTo(toInstant(new Date(verso.context.now().getTime() + 10_000)))
      for (let pages = chance.below(4); pages > 0; pages--) await consumer.follow()
    }
    verso.context.travelTo('2026-06-02T12:00:00.000Z')
    while (await consumer.follow());
    const posts = consumer.of('post')
    expect(posts.length).toBeGreaterThan(20)
    expect(posts).toEqual(await everything(verso, '/v1/posts', verso.public))
    for (const [kind, path] of [
      ['author', '/v1/authors'],
      ['category', '/v1/categories'],
    ] as const) {
      // The feed leaves out what changes without a change of the resource.
      const counted = consumer.of(kind).map((each) => ({ ...each, postCount: posts.filter((post) => post[kind]?.id === each.id).length }))
      expect(counted).toEqual(await everything(verso, path, verso.public))
    }
    await annotate(`${countText(writes)} writes, ${countText(posts.length)} posts at the end, the same in the feed and in the lists`)
  })
}
