import { describe, expect, it, onTestFinished } from 'vitest'
import { realContext } from '../../src/context.ts'
import { lookUp, range, sharedDatabase, startNode } from '../harness/cluster.ts'
import { type Answer, makeProject, type Requests, requestsTo } from '../harness/harness.ts'
import { type Fate, type Sent, startProxy } from '../harness/postgres-proxy.ts'
import { startPostgres } from '../harness/postgres-server.ts'
import { serve } from '../harness/program.ts'
import { countText, soakSize } from '../harness/soak.ts'

const cycles = soakSize(20)
const readyWithinMs = 3_000

/** What was asked to be written, by what was said of it. */
interface Written {
  readonly kept: string[]
  readonly failed: string[]
  readonly unknown: string[]
  readonly odd: string[]
}

function note(written: Written, title: string, { status, body, headers }: Answer): void {
  const waits = Number(headers.get('retry-after')) > 0
  if (status === 201) written.kept.push(title)
  else if (status === 503 && waits && body.code === 'outcome_unknown') written.unknown.push(title)
  else if (status === 503 && waits && ['database_unavailable', 'overloaded'].includes(body.code)) written.failed.push(title)
  else written.odd.push(`${title}: ${status} ${body?.code}`)
}

/** Until it is so; a test that waits too long is ended by its own time limit. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

const titlesIn = async (url: string) => new Set((await lookUp<{ title: string }>(url, 'select title from posts')).map(({ title }) => title))

describe('losing the database', { timeout: 300_000 }, () => {
  it(`${cycles} times ended at once under load: nothing acknowledged is lost, nothing refused is kept, ready within 3 s`, {
    tags: ['soak'],
  }, async ({ annotate }) => {
    const server = await startPostgres([])
    onTestFinished(server.stop)
    const node = await serve(server.url, { env: { VERSO_LOG_LEVEL: 'silent' } })
    const [secret = ''] = /verso_live_\w+/.exec(node.stdout()) ?? []
    const { post, get } = requestsTo(node.url, secret)
    const written: Written = { kept: [], failed: [], unknown: [], odd: [] }
    let over = false
    const writer = async (worker: number) => {
      for (let n = 1; !over; n++) note(written, `${worker}-${n}`, await post('/v1/posts', { title: `${worker}-${n}` }))
    }
    const reader = async () => {
      while (!over) {
        const { status, body } = await get('/v1/posts?limit=5')
        if (status !== 200 && status !== 503) written.odd.push(`GET: ${status} ${body?.code}`)
      }
    }
    const work = Promise.all([...range(6).map(writer), reader(), reader()])
    const waits: number[] = []
    for (const _ of range(cycles)) {
      const before = written.kept.length
      await until(() => written.kept.length > before + 20)
      await server.crash()
      await until(async () => (await get('/readyz')).status === 503)
      expect((await get('/healthz')).status).toBe(200)
      expect((await get('/v1/posts')).body).toMatchObject({ status: 503, code: 'database_unavailable' })
      await server.restart()
      const back = Date.now()
      await until(async () => (await get('/readyz')).status === 200)
      expect((await get('/v1/posts?limit=1')).status).toBe(200)
      waits.push(Date.now() - back)
    }
    over = true
    await work
    expect(written.odd).toEqual([])
    expect(Math.max(...waits)).toBeLessThan(readyWithinMs)
    expect(written.failed.length).toBeGreaterThan(cycles)
    const there = await titlesIn(server.url)
    expect(written.kept.filter((title) => !there.has(title))).toEqual([])
    expect(written.failed.filter((title) => there.has(title))).toEqual([])
    node.signal('SIGTERM')
    expect((await node.ended).code).toBe(0)
    await annotate(
      `${cycles} crashes, ${countText(written.kept.length)} posts acknowledged, none lost, ready again within ${Math.max(...waits)} ms`,
    )
  })
})

describe('losing the way to the database', () => {
  /** A node that reaches its database through a proxy, which decides once it is told to. */
  async function start(decide: (sent: Sent) => Fate, statementTimeoutMs = 20_000) {
    const database = await sharedDatabase({ poolSize: 3, statementTimeoutMs })
    const trouble = { begun: false }
    const url = await startProxy(database.url, (sent) => (trouble.begun ? decide(sent) : 'pass'))
    const app = await startNode({ ...database, url })
    const project = await makeProject(app, realContext, 'default')
    return { database, trouble, project }
  }

  const isCommit = (sent: Sent) => sent.kind === 'query' && sent.sql === 'commit'
  const post = async ({ post }: Pick<Requests, 'post'>) => post('/v1/posts', { title: 'Perhaps' })

  it.each([
    ['cut after the commit arrived', 'lose the answer', true],
    ['cut before the commit arrived', 'cut', false],
    ['silent from the commit on', 'fall silent', true],
  ] as const)('POST /v1/posts: 503 outcome_unknown where the connection is %s', async (_, fate, kept) => {
    const { database, trouble, project } = await start((sent) => (isCommit(sent) ? fate : 'pass'), 500)
    trouble.begun = true
    const answer = await post(project)
    trouble.begun = false
    expect(answer.body).toMatchObject({ status: 503, code: 'outcome_unknown' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await until(async () => (await titlesIn(database.url)).has('Perhaps') === kept)
    expect((await post(project)).status).toBe(201)
  })

  it('POST /v1/posts: 503 database_unavailable where the connection is cut before the commit, and nothing is kept', async () => {
    const { database, trouble, project } = await start((sent) => (sent.kind === 'prepare' && sent.sql.includes('insert') ? 'cut' : 'pass'))
    trouble.begun = true
    const answer = await post(project)
    trouble.begun = false
    expect(answer.body).toMatchObject({ status: 503, code: 'database_unavailable' })
    expect((await titlesIn(database.url)).size).toBe(0)
    expect((await post(project)).status).toBe(201)
  })

  it('GET /readyz: 503 in time, and GET /healthz: 200, where the database is silent', async () => {
    const { trouble, project } = await start(() => 'fall silent', 500)
    trouble.begun = true
    expect((await project.get('/readyz')).body).toMatchObject({ status: 'unavailable', checks: { database: 'unavailable' } })
    expect((await project.get('/healthz')).status).toBe(200)
    trouble.begun = false
    await until(async () => (await project.get('/readyz')).status === 200)
  })

  it('GET /v1/posts: 503 within the time limit of a statement where the database is silent, and nothing waits for it afterwards', async () => {
    const { trouble, project } = await start((sent) => (sent.kind === 'other' ? 'fall silent' : 'pass'), 500)
    trouble.begun = true
    expect((await project.get('/v1/posts')).body).toMatchObject({ status: 503, code: 'database_unavailable' })
    trouble.begun = false
    expect((await project.get('/v1/posts')).status).toBe(200)
  })
})
