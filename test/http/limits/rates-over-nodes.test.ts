import { describe, expect, it } from 'vitest'
import { range, sharedDatabase, sharedEngines, startNode } from '../../harness/cluster.ts'
import { makeProject, requestsTo, testContext } from '../../harness/harness.ts'

const limit = 120
const env = { VERSO_RATE_LIMIT_READS: String(limit), VERSO_RATE_LIMIT_WRITES: '3' }

async function startNodes(on: string, count: number) {
  const database = await sharedDatabase({ on })
  const nodes = await Promise.all(range(count).map(() => startNode(database, env)))
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const { secret } = await makeProject(first, testContext(new Date().toISOString()), 'default')
  const requests = nodes.map(({ url }) => requestsTo(url, secret))
  return { database, nodes, requests, secret }
}

const admitted = (answers: readonly { readonly status: number }[]) => answers.filter(({ status }) => status !== 429).length

describe.each(sharedEngines)('rates over nodes of one %s', (on) => {
  it('GET: all nodes together admit the limit and no more, in a burst to all at once', async () => {
    const { requests } = await startNodes(on, 3)
    const answers = await Promise.all(requests.flatMap((node) => range(limit).map(() => node.get('/v1/posts'))))
    expect(answers).toHaveLength(3 * limit)
    expect(admitted(answers)).toBeLessThanOrEqual(limit)
    // A node can be left with less than one lease.
    expect(admitted(answers)).toBeGreaterThanOrEqual(limit - 2 * 3)
  })

  it('GET: a node that is added or restarted has no more for a key', async () => {
    const { database, requests, secret } = await startNodes(on, 1)
    const [node] = requests
    const before = await Promise.all(range(limit).map(() => node?.get('/v1/posts')))
    expect(before.filter((answer) => answer?.status === 200)).toHaveLength(limit)
    const added = requestsTo((await startNode(database, env)).url, secret)
    expect(await added.get('/v1/posts')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })

  it('POST: writes are shared as well', async () => {
    const { requests } = await startNodes(on, 3)
    const answers = await Promise.all(requests.flatMap((node) => range(3).map((n) => node.post('/v1/posts', { title: `Post ${n}` }))))
    expect(admitted(answers)).toBe(3)
  })

  it('GET: while nothing can be written, reads go on, and each node admits a tenth of the limit', async () => {
    const { nodes, requests } = await startNodes(on, 2)
    await nodes[0]?.installation.engine.alone(async (tx) => {
      await tx.updateTable('installation').set({ state: 'moving', moved_to: 'elsewhere' }).execute()
    })
    for (const node of requests) {
      const answers = await Promise.all(range(limit + 30).map(() => node.get('/v1/posts')))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit / 10)
    }
  })
})
