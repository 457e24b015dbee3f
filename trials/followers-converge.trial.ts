import { onTestFinished } from 'vitest'
import type { TestEngine } from '../test/harness/databases.ts'
import { asServed, type KeptAlive, pause, startKeptAlive } from './delivery/kept-alive.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly writes: number
  readonly kills: number
}

interface Resource {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a resource of its type has.
  readonly [field: string]: any
}

trial<Size>({
  name: 'followers-converge',
  promise: 'Whoever only follows the changes feed ends with exactly what a full read shows to the same key.',
  over: 'engines',
  sizes: { short: { writes: 100, kills: 2 }, full: { writes: 5_000, kills: 20 } },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, random, figure }) {
    const seen = await follow(size, engine, random)
    figure('random writes', size.writes)
    figure('SIGKILLs', seen.kills)
    figure('cursors refused with 410, after which a follower began anew', seen.expired)
    figure('resources that the secret key sees', seen.secret.resources)
    figure('resources that the public key sees', seen.public.resources)
    figure('differences for the secret key', seen.secret.differences, { exactly: 0 })
    figure('differences for the public key', seen.public.differences, { exactly: 0 })
  },
  controls: {
    async 'a page that a follower skips is seen'({ engine, random }) {
      const seen = await follow({ writes: 120, kills: 0 }, engine, random, 'skip a page')
      return seen.secret.differences
    },
    async 'a follower that keeps what is deleted is seen'({ engine, random }) {
      const seen = await follow({ writes: 120, kills: 0 }, engine, random, 'keep the deleted')
      return seen.secret.differences
    },
  },
})

/** What is scheduled is due within this time. */
const longestWaitMs = 3_000

type Fault = 'skip a page' | 'keep the deleted'

async function follow({ writes, kills }: Size, engine: TestEngine, random: SeededRandom, fault?: Fault) {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const service = await startKeptAlive(asServed(address))
  const followers = [service.secret, service.public].map((key, n) => follower(service, key, random.fork(`follower ${n}`), fault))
  const write = writer(service, random.fork('writes'))
  const killAt = new Set(Array.from({ length: kills }, (_, i) => Math.floor(((i + 0.5) * writes) / kills)))
  const chance = random.fork('pages')
  for (let n = 0; n < writes; n++) {
    // A follower asks while others write and while the service is killed.
    const pages = followers.map((each) => (chance.int(4) === 0 ? each.page() : undefined))
    await Promise.all([write(), killAt.has(n) ? service.kill() : undefined, ...pages])
    // A restored backup has another epoch: cursors of before it are refused.
    if (n === Math.floor(writes / 2)) await service.kill(renewEpoch)
  }
  await pause(longestWaitMs)
  for (const each of followers) while (await each.page());
  await renameAll(service)
  const found = []
  for (const each of followers) {
    while (await each.page());
    found.push(await compare(service, each))
  }
  const [secret, publicly] = found
  if (!secret || !publicly) throw new Error('there are two followers')
  return { kills: service.kills(), expired: followers.reduce((sum, each) => sum + each.expired(), 0), secret, public: publicly }
}

/** The last change of posts that have an author or a category: they show its name. */
async function renameAll(service: KeptAlive): Promise<void> {
  for (const kind of ['authors', 'categories'])
    for (const { id } of await everything(service, `/v1/${kind}`, service.secret))
      await service.ask('PATCH', `/v1/admin/${kind}/${id}`, { body: { name: `Renamed ${id}` } })
}

const renewEpoch: Parameters<KeptAlive['kill']>[0] = async ({ engine, context }) => {
  const epoch = Buffer.from(context.random(12)).toString('base64url')
  await engine.write(async (tx) => void (await tx.updateTable('installation').set({ epoch }).execute()))
}

/** Follows the feed with one key, and knows nothing else. */
function follower(service: KeptAlive, key: string, chance: SeededRandom, fault: Fault | undefined) {
  let copy = new Map<string, { readonly type: string; readonly data: Resource }>()
  let cursor: string | undefined
  let [expired, pages] = [0, 0]
  return {
    key,
    copy: () => copy,
    expired: () => expired,
    /** Takes one page; whether there is more. */
    async page(): Promise<boolean> {
      const since = cursor === undefined ? '' : `&since=${cursor}`
      const { status, body } = await service.ask('GET', `/v1/changes?limit=${chance.pick([1, 7, 20, 100])}${since}`, { key })
      if (status === 410) {
        expired += 1
        cursor = undefined
        copy = new Map()
        return true
      }
      if (status !== 200) throw new Error(`the feed answered ${status}`)
      pages += 1
      const skipped = fault === 'skip a page' && pages % 5 === 0
      for (const { action, type, id, data } of skipped ? [] : body.data) {
        if (action === 'upsert') copy.set(id, { type, data })
        else if (fault !== 'keep the deleted') copy.delete(id)
      }
      cursor = body.nextCursor
      return body.hasMore
    },
  }
}

type Follower = ReturnType<typeof follower>

/** How many resources of the copy and of a full read are not the same. */
async function compare(service: KeptAlive, { key, copy }: Follower) {
  const kept = new Map([...copy()].map(([id, { data }]) => [id, textOf(data)]))
  const read = new Map<string, string>()
  for (const path of ['/v1/posts', '/v1/authors', '/v1/categories', '/v1/media']) {
    for (const resource of await everything(service, path, key)) read.set(resource.id, textOf(resource))
  }
  for (const { id } of await everything(service, '/v1/posts', key)) {
    const { status, body } = await service.ask('GET', `/v1/posts/${id}/pending`, { key })
    if (status === 200) read.set(editIdOf(id), textOf(noticeOf(body)))
  }
  const ids = new Set([...kept.keys(), ...read.keys()])
  return { resources: read.size, differences: [...ids].filter((id) => kept.get(id) !== read.get(id)).length }
}

const editIdOf = (postId: string) => postId.replace('post_', 'edit_')

/** What the feed tells of a pending edit. */
function noticeOf({ id, version, basedOn, changed, actor, updatedAt, scheduledFor, problem }: Resource): Resource {
  return { id: editIdOf(id), postId: id, version, basedOn, changed, actor, updatedAt, scheduledFor, problem }
}

/** How many posts a category or an author has changes with every post, and is not part of the feed. */
function textOf({ postCount: _, ...resource }: Resource): string {
  return JSON.stringify(Object.entries(resource).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function everything(service: KeptAlive, path: string, key: string): Promise<readonly Resource[]> {
  const found: Resource[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await service.ask('GET', `${path}?limit=100&sort=created_at${cursor}`, { key })
    if (status === 403) return []
    found.push(...body.data)
    if (!body.pagination.hasMore) return found
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

/** Writes something by chance, through the API: every kind of resource, every change of status, the trash, and what is erased. */
function writer(service: KeptAlive, chance: SeededRandom): () => Promise<void> {
  const made: Record<'posts' | 'authors' | 'categories' | 'media', string[]> = { posts: [], authors: [], categories: [], media: [] }
  const add = async (kind: keyof typeof made, path: string, body: object) => {
    const answer = await service.ask('POST', path, { body })
    if (answer.status === 201) made[kind].push(answer.body.id)
  }
  const fields = () => {
    const status = chance.pick(['draft', 'published', 'published', 'scheduled', 'archived'])
    return {
      title: `Title ${chance.int(50)}`,
      tags: chance.pick([[], ['a'], ['A', 'b'], ['c']]),
      status,
      ...(status === 'scheduled' && { scheduledFor: new Date(Date.now() + 200 + chance.int(longestWaitMs - 500)).toISOString() }),
      ...(chance.int(3) === 0 && { authorId: chance.pick([...made.authors, null]) }),
      ...(chance.int(3) === 0 && { categoryId: chance.pick([...made.categories, null]) }),
    }
  }
  const file = () => ({
    url: `https://cdn.example.com/${chance.int(1_000)}.png`,
    filename: 'a.png',
    mimeType: 'image/png',
    size: 1,
    width: 1,
    height: 1,
    alt: '',
  })
  return async () => {
    const kind = chance.int(100)
    if (made.posts.length === 0 || kind < 30) return add('posts', '/v1/posts', fields())
    const post = `/v1/posts/${chance.pick(made.posts)}`
    if (kind < 55)
      await service.ask('PATCH', post, { body: chance.pick([fields(), { content: `Content ${chance.int(1_000)}` }, { status: 'draft' }]) })
    else if (kind < 60) await writePending(service, chance, post)
    else if (kind < 65) await service.ask('DELETE', post)
    else if (kind < 70) await service.ask('DELETE', `${post}?permanent=true`)
    else if (kind < 78) await service.ask('POST', `${post}/restore`, { body: {} })
    else if (made.authors.length < 3 || kind < 81) await add('authors', '/v1/admin/authors', { name: `Author ${chance.int(9)}` })
    else if (made.categories.length < 3 || kind < 84)
      await add('categories', '/v1/admin/categories', { name: `Category ${chance.int(99)}` })
    else if (made.media.length < 3 || kind < 87) await add('media', '/v1/media', file())
    else await writeOther(service, chance, made)
  }
}

async function writePending(service: KeptAlive, chance: SeededRandom, post: string): Promise<void> {
  const soon = new Date(Date.now() + 200 + chance.int(longestWaitMs - 500)).toISOString()
  const [method, path, body] = chance.pick([
    ['PATCH', `${post}/pending`, { title: `Title ${chance.int(50)}` }],
    ['PATCH', `${post}/pending`, { tags: chance.pick([['a'], ['new']]), slug: `slug-${chance.int(20)}` }],
    ['POST', `${post}/pending/apply`, {}],
    ['POST', `${post}/pending/apply`, { scheduledFor: soon }],
    ['DELETE', `${post}/pending`, undefined],
  ] as const)
  await service.ask(method, path, body ? { body } : {})
}

async function writeOther(service: KeptAlive, chance: SeededRandom, made: Readonly<Record<'authors' | 'categories' | 'media', string[]>>) {
  const author = `/v1/admin/authors/${chance.pick(made.authors)}`
  const category = `/v1/admin/categories/${chance.pick(made.categories)}`
  const media = `/v1/media/${chance.pick(made.media)}`
  const [method, path, body] = chance.pick([
    ['PATCH', author, { name: `Author ${chance.int(99)}` }],
    ['PATCH', category, { slug: `category-${chance.int(99)}` }],
    ['PATCH', media, { alt: `Picture ${chance.int(99)}` }],
    ['DELETE', media, undefined],
    ['DELETE', `${author}?reassign_to=${chance.pick(made.authors)}`, undefined],
    ['DELETE', `${category}?reassign_to=${chance.pick(made.categories)}`, undefined],
  ] as const)
  await service.ask(method, path, body ? { body } : {})
}
