import { describe, expect, it } from 'vitest'
import { makeFirstProject } from '../../src/cli/commands/serve-command.ts'
import { realContext } from '../../src/context.ts'
import {
  around,
  atOnce,
  emptySharedDatabase,
  lookUp,
  range,
  revisionsIn,
  sharedDatabase,
  sharedEngines,
  startNode,
  statusesOf,
} from '../harness/cluster.ts'
import { makeProject, requestsTo } from '../harness/harness.ts'
import { serve } from '../harness/program.ts'
import { countText, soakSize } from '../harness/soak.ts'

const workers = 10

/** Three nodes in this process over one database, and requests to each with the default key. */
async function threeNodes(on: string) {
  const database = await sharedDatabase({ on })
  const nodes = await Promise.all([startNode(database), startNode(database), startNode(database)])
  const first = around(nodes, 0)
  const project = await makeProject(first, realContext, 'default')
  return { database, project, first, urls: nodes.map(({ url }) => url), nodes: nodes.map(({ url }) => requestsTo(url, project.secret)) }
}

describe.each(sharedEngines)('several nodes over one %s', { timeout: 300_000 }, (on) => {
  it('nodes that start together on an empty database migrate once, and one of them makes the project and its keys', async () => {
    const database = await emptySharedDatabase({ on })
    const nodes = await Promise.all(range(3).map(() => serve(database.url)))
    const shown = nodes.map(({ stdout }) => [...stdout().matchAll(/verso_(?:live|pub)_\w+/g)].length).sort()
    expect(shown[0]).toBe(0)
    expect(shown[1]).toBe(0)
    expect(shown[2]).toBeGreaterThan(0)
    expect(await lookUp(database.url, 'select slug from projects')).toEqual([{ slug: 'default' }])
    expect(await lookUp(database.url, 'select kind from api_keys order by kind')).toEqual([{ kind: 'public' }, { kind: 'secret' }])
    expect(await lookUp(database.url, 'select id from installation')).toEqual([{ id: 1 }])
    for (const { url } of nodes) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('ten nodes may make the first project at once: one pair of keys', async () => {
    const database = await sharedDatabase({ on, poolSize: 2 })
    const nodes = await Promise.all(range(10).map(() => startNode(database)))
    const keys = await Promise.all(nodes.map(({ installation }) => makeFirstProject(installation)))
    expect(keys.filter((pair) => pair !== undefined)).toHaveLength(1)
    expect(await lookUp(database.url, 'select count(*)::int as keys from api_keys')).toEqual([{ keys: 2 }])
  })

  it('POST /v1/posts: 1,000 at once of 10 titles over 3 nodes are 1,000 posts, slugs and revisions, and no 5xx', async () => {
    const { database, nodes } = await threeNodes(on)
    const body = (i: number) => ({ title: `Title ${i % 10}`, tags: [`tag ${i % 7}`, `tag ${(i + 3) % 7}`] })
    const answers = await Promise.all(range(1_000).map((i) => around(nodes, i).post('/v1/posts', body(i))))
    expect(statusesOf(answers)).toEqual({ 201: 1_000 })
    const slugs = range(10).flatMap((n) => ['', ...range(99).map((i) => `-${i + 1}`)].map((suffix) => `title-${n - 1}${suffix}`))
    expect(answers.map(({ body: { slug } }) => slug).sort()).toEqual(slugs.sort())
    expect(await revisionsIn(database.url)).toEqual([...range(1_000), 1_000])
  })

  it('POST /v1/admin/keys: a project has at most 100 keys, however many are made at the same time over 3 nodes', async () => {
    const { nodes, project } = await threeNodes(on)
    const key = await project.keyWith('admin')
    const create = (i: number) => around(nodes, i).post('/v1/admin/keys', { name: 'x', kind: 'public' }, { key })
    expect(statusesOf(await Promise.all(range(87).map(create)))).toEqual({ 201: 87 })
    expect(statusesOf(await Promise.all(range(30).map(create)))).toEqual({ 201: 10, 422: 20 })
  })

  it('PATCH /v1/posts/{id}: 100 at once of one post over 3 nodes are all kept, one after the other', async () => {
    const { database, nodes, project } = await threeNodes(on)
    const { body: post } = await project.post('/v1/posts', { title: 'One' })
    const answers = await Promise.all(range(100).map((i) => around(nodes, i).patch(`/v1/posts/${post.id}`, { excerpt: `${i}` })))
    expect(statusesOf(answers)).toEqual({ 200: 100 })
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(range(101).slice(1))
    expect(await revisionsIn(database.url)).toEqual([...range(101), 101])
  })

  it('GET /v1/changes?wait=30: who waits at one node hears of what is written at another, and of what falls due', async () => {
    const { nodes, project } = await threeNodes(on)
    const waitFrom = (cursor: string) => around(nodes, 1).get(`/v1/changes?since=${cursor}&wait=30`, { key: project.public })
    const { body: start } = await around(nodes, 1).get('/v1/changes', { key: project.public })
    const first = waitFrom(start.nextCursor)
    await around(nodes, 2).post('/v1/posts', { title: 'Elsewhere', status: 'published' })
    const { body: heard } = await first
    expect(heard.data).toMatchObject([{ action: 'upsert', data: { title: 'Elsewhere' } }])
    const scheduledFor = new Date(Date.now() + 1_500).toISOString()
    const second = waitFrom(heard.nextCursor)
    await around(nodes, 2).post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor })
    expect((await second).body.data).toMatchObject([{ action: 'upsert', data: { title: 'Due', publishedAt: scheduledFor } }])
  })

  it('DELETE /v1/admin/keys/{id}: a key that is revoked on one node stops on every node at once', async () => {
    const { nodes, urls, project } = await threeNodes(on)
    const admin = await project.keyWith('admin')
    for (const node of range(9)) {
      const { body: key } = await around(nodes, node).post('/v1/admin/keys', { name: 'short', kind: 'secret' }, { key: admin })
      const asked = () => Promise.all(urls.map((url) => requestsTo(url, key.token).get('/v1/posts')))
      expect(statusesOf(await asked())).toEqual({ 200: 3 })
      expect((await around(nodes, node).delete(`/v1/admin/keys/${key.id}`, { key: admin })).status).toBe(204)
      expect(statusesOf(await asked())).toEqual({ 401: 3 })
    }
  })

  it('a key was last used when any node last saw it, in whatever order they write that down', async () => {
    const { database, project } = await threeNodes(on)
    const nodes = await Promise.all([startNode(database), startNode(database)])
    const note = (node: number) =>
      around(nodes, node)
        .jobs.find(({ name }) => name === 'key-use')
        ?.runOnce()
    await requestsTo(around(nodes, 0).url, project.public).get('/v1/posts')
    await requestsTo(around(nodes, 1).url, project.public).get('/v1/posts')
    await note(1)
    const [later] = await lookUp<{ at: string }>(database.url, "select last_used_at as at from api_keys where kind = 'public'")
    await note(0)
    expect(later?.at).toMatch(/Z$/)
    expect(await lookUp(database.url, "select last_used_at as at from api_keys where kind = 'public'")).toEqual([later])
  })

  const rounds = soakSize(250)
  it(`${countText(workers * rounds * 2)} writes on one node are each seen by the next read on another, in single posts and in lists`, {
    tags: ['soak'],
  }, async ({ annotate }) => {
    const { first, urls } = await threeNodes(on)
    const stale: string[] = []
    const writer = async (_: number, worker: number) => {
      const { secret } = await makeProject(first, realContext, `project-${worker}`)
      const [here, there, elsewhere] = [0, 1, 2].map((i) => requestsTo(around(urls, worker + i), secret))
      if (!here || !there || !elsewhere) throw new Error('there are three nodes')
      const { body: post } = await here.post('/v1/posts', { title: 'Mine', status: 'published' })
      let etag = (await there.get('/v1/posts?fields=excerpt')).headers.get('etag') ?? ''
      for (const n of range(rounds)) {
        await here.patch(`/v1/posts/${post.id}`, { excerpt: `a ${n}` })
        const list = await there.get('/v1/posts?fields=excerpt', { headers: { 'if-none-match': etag } })
        etag = list.headers.get('etag') ?? ''
        if (list.body?.data[0]?.excerpt !== `a ${n}`) stale.push(`list ${list.status} ${list.text}`)
        const again = n % 5 === 0 && (await elsewhere.get('/v1/posts?fields=excerpt', { headers: { 'if-none-match': etag } }))
        if (again && again.status !== 304) stale.push(`list again ${again.status}`)
        await elsewhere.patch(`/v1/posts/${post.id}`, { excerpt: `b ${n}` })
        const single = await here.get(`/v1/posts/${post.id}`)
        if (single.body.excerpt !== `b ${n}`) stale.push(`single ${single.text}`)
      }
    }
    await atOnce(workers, range(workers), writer)
    expect(stale).toEqual([])
    await annotate(`${countText(workers * rounds * 2)} writes, each seen by the next read on another node`)
  })
})
