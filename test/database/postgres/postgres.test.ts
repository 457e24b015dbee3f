import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PostgresAddress } from '../../../src/app/config.ts'
import { realContext } from '../../../src/context.ts'
import { emptySharedDatabase, lookUp, range, sharedDatabase, startNode, statusesOf } from '../../harness/cluster.ts'
import { makeProject, requestsTo } from '../../harness/harness.ts'
import { type Sent, startProxy } from '../../harness/postgres-proxy.ts'

/** A node with a project, over a database of its own with these settings. */
async function start(settings: Partial<PostgresAddress> = {}) {
  const database = await sharedDatabase(settings)
  const app = await startNode(database)
  return { database, app, project: await makeProject(app, realContext, 'default') }
}

/** Another program that has begun a transaction and holds what a statement locks. */
async function holding(url: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  const letGo = async () => void (await client.query('rollback').then(() => client.end()))
  onTestFinished(async () => client.end().catch(() => undefined))
  return letGo
}

describe('PostgreSQL', () => {
  it('analyze: the planner knows how many rows there are, without waiting for autovacuum', async () => {
    const { database, app, project } = await start()
    for (let n = 0; n < 5; n++) await requestsTo(app.url, project.secret).post('/v1/posts', { title: `Post ${n}` })
    const rows = async () =>
      Number((await lookUp<{ rows: string }>(database.url, `select reltuples as rows from pg_class where relname = 'posts'`))[0]?.rows)
    expect(await rows()).toBeLessThan(5)
    await app.installation.engine.analyze?.()
    expect(await rows()).toBe(5)
  })

  it('VERSO_PG_PREPARE=false: everything works, and nothing is left on a connection for the next one to find', async () => {
    const database = await sharedDatabase({ prepare: false, poolSize: 3 })
    const sent: Sent[] = []
    const url = await startProxy(database.url, (message) => {
      sent.push(message)
      return 'pass'
    })
    const app = await startNode({ ...database, url })
    const { post, get, patch, delete: remove } = await makeProject(app, realContext, 'default')
    const answers = [
      await post('/v1/posts', { title: 'One', tags: ['a'], status: 'published' }),
      await post('/v1/posts', { title: 'One', scheduledFor: '2999-01-01T00:00:00Z', status: 'scheduled' }),
      await patch('/v1/posts/one', { title: 'Two', slug: 'two' }),
      await get('/v1/posts?tag=a&sort=title,-updated_at&search=t'),
      await get('/v1/posts/one'),
      await remove('/v1/posts/one-2'),
      await get('/v1/posts?trashed=true'),
      ...(await Promise.all(range(20).map((i) => post('/v1/posts', { title: `Same ${i % 2}` })))),
    ]
    expect(statusesOf(answers)).toEqual({ 200: 3, 201: 22, 204: 1, 301: 1 })
    const starts = sent.flatMap((message) => (message.kind === 'start' ? Object.keys(message.settings) : []))
    expect([...new Set(starts)].sort()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
    expect(sent.flatMap((message) => (message.kind === 'prepare' && message.name !== '' ? message.name : []))).toEqual([])
    const said = sent.flatMap((message) => (message.kind === 'query' || message.kind === 'prepare' ? message.sql : []))
    expect(said.length).toBeGreaterThan(100)
    const ofSession = /(?:^|;)\s*(?:set (?!local )|listen|prepare|declare)|pg_(?:try_)?advisory_lock|temporary/i
    expect(said.filter((text) => ofSession.test(text))).toEqual([])
    const begins = said.filter((text) => text.startsWith('begin'))
    expect(begins.filter((text) => !/set local statement_timeout = \d+; set local lock_timeout = \d+/.test(text))).toEqual([])
  })

  it('a user who may not create pg_trgm: the schema is made, and titles are searched without the index', async () => {
    const database = await emptySharedDatabase()
    const url = new URL(database.url)
    const role = `verso_plain_${url.pathname.slice(-8)}`
    await lookUp(database.url, `create role ${role} login password 'plain'; grant create on schema public to ${role}`)
    onTestFinished(async () => {
      await lookUp(database.url, `drop owned by ${role} cascade; drop role ${role}`)
    })
    const app = await startNode({ ...database, url: Object.assign(url, { username: role, password: 'plain' }).href })
    const { post, get } = await makeProject(app, realContext, 'default')
    await post('/v1/posts', { title: 'Xylophone' })
    expect((await get('/v1/posts?search=XYLO')).body.pagination.total).toBe(1)
    expect(await lookUp(database.url, `select count(*)::int as found from pg_extension where extname = 'pg_trgm'`)).toEqual([{ found: 0 }])
  })

  it.each([true, false])(
    'VERSO_PG_PREPARE=%s: a statement that takes too long is 503 overloaded, and nothing of it is kept',
    async (prepare) => {
      const { app, project, database } = await start({ prepare, statementTimeoutMs: 300 })
      const slowly = app.installation.engine.write(async (tx) => {
        await tx.updateTable('projects').set({ name: 'changed' }).execute()
        await sql`select pg_sleep(30)`.execute(tx)
      })
      await expect(slowly).rejects.toMatchObject({ code: 'overloaded' })
      expect(await lookUp(database.url, 'select name from projects')).toEqual([{ name: 'default' }])
      expect((await project.get('/v1/posts')).status).toBe(200)
    },
  )

  it.each([true, false])('VERSO_PG_PREPARE=%s: what somebody else keeps locked is 503 overloaded with Retry-After', async (prepare) => {
    const { project, database } = await start({ prepare, lockTimeoutMs: 300 })
    const { body: post } = await project.post('/v1/posts', { title: 'One' })
    const letGo = await holding(database.url, 'select * from posts for update')
    const answer = await project.patch(`/v1/posts/${post.id}`, { title: 'Two' })
    expect(answer.body).toMatchObject({ status: 503, code: 'overloaded' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await letGo()
    expect((await project.patch(`/v1/posts/${post.id}`, { title: 'Two' })).status).toBe(200)
  })

  it('reads go on while more writes wait than there are connections, and every write is done in the end', async () => {
    const { project, database } = await start({ poolSize: 4 })
    const letGo = await holding(database.url, 'select * from project_state for update')
    const writes = Promise.all(range(30).map((i) => project.post('/v1/posts', { title: `Title ${i}` })))
    const reads = await Promise.all(range(30).map(() => project.get('/v1/posts')))
    expect(statusesOf(reads)).toEqual({ 200: 30 })
    expect(reads[0]?.body.pagination.total).toBe(0)
    await letGo()
    expect(statusesOf(await writes)).toEqual({ 201: 30 })
  })

  it('VERSO_PG_POOL=1: one connection does for everything, for nothing waits for a second one while it has the first', async () => {
    const { project } = await start({ poolSize: 1 })
    const scheduledFor = new Date(Date.now() + 500).toISOString()
    await project.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor })
    const once = (i: number) => ({ headers: { 'idempotency-key': `key ${i % 5}` } })
    const asked = range(40).map((i) => [
      project.post('/v1/posts', { title: `Title ${i % 5}` }, once(i)),
      project.patch('/v1/posts/due', { excerpt: `${i}` }),
      project.get('/v1/posts?limit=5'),
    ])
    const all = await Promise.all(asked.flat())
    expect(statusesOf(all)).toEqual({ 200: 80, 201: 40 })
    while ((await project.get('/v1/posts/due')).body.status !== 'published');
  })

  it('GET /v1/posts?search: each search has a plan for what it looks for, however many there were on its connection', async () => {
    const { app, project } = await start({ poolSize: 1 })
    for (let n = 1; n <= 8; n++) expect((await project.get(`/v1/posts?search=title&page=${n}`)).status).toBe(200)
    const { rows } = await sql<{ custom: number; generic: number }>`
      select custom_plans as custom, generic_plans as generic from pg_prepared_statements
      where statement like '%title_folded like%' and statement like '%limit%'`.execute(app.installation.db)
    expect(rows).toEqual([{ custom: 8, generic: 0 }])
  })

  it('a long read has one processor, so that others go on', async () => {
    const { app, project } = await start()
    const { rows } = await app.installation.engine.longRead({ name: 'key', projectId: project.projectId }, (db) =>
      sql<{ workers: string }>`select current_setting('max_parallel_workers_per_gather') as workers`.execute(db),
    )
    expect(rows).toEqual([{ workers: '0' }])
  })

  it('a node goes on while another, newer one changes the schema under its prepared statements', async () => {
    const { project, database } = await start()
    const rounds = async () => [
      await project.post('/v1/posts', { title: 'One' }),
      await project.get('/v1/posts'),
      await project.get('/v1/posts/one'),
      await project.patch('/v1/posts/one', { excerpt: `${Math.random()}` }),
    ]
    await rounds()
    for (const table of ['posts', 'api_keys', 'contents', 'project_state']) {
      await lookUp(database.url, `alter table ${table} add column later text`)
      expect(statusesOf(await rounds())).toEqual({ 200: 3, 201: 1 })
    }
  })

  it('a node goes on after the server has ended all of its connections', async () => {
    const { project, database } = await start()
    await Promise.all(range(10).map(() => project.get('/v1/posts')))
    await lookUp(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const connections = 'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    while ((await lookUp(database.url, connections)).length > 0);
    expect(statusesOf(await Promise.all(range(10).map(() => project.get('/v1/posts'))))).toEqual({ 200: 10 })
  })

  it('check: an index that does not hold, a constraint that was never validated, and text with another collation are named', async () => {
    const { app, database } = await start()
    // As extensions do that count statements.
    await lookUp(database.url, `create view statistics as select 'a'::text collate "default" as statement`)
    expect(await app.installation.engine.check()).toEqual([])
    await lookUp(database.url, "update pg_index set indisvalid = false where indexrelid = 'posts_by_title'::regclass")
    await lookUp(database.url, 'alter table tags add constraint odd check (length(slug) > 0) not valid')
    await lookUp(database.url, 'alter table tags alter column description type text collate "default"')
    expect(await app.installation.engine.check()).toEqual([
      'the column tags.description is not compared by code point',
      'the constraint odd on tags was never validated',
      'the index posts_by_title is not valid; rebuild it with: reindex index posts_by_title',
    ])
  })

  it('the clock is the database’s, to the millisecond, in UTC', async () => {
    const { app, database } = await start()
    const before = await app.installation.engine.now()
    const [server] = await lookUp<{ now: Date }>(database.url, 'select clock_timestamp() as now')
    const after = await app.installation.engine.now()
    expect(before).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect([before <= `${server?.now.toISOString()}`, `${server?.now.toISOString()}` <= after]).toEqual([true, true])
  })
})
