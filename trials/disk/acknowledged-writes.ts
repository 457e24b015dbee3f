import type { SeededRandom } from '../harness/seeded-random.ts'
import type { Client } from './service.ts'

/** A post as the last acknowledged write left it, and what a write without an answer may have made of it. */
interface Known {
  readonly id: string
  readonly version: number
  readonly title: string
  /** The title that a write whose answer never came would have given it. */
  readonly maybe?: string
}

/** What writers were told, to be compared with what is there after a crash. */
export interface Ledger {
  readonly posts: Map<string, Known>
  /** Titles of creates whose answer never came. */
  readonly unanswered: Set<string>
  /** Posts that were written since the last comparison. */
  readonly touched: Set<string>
  acknowledged: number
  counter: number
}

export function openLedger(): Ledger {
  return { posts: new Map(), unanswered: new Set(), touched: new Set(), acknowledged: 0, counter: 0 }
}

/** Creates and changes posts until a connection breaks off. Calls back after each acknowledged write. */
export async function writeUntilCut(send: Client, ledger: Ledger, random: SeededRandom, writer: number, more = () => true): Promise<void> {
  const own = [...ledger.posts.keys()].filter((id) => id.charCodeAt(id.length - 1) % 8 === writer).slice(-20)
  while (more()) {
    const title = `word${ledger.counter++} of ${writer}`
    const known = own.length > 0 && random.fraction() < 0.5 ? ledger.posts.get(random.pick(own)) : undefined
    const isDone = known ? await change(send, ledger, known, title) : await create(send, ledger, own, title, random)
    if (!isDone) return
  }
}

async function create(send: Client, ledger: Ledger, own: string[], title: string, random: SeededRandom): Promise<boolean> {
  ledger.unanswered.add(title)
  const content = 'x'.repeat(random.int(3_000))
  const { status, body } = await send('POST', '/v1/posts', { title, content, tags: ['kept', `tag ${random.int(30)}`], status: 'published' })
  if (status === 0 || body?.code === 'outcome_unknown') return false
  ledger.unanswered.delete(title)
  if (status !== 201) return true
  ledger.posts.set(body.id, { id: body.id, version: body.version, title })
  ledger.touched.add(body.id)
  ledger.acknowledged++
  own.push(body.id)
  return true
}

async function change(send: Client, ledger: Ledger, known: Known, title: string): Promise<boolean> {
  ledger.posts.set(known.id, { ...known, maybe: title })
  ledger.touched.add(known.id)
  const { status, body } = await send('PATCH', `/v1/posts/${known.id}`, { title })
  if (status === 0 || body?.code === 'outcome_unknown') return false
  if (status === 200) {
    ledger.posts.set(known.id, { id: known.id, version: body.version, title })
    ledger.acknowledged++
  } else ledger.posts.set(known.id, known)
  return true
}

export interface Compared {
  /** Acknowledged writes that are not there. */
  readonly lost: number
  /** Posts that are there without their revision, their place in lists, or their title in searches. */
  readonly halves: number
}

/** Compares what was written since the last time with what the service answers. A write without an answer may have been made, but whole. */
export async function compare(send: Client, ledger: Ledger): Promise<Compared> {
  let [lost, halves] = [0, 0]
  for (const id of ledger.touched) {
    const known = ledger.posts.get(id)
    if (!known) continue
    const { status, body } = await send('GET', `/v1/posts/${id}`)
    const isAsKnown = status === 200 && body.title === known.title && body.version === known.version
    const isAsMaybe = status === 200 && known.maybe !== undefined && body.title === known.maybe && body.version === known.version + 1
    if (!isAsKnown && !isAsMaybe) lost++
    else if (!(await isWhole(send, body))) halves++
    if (status === 200) ledger.posts.set(id, { id, version: body.version, title: body.title })
  }
  for (const title of ledger.unanswered) {
    const [post] = (await send('GET', `/v1/posts?search=${encodeURIComponent(title)}`)).body?.data ?? []
    if (!post) continue
    if (!(await isWhole(send, post))) halves++
    ledger.posts.set(post.id, { id: post.id, version: post.version, title: post.title })
  }
  ledger.unanswered.clear()
  ledger.touched.clear()
  return { lost, halves }
}

/** Whether a post has its revision and is found by its title, by its words and by its tag. */
async function isWhole(send: Client, { id, version, title }: { readonly id: string; readonly version: number; readonly title: string }) {
  const revisions = await send('GET', `/v1/posts/${id}/revisions?limit=1`)
  const [word] = title.split(' ')
  const found = await Promise.all([
    send('GET', `/v1/posts?search=${encodeURIComponent(title)}`),
    send('GET', `/v1/posts?q=${word}`),
    send('GET', `/v1/posts?search=${encodeURIComponent(title)}&tag=kept`),
  ])
  const isThere = found.every(({ body }) =>
    body?.data?.some((post: { id: string; version: number }) => post.id === id && post.version === version),
  )
  return isThere && revisions.body?.data?.[0]?.version === version
}
