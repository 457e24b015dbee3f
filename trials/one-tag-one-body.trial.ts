import type { Db, Engine } from '../src/database/engine.ts'
import { migratedDatabase, serveFrom, startOn } from '../test/harness/given-database.ts'
import { type Requests, startVerso, type TestApp, testContext } from '../test/harness/harness.ts'
import { trial } from './harness/trial.ts'

/** Lists of each way to read: short and long, with a total that is kept or counted, from one table or several. */
const lists = [
  '/v1/posts?limit=100',
  '/v1/posts?limit=100&fields=id,title',
  '/v1/posts?limit=100&sort=slug',
  '/v1/posts?limit=100&search=post',
  '/v1/posts?limit=100&q=words&sort=slug',
  '/v1/posts?limit=100&tag=tag&published_after=2020-01-01T00:00:00Z',
  '/v1/tags?limit=100',
]

interface Seen {
  /** Tags that two bodies had. */
  twice: number
  /** Lists whose total is not the number of their items. */
  torn: number
}

interface List {
  readonly etag: string
  readonly text: string
  readonly ofPosts: boolean
}

/** Compares answers: a tag has one body, and a list that fits on its page has as many items as its total. */
function comparing() {
  const bodies = new Map<string, string>()
  const seen: Seen = { twice: 0, torn: 0 }
  const compare = ({ etag, text, ofPosts }: List) => {
    if ((bodies.get(etag) ?? text) !== text) seen.twice++
    bodies.set(etag, text)
    const { data, pagination } = JSON.parse(text)
    if (ofPosts && pagination.total !== data.length) seen.torn++
  }
  return { compare, seen }
}

async function read(verso: Requests, path: string, key: string): Promise<List> {
  const { status, headers, text } = await verso.get(path, { key, headers: { 'accept-encoding': 'identity' } })
  if (status !== 200) throw new Error(`${path} was answered ${status}`)
  return { etag: headers.get('etag') ?? '', text, ofPosts: path.startsWith('/v1/posts') }
}

let written = 0

/** Publishes a post, and hides one of the earlier ones, so that the lists stay on one page. */
async function change(verso: TestApp): Promise<void> {
  const n = written++
  await verso.post('/v1/posts', { title: `Post ${n}`, slug: `post-${n}`, content: 'Words.', tags: ['tag'], status: 'published' })
  if (n >= 20) await verso.patch(`/v1/posts/post-${n - 20}`, { status: 'draft' })
}

/** Something happens before the first short statement like this, once. */
function beforeStatement(db: Db, pattern: RegExp, happens: () => Promise<unknown>): () => boolean {
  const { executeQuery } = db
  let isDone = false
  const interrupted: Db['executeQuery'] = async (query) => {
    if (!isDone && pattern.test('sql' in query ? query.sql : '')) {
      isDone = true
      await happens()
    }
    return executeQuery.call(db, query) as never
  }
  Object.assign(db, { executeQuery: interrupted })
  return () => {
    Object.assign(db, { executeQuery })
    return isDone
  }
}

const moments = { 'the page': /join "posts" on/, 'the total': /from "post_counts"/ }

/** The same list before, during and after a write at each of the moments. */
async function interrupt(verso: TestApp, { compare }: ReturnType<typeof comparing>): Promise<number> {
  let interrupted = 0
  for (const path of lists.slice(0, 2))
    for (const moment of Object.values(moments)) {
      await change(verso)
      compare(await read(verso, path, verso.public))
      await change(verso)
      const end = beforeStatement(verso.app.installation.db, moment, () => change(verso))
      compare(await read(verso, path, verso.public))
      if (end()) interrupted++
      // Another reader has the body of the revision at which the interrupted one was authenticated.
      await change(verso)
      const again = beforeStatement(verso.app.installation.db, moment, async () => {
        compare(await read(verso, path, verso.public))
        await change(verso)
      })
      compare(await read(verso, path, verso.public))
      again()
      compare(await read(verso, path, verso.public))
    }
  return interrupted
}

/** Whether a read sees a write that comes between its statements. */
async function seesTwoStates(verso: TestApp, read: Engine['longRead']): Promise<boolean> {
  return read({ name: 'a reader', projectId: verso.projectId }, async (db) => {
    const state = async () => JSON.stringify(await db.selectFrom('project_state').select('revision').execute())
    const before = await state()
    await change(verso)
    return (await state()) !== before
  })
}

trial<{ readonly seconds: number }>({
  name: 'one-tag-one-body',
  promise: 'A strong ETag of a list belongs to one body, and its page and total to one state, whatever is written meanwhile.',
  over: 'engines',
  sizes: { short: { seconds: 6 }, full: { seconds: 60 } },
  minutes: { short: 1, full: 4 },
  async run({ size, engine, figure }) {
    const verso = await startVerso(engine)
    const checks = comparing()
    const interrupted = await interrupt(verso, checks)
    const twoStates = await seesTwoStates(verso, verso.app.installation.engine.longRead)
    const until = performance.now() + size.seconds * 1_000
    const counts = { writes: 0, reads: 0 }
    const writer = async () => {
      while (performance.now() < until) {
        await change(verso)
        counts.writes++
      }
    }
    const reader = async (first: number) => {
      for (let i = first; performance.now() < until; i++) {
        checks.compare(await read(verso, lists[i % lists.length] ?? '', i % 2 === 0 ? verso.public : verso.secret).then(publicOnly))
        counts.reads++
      }
    }
    await Promise.all([writer(), ...lists.map((_, first) => reader(first))])
    figure('tags with two bodies', checks.seen.twice, { exactly: 0 })
    figure('lists whose page and total are of two states', checks.seen.torn, { exactly: 0 })
    figure('long reads that see a write between their statements', Number(twoStates), { exactly: 0 })
    figure('reads with a write in their midst for sure', interrupted)
    figure('writes', counts.writes)
    figure('reads meanwhile', counts.reads)
  },
  controls: {
    async 'a body of a later state under an earlier tag is seen'({ engine }) {
      const verso = await startVerso(engine)
      const { compare, seen } = comparing()
      await change(verso)
      const first = await read(verso, '/v1/posts?limit=100', verso.public)
      await change(verso)
      compare(first)
      compare({ ...(await read(verso, '/v1/posts?limit=100', verso.public)), etag: first.etag })
      return seen.twice
    },
    async 'a page and a total of two states are seen, where the service has a total that is not that of the page'({ engine }) {
      const verso = await startVerso(engine)
      const { compare, seen } = comparing()
      await change(verso)
      await verso.app.installation.engine.write((tx) =>
        tx
          .updateTable('post_counts')
          .set((eb) => ({ posts: eb('posts', '+', 98) }))
          .execute(),
      )
      compare(await read(verso, '/v1/posts?limit=100', verso.public))
      return seen.torn
    },
    async 'a read without a snapshot is seen to see a write between its statements'({ engine }) {
      const verso = await startVerso(engine)
      return Number(await seesTwoStates(verso, (_, work) => work(verso.app.installation.db)))
    },
    async 'a row that changes without a revision is seen: the service answers the same tag with another body'({ engine }) {
      const address = await migratedDatabase(engine)
      const verso = await startOn(address)
      const { compare, seen } = comparing()
      await change(verso)
      compare(await read(verso, '/v1/posts?limit=100&fields=id,title', verso.public))
      await verso.app.installation.engine.write((tx) => tx.updateTable('posts').set({ title: 'Changed behind the log' }).execute())
      // Another node, which has nothing in memory.
      compare(await read(await serveFrom(address, testContext(), verso.public), '/v1/posts?limit=100&fields=id,title', verso.public))
      return seen.twice
    },
  },
})

/** A key that sees drafts has more posts than fit on a page in the end; then its total says nothing. */
function publicOnly(list: List): List {
  const { pagination } = JSON.parse(list.text)
  return pagination.hasMore ? { ...list, ofPosts: false } : list
}
