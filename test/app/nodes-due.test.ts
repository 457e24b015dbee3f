import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/actions/action.ts'
import { operator } from '../../src/actions/caller.ts'
import { realContext } from '../../src/context.ts'
import { insertPosts } from '../../src/import/post-bulk-store.ts'
import { createPost } from '../../src/resources/posts/post.ts'
import { logPostChanges } from '../../src/resources/posts/post-write.ts'
import { newId } from '../../src/values/ids.ts'
import { later } from '../../src/values/instant.ts'
import { around, lookUp, range, revisionsIn, sharedDatabase, sharedEngines, startNode } from '../harness/cluster.ts'
import { type Answer, makeProject, type Requests, requestsTo } from '../harness/harness.ts'
import { serve } from '../harness/program.ts'
import { countText, soakSize } from '../harness/soak.ts'

/** How many posts fall due; the first after so long, and from then on one after the other. */
const posts = soakSize(2_000)
const firstAfterMs = 2_500
const everyMs = 3

/** Schedules posts, due one every few milliseconds. */
const schedule: Action<null, void> = {
  name: 'test.schedule',
  async run(tx, caller, _, random) {
    const written = range(posts).map((i) => {
      const scheduledFor = later(caller.now, firstAfterMs + i * everyMs)
      const edits = { title: `Due ${i}`, slug: `due-${i}`, status: 'scheduled', scheduledFor } as const
      return { before: undefined, change: createPost(newId('post', caller.now, random), edits, caller.now) }
    })
    const made = written.map(({ change }) => change.post)
    for (let start = 0; start < posts; start += 500) await insertPosts(tx, caller.projectId, made.slice(start, start + 500))
    await logPostChanges(tx, caller, written)
  },
}

/** What a list of posts shows that it ought not to, asked for at one time and answered at another. */
function faultsIn({ status, body }: Answer, asked: string, answered: string): readonly string[] {
  if (status !== 200) return [`answered ${status} ${body?.code}`]
  const shown: readonly { status: string; scheduledFor: string; publishedAt: string; slug: string }[] = body.data
  const late = shown.filter((post) => post.status === 'scheduled' && post.scheduledFor <= asked)
  const early = shown.filter((post) => post.status === 'published' && post.publishedAt > answered)
  return [...late.map(({ slug }) => `${slug} is late`), ...early.map(({ slug }) => `${slug} is early`)]
}

const now = () => new Date().toISOString()

describe.each(sharedEngines)('posts that fall due on several nodes over one %s', { timeout: 300_000 }, (on) => {
  it(`${countText(posts)} under load on 3 nodes, one of them killed: each is published once, on time, with one event`, {
    tags: ['soak'],
  }, async ({ annotate }) => {
    const database = await sharedDatabase({ on })
    const nodes = await Promise.all(range(3).map(() => serve(database.url, { env: { VERSO_LOG_LEVEL: 'warn' } })))
    const here = await startNode(database)
    const { projectId, secret } = await makeProject(here, realContext, 'busy')
    const urls = new Set(nodes.map(({ url }) => url))
    const faults: string[] = []
    let killed = false

    /** Asks and writes until everything is published; what the killed node does not answer does not count. */
    const visitor = async (number: number) => {
      const node = around(nodes, number)
      const requests = requestsTo(node.url, secret)
      for (let turn = number; !done && urls.has(node.url); turn++) {
        const failure = await authenticated(requests, turn, faults).catch((error: unknown) => error)
        if (failure !== undefined && !(killed && node === nodes[0])) faults.push(String(failure))
      }
    }
    let done = false
    await here.installation.perform(schedule, operator(projectId, 'cli', await here.installation.engine.now()), null)
    const watching = Promise.all(range(9).map(visitor))
    const left = async () =>
      (await requestsTo(around(nodes, 1).url, secret).get('/v1/posts?status=scheduled&limit=1')).body.pagination.total
    while ((await left()) > posts / 2);
    killed = true
    around(nodes, 0).signal('SIGKILL')
    urls.delete(around(nodes, 0).url)
    while ((await left()) > 0);
    done = true
    await watching

    // What the nodes said tells a race from publishing that did not move, after which requests go on without it.
    const said = nodes.map(({ stdout }) => stdout()).join('')
    expect(faults, said).toEqual([])
    const due = await lookUp<{ slug: string; status: string; onTime: boolean; events: number }>(
      database.url,
      `select slug, status, published_at = created.at_due as "onTime", (
         select count(*)::int from changes
         where changes.project_id = posts.project_id and resource_id = posts.id and news like '%post.published%' and at >= published_at
       ) as events
       from posts join lateral (
         select snapshot::json->>'scheduledFor' as at_due from post_revisions
         where post_revisions.project_id = posts.project_id and post_id = posts.id and version = 1
       ) as created on true
       where slug like 'due-%'`,
    )
    expect(due).toHaveLength(posts)
    expect(due.filter(({ status, onTime, events }) => status !== 'published' || !onTime || events !== 1)).toEqual([])
    const revisions = await revisionsIn(database.url)
    expect(revisions.filter((revision) => revision > 0)).toEqual([...range(revisions.length - 2), revisions.length - 2])
    await annotate(
      `${countText(posts)} posts fell due on 3 nodes, each published once, with ${countText(revisions.length)} revisions without a gap`,
    )
  })
})

/** One of the resources that go on meanwhile. */
async function authenticated(requests: Requests, turn: number, faults: string[]): Promise<void> {
  const asked = now()
  if (turn % 3 === 0) {
    const { status, body } = await requests.post('/v1/posts', { title: 'Meanwhile', status: 'published' })
    if (status !== 201) faults.push(`create ${status} ${body?.code}`)
  } else if (turn % 3 === 1) {
    const { status, body } = await requests.patch(`/v1/posts/due-${1 + ((turn * 37) % posts)}`, { excerpt: `Changed ${turn}` })
    if (status !== 200) faults.push(`patch ${status} ${body?.code}`)
  } else {
    const sort = turn % 2 === 0 ? 'status=scheduled&sort=scheduled_for' : 'status=published&sort=-published_at'
    faults.push(...faultsIn(await requests.get(`/v1/posts?${sort}&limit=5`), asked, now()))
  }
}
