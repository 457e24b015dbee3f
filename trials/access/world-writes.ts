import type { Answer } from '../../test/harness/harness.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { type Memory, tagNames, words } from './public-reads.ts'
import { startOfTime, type TwinWorld } from './twin-worlds.ts'

/** What both worlds have alike: the names that later writes use. */
export class CommonThings {
  readonly posts: string[] = []
  readonly authors: string[] = []
  readonly categories: string[] = []
  readonly media: string[] = []
  /** Slugs that led to a post once. Something hidden may take them over. */
  readonly oldSlugs: string[] = []
  readonly slugOf = new Map<string, string>()
  /** Posts that are hidden in both worlds, under names that differ, and that will be published again. */
  readonly resting: string[] = []
  /** Those of them that were renamed since. */
  readonly renamed = new Set<string>()
  /** How often a post was renamed while hidden and then published again. */
  returned = 0
  /** A number for every slug, so that no two writes ask for the same. */
  slugs = 0
}

/** A write, decided before it is made, so that it can be made twice. */
export interface PlannedWrite {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** What the second world gets instead: as many writes as the first, since a version that is published later tells their number. */
  readonly second?: unknown
  /** Whether it hides a post until it is published again, or does the latter. */
  readonly turn?: 'rests' | 'returns'
  /** A post that stays hidden from now on, whatever is done to it. */
  readonly retired?: string
}

const hourMs = 3_600_000
const picture = { url: 'https://cdn.example/a.png', mimeType: 'image/png', size: 1, width: 1, height: 1 }

const textOf = (random: SeededRandom, most: number) => Array.from({ length: 1 + random.int(most) }, () => random.pick(words)).join(' ')
/** Some that every post may have, and one of many that few have. */
const tagsOf = (random: SeededRandom) => [...tagNames.filter(() => random.int(4) === 0), `topic ${random.int(60)}`]
const sometimes = <T>(random: SeededRandom, of: number, fields: T) => (random.int(of) === 0 ? fields : {})
const isoAfter = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()

function fieldsOf(random: SeededRandom, common: CommonThings) {
  return {
    title: textOf(random, 3),
    content: textOf(random, 60),
    tags: tagsOf(random),
    ...sometimes(random, 3, { aliases: [`/old/${common.slugs++}/`] }),
    ...sometimes(random, 3, { excerpt: textOf(random, 6) }),
    ...sometimes(random, 2, { authorId: random.pick([...common.authors, null]) }),
    ...sometimes(random, 2, { categoryId: random.pick([...common.categories, null]) }),
    ...sometimes(random, 6, { seo: { title: textOf(random, 2) } }),
  }
}

const publicStates = (random: SeededRandom, now: Date) =>
  random.pick([
    { status: 'published' },
    { status: 'published' },
    { status: 'published', publishedAt: isoAfter(now, -random.int(40) * 24 * hourMs) },
    { status: 'draft' },
    { status: 'archived' },
    { status: 'scheduled', scheduledFor: isoAfter(now, (1 + random.int(6)) * hourMs) },
  ])

/** A write of something that anybody may see now, or that both worlds hide alike. */
export function planCommonWrite(random: SeededRandom, common: CommonThings, now: Date): PlannedWrite {
  const kind = random.int(100)
  const { posts, authors, categories, media } = common
  const slug = `p-${common.slugs++}`
  if (posts.length < 3 || kind < 34) return create({ ...fieldsOf(random, common), slug, ...publicStates(random, now) })
  const post = `/v1/posts/${random.pick(posts)}`
  if (kind < 52) return { method: 'PATCH', path: post, body: fieldsOf(random, common) }
  if (kind < 60) return { method: 'PATCH', path: post, body: publicStates(random, now) }
  if (kind < 66) return { method: 'PATCH', path: post, body: { slug } }
  if (kind < 71) return { method: 'DELETE', path: random.int(4) === 0 ? `${post}?permanent=true` : post }
  if (kind < 74) return { method: 'POST', path: `${post}/restore`, body: { slug } }
  // Its former slug has shown that it was public, and from now on may show no more.
  if (kind < 77) return { method: 'PATCH', path: post, body: { status: 'archived', slug }, retired: post.slice('/v1/posts/'.length) }
  if (kind < 78) return { method: 'POST', path: `${post}/revisions/1/restore` }
  if (authors.length === 0 || kind < 81)
    return { method: 'POST', path: '/v1/admin/authors', body: { name: textOf(random, 1), email: 'a@b.example' } }
  if (categories.length === 0 || kind < 84)
    return { method: 'POST', path: '/v1/admin/categories', body: { name: textOf(random, 1), slug: `c-${slug}` } }
  if (kind < 87) return { method: 'PATCH', path: `/v1/admin/authors/${random.pick(authors)}`, body: { name: textOf(random, 2) } }
  if (kind < 90) return { method: 'PATCH', path: `/v1/admin/categories/${random.pick(categories)}`, body: { name: textOf(random, 2) } }
  // With `reassign_to`, the answer does not depend on whether something hidden names it.
  if (kind < 91) return { method: 'DELETE', path: `/v1/admin/authors/${random.pick(authors)}?reassign_to=${random.pick(authors)}` }
  if (kind < 92) return { method: 'DELETE', path: `/v1/admin/categories/${random.pick(categories)}?reassign_to=${random.pick(categories)}` }
  if (media.length === 0 || kind < 95)
    return { method: 'POST', path: '/v1/media', body: { ...picture, filename: 'a.png', alt: textOf(random, 2) } }
  const record = `/v1/media/${random.pick(media)}`
  return kind < 98 ? { method: 'PATCH', path: record, body: { alt: textOf(random, 2) } } : { method: 'DELETE', path: record }
}

/** A turn of a post that is retired, renamed in one world alone or to another name in each, and published again alike. A new one if there is none. */
export function planTurn(random: SeededRandom, common: CommonThings, now: Date): PlannedWrite {
  const { posts, resting } = common
  if (posts.length + resting.length === 0) return planCommonWrite(random, common, now)
  if (posts.length > 0 && (resting.length === 0 || (resting.length < 4 && random.int(4) === 0)))
    return { method: 'PATCH', path: `/v1/posts/${random.pick(posts)}`, body: { status: 'archived' }, turn: 'rests' }
  const id = random.pick(resting)
  const path = `/v1/posts/${id}`
  const apart = () => ({
    title: textOf(random, 3),
    content: textOf(random, 60),
    tags: tagsOf(random),
    aliases: [`/old/${common.slugs++}/`],
  })
  const renamed = () => ({ ...apart(), slug: `h-${random.int(1e9)}` })
  if (random.int(5) < 3) return { method: 'PATCH', path, body: renamed(), second: random.int(2) === 0 ? apart() : renamed() }
  const slug = random.int(2) === 0 ? common.slugOf.get(id) : `p-${common.slugs++}`
  const body = { ...nothing, ...fieldsOf(random, common), slug, status: 'published' }
  return { method: 'PATCH', path, body, turn: 'returns' }
}

/** Of the fields that are not always written, nothing, so that no hidden edit shows. */
const nothing = { aliases: [], excerpt: null, authorId: null, categoryId: null }

function create(body: unknown): PlannedWrite {
  return { method: 'POST', path: '/v1/posts', body }
}

const never = '2030-01-01T00:00:00Z'

/** A write that nobody without `posts:read_drafts` may notice, in one world alone. */
export function planHiddenWrite(random: SeededRandom, common: CommonThings, { hiddenPosts }: TwinWorld, now: Date): PlannedWrite {
  const kind = random.int(100)
  const slug = random.int(3) === 0 && common.oldSlugs.length > 0 ? random.pick(common.oldSlugs) : `h-${random.int(1e9)}`
  if (hiddenPosts.length === 0 || common.posts.length === 0 || kind < 30) return create(hiddenPost(random, common, { slug, now }))
  const post = `/v1/posts/${random.pick(hiddenPosts)}`
  if (kind < 50) return { method: 'PATCH', path: post, body: { ...fieldsOf(random, common), ...hiddenState(random, now) } }
  if (kind < 58) return { method: 'PATCH', path: post, body: { slug } }
  if (kind < 66) return { method: 'DELETE', path: random.int(3) === 0 ? `${post}?permanent=true` : post }
  if (kind < 70) return { method: 'POST', path: `${post}/restore` }
  if (kind < 74) return { method: 'POST', path: `${post}/revisions/1/restore` }
  if (kind < 78) return { method: 'POST', path: `${post}/preview-tokens`, body: {} }
  if (kind < 80) return { method: 'POST', path: '/v1/admin/webhooks', body: { url: 'https://hooks.example/' } }
  if (kind < 82) return { method: 'POST', path: '/v1/admin/keys', body: { name: 'x', kind: random.pick(['secret', 'public']) } }
  if (kind < 86) return { method: 'PATCH', path: `/v1/posts/${random.pick(common.posts)}?dry_run=true`, body: { title: textOf(random, 2) } }
  if (kind < 88) return { method: 'PATCH', path: `/v1/posts/${random.pick(common.posts)}`, body: { title: '' } }
  if (kind < 96) return pendingWrite(random, common, slug)
  const operations = Array.from({ length: 1 + random.int(40) }, () => ({
    op: 'create',
    body: hiddenPost(random, common, { slug: undefined, now }),
  }))
  return { method: 'POST', path: '/v1/posts/batch', body: { operations } }
}

/** A write of the pending edit of a post that both worlds have, and that may be public. What is applied is hidden, and stays so. */
function pendingWrite(random: SeededRandom, common: CommonThings, slug: string): PlannedWrite {
  const path = `/v1/posts/${random.pick(common.posts)}/pending`
  const kind = random.int(8)
  if (kind === 0) return { method: 'DELETE', path }
  if (kind === 1) return { method: 'POST', path: `${path}/apply?dry_run=true` }
  if (kind === 2) return { method: 'POST', path: `${path}/apply`, body: { scheduledFor: never } }
  return { method: 'PATCH', path, body: { ...fieldsOf(random, common), ...sometimes(random, 3, { slug }) } }
}

function hiddenPost(random: SeededRandom, common: CommonThings, { slug, now }: { readonly slug: string | undefined; readonly now: Date }) {
  return { ...fieldsOf(random, common), ...(slug !== undefined && random.int(2) === 0 && { slug }), ...hiddenState(random, now) }
}

function hiddenState(random: SeededRandom, now: Date) {
  return random.pick([
    { status: 'draft' },
    { status: 'scheduled', scheduledFor: never },
    { status: 'archived' },
    { status: 'archived', publishedAt: isoAfter(now, -random.int(40) * 24 * hourMs) },
  ])
}

/** When a write is made, and the name that its random values come from. */
interface Step {
  readonly name: string
  readonly ms: number
}

/** Makes a common write in both worlds. */
export async function writeInBoth(
  twins: readonly TwinWorld[],
  write: PlannedWrite,
  step: Step,
  { common, memory }: { readonly common: CommonThings; readonly memory: Memory },
): Promise<void> {
  const { method, path, body, second = body } = write
  const answers: Answer[] = []
  for (const [i, twin] of twins.entries())
    answers.push(await twin.world.step(step.name, instantOf(step.ms), () => twin.ask(method, path, i === 0 ? body : second)))
  const [one, other] = answers
  if (one?.status !== other?.status || one?.body?.id !== other?.body?.id)
    throw new Error(
      `the worlds have come apart by ${JSON.stringify(write)}: ${one?.status} ${one?.text} and ${other?.status} ${other?.text}`,
    )
  if (!one || !other || one.status >= 400) return
  if (write.second !== undefined) {
    for (const answer of [one, other]) noteHidden(answer.body, memory)
    common.renamed.add(one.body.id)
    return
  }
  keepNames(write, one.body, common)
  memory.note('old', common.oldSlugs.at(-1))
  if (write.turn !== undefined) {
    memory.note('old', one.body.slug)
    takeTurn(write.turn, one.body.id, common)
  }
  if (write.retired === undefined) return
  common.posts.splice(common.posts.indexOf(write.retired), 1)
  for (const { hiddenPosts } of twins) hiddenPosts.push(write.retired)
}

function takeTurn(turn: 'rests' | 'returns', id: string, common: CommonThings): void {
  const { posts, resting, renamed } = common
  const [from, to] = turn === 'rests' ? [posts, resting] : [resting, posts]
  from.splice(from.indexOf(id), 1)
  to.push(id)
  if (turn === 'returns' && renamed.delete(id)) common.returned++
}

function keepNames(
  { method, path }: PlannedWrite,
  made: { readonly id: string; readonly slug?: string } | undefined,
  common: CommonThings,
): void {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== 'v1' && part !== 'admin' && part !== '')
  const [kind = '', id = ''] = parts
  const { posts, authors, categories, media, slugOf, oldSlugs } = common
  const list = { posts, authors, categories, media }[kind]
  if (method === 'DELETE' && (kind === 'authors' || kind === 'categories')) list?.splice(list.indexOf(id), 1)
  if (!made) return
  if (method === 'POST' && parts.length === 1) list?.push(made.id)
  const before = slugOf.get(made.id)
  if (kind !== 'posts' || !made.slug) return
  if (before !== undefined && before !== made.slug) oldSlugs.push(before)
  slugOf.set(made.id, made.slug)
}

/** Makes a hidden write in one world. */
export async function writeInOne(twin: TwinWorld, { method, path, body }: PlannedWrite, step: Step, memory: Memory): Promise<void> {
  const answer = await twin.world.step(step.name, instantOf(step.ms), () => twin.ask(method, path, body))
  if (answer.status >= 400 || method === 'GET' || !answer.body || path.includes('dry_run')) return
  // The post is one that both worlds have.
  if (path.includes('/pending')) {
    for (const tag of answer.body.tags) memory.note('hiddenTag', tag.toLowerCase())
    return
  }
  const made = answer.body.results ? answer.body.results.map((each: { readonly post?: unknown }) => each.post) : [answer.body]
  for (const each of made) {
    if (!each?.id?.startsWith('post_')) continue
    if (!twin.hiddenPosts.includes(each.id)) twin.hiddenPosts.push(each.id)
    noteHidden(each, memory)
  }
}

function noteHidden(post: { readonly id: string; readonly slug: string; readonly tags: readonly string[] }, memory: Memory): void {
  memory.note('hidden', post.id)
  memory.note('hidden', post.slug)
  for (const tag of post.tags) memory.note('hiddenTag', tag.toLowerCase())
}

export const instantOf = (ms: number) => new Date(startOfTime + ms).toISOString()
