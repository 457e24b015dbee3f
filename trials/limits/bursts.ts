import type { App } from '../../src/app/start-app.ts'
import { sharedDatabase, startNode } from '../../test/harness/cluster.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import { makeProject, type Requests, requestsTo, startVerso, testContext } from '../../test/harness/harness.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'

/** Nodes over one database, with the same limit of reads for each key. */
export interface Nodes {
  readonly urls: readonly string[]
  readonly first: App
  /** A new key, that nothing was counted for. */
  newKey(): Promise<string>
  /** Stops a node and starts another one in its place. */
  replace(index: number): Promise<void>
}

/** On SQLite there is one node. */
export async function startNodes(engine: TestEngine, count: number, limit: number): Promise<Nodes> {
  const env = { VERSO_RATE_LIMIT_READS: String(limit), VERSO_TRUST_PROXY: 'true' }
  if (engine.name !== 'PostgreSQL') {
    const verso = await startVerso(engine, { env, context: testContext(new Date().toISOString()) })
    return { urls: [verso.app.url], first: verso.app, newKey: () => verso.publicKeyWith('posts:read'), replace: async () => undefined }
  }
  const database = await sharedDatabase({ poolSize: 4 })
  const nodes: App[] = []
  for (let i = 0; i < count; i++) nodes.push(await startNode(database, env))
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const urls = nodes.map(({ url }) => url)
  const project = await makeProject(first, testContext(new Date().toISOString()), 'default')
  return {
    urls,
    first,
    newKey: () => project.publicKeyWith('posts:read'),
    async replace(index) {
      urls[index] = (await startNode(database, env)).url
    },
  }
}

interface Burst {
  readonly nodes: Nodes
  readonly limit: number
  readonly random: SeededRandom
  /** Called now and then while requests are under way. */
  meanwhile?(): Promise<void>
}

/** Sends a fresh key's requests to all nodes, three times as many as it may have, and returns how many were answered 200. */
export async function burst({ nodes, limit, random, meanwhile }: Burst): Promise<number> {
  const key = await nodes.newKey()
  let admitted = 0
  let left = 3 * limit
  while (left > 0) {
    const size = Math.min(left, 1 + random.int(limit))
    left -= size
    const clients: readonly Requests[] = nodes.urls.map((url) => requestsTo(url, key))
    const answers = await Promise.all(Array.from({ length: size }, () => random.pick(clients).get('/v1/posts?limit=1')))
    admitted += answers.filter(({ status }) => status === 200).length
    await meanwhile?.()
  }
  return admitted
}
