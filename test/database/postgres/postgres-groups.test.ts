import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { Change } from '../../../src/actions/change-log/change.ts'
import { isInLog, recordChange } from '../../../src/actions/change-log/change-log-store.ts'
import { realContext } from '../../../src/context.ts'
import { type Tx, WriteConflict } from '../../../src/database/engine.ts'
import { attempt } from '../../../src/database/savepoint.ts'
import { listWrongCounts } from '../../../src/lists/post-count-store.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { Problem } from '../../../src/values/problems.ts'
import { lookUp, range, revisionsIn, sharedDatabase, startNode, statusesOf } from '../../harness/cluster.ts'
import { makeProject } from '../../harness/harness.ts'
import { type Fate, startProxy } from '../../harness/postgres-proxy.ts'

/** A node with a project, how often it has committed since, and what becomes of its commits from now on. */
async function start() {
  const database = await sharedDatabase()
  const said: { commits: number; fate: Fate } = { commits: 0, fate: 'pass' }
  const url = await startProxy(database.url, (sent) => {
    if (sent.kind !== 'query' || sent.sql !== 'commit') return 'pass'
    said.commits++
    return said.fate
  })
  const app = await startNode({ ...database, url })
  const project = await makeProject(app, realContext, 'default')
  said.commits = 0
  const write = <T>(work: (tx: Tx) => Promise<T>, name = project.projectId) => app.installation.engine.write(work, name)
  return { database, app, project, said, write }
}

/** Work that adds a word to the name of the project and then goes on as it is told. */
function adding(word: string, goOn: (tx: Tx) => unknown = () => undefined) {
  return async (tx: Tx) => {
    await sql`update projects set name = name || ${` ${word}`}`.execute(tx)
    await goOn(tx)
    return word
  }
}

const nameIn = async (url: string) => (await lookUp<{ name: string }>(url, 'select name from projects'))[0]?.name

/** What became of each, in order: what it gave, or why it was refused. */
const outcomesOf = async (asked: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason.code ?? each.reason.message)))

/** Another program that holds what a statement locks until it is told to let go. */
async function holding(url: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => client.end().catch(() => undefined))
  await client.query('begin')
  await client.query(statement)
  return async () => void (await client.query('rollback'))
}

const refuse = () => {
  throw new Problem('slug_conflict', 'no')
}

describe('writes of one project that come together on PostgreSQL', { timeout: 60_000 }, () => {
  it('share one transaction, and one that is refused is undone alone', async () => {
    const { database, said, write } = await start()
    const asked = [write(adding('one')), write(adding('two', refuse)), write(adding('three'))]
    expect(await outcomesOf(asked)).toEqual(['one', 'slug_conflict', 'three'])
    expect(await nameIn(database.url)).toBe('default one three')
    expect(said.commits).toBe(1)
  })

  it('have short limits for statements and locks, and a longer one for pauses: large texts take a busy machine a while', async () => {
    const { write } = await start()
    const { rows } = await write((tx) =>
      sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as pause`.execute(tx),
    )
    expect(rows).toEqual([{ statement: '1s', lock: '300ms', pause: '5s' }])
  })

  it('those of different projects, and of none, have transactions of their own', async () => {
    const { app, said, write } = await start()
    const nothing = async () => 'done'
    const asked = [
      write(nothing, 'prj_a'),
      write(nothing, 'prj_a'),
      write(nothing, 'prj_b'),
      app.installation.engine.write(nothing),
      write(nothing, 'prj_b'),
    ]
    expect(await outcomesOf(asked)).toEqual(Array(5).fill('done'))
    expect(said.commits).toBe(3)
  })

  it('one that loses a race is done again in a transaction of its own, and the others are kept', async () => {
    const { database, said, write } = await start()
    let tries = 0
    const overtaken = () => {
      if (++tries < 3) throw new WriteConflict('post')
    }
    const asked = [write(adding('one')), write(adding('two', overtaken)), write(adding('three'))]
    expect(await outcomesOf(asked)).toEqual(['one', 'two', 'three'])
    expect(await nameIn(database.url)).toBe('default one three two')
    expect([tries, said.commits]).toEqual([3, 2])
  })

  it('one that fails for a fault of the server’s own making fails alone', async () => {
    const { database, write } = await start()
    const divide = (tx: Tx) => sql`select 1 / 0`.execute(tx)
    const asked = [write(adding('one')), write(adding('two', divide)), write(adding('three'))]
    expect(await outcomesOf(asked)).toEqual(['one', '22012', 'three'])
    expect(await nameIn(database.url)).toBe('default one three')
  })

  it('one that must wait for another program does not hold the others up, and is done once it may be', async () => {
    const { database, project, write } = await start()
    await project.post('/v1/posts', { title: 'Held' })
    const letGo = await holding(database.url, 'select * from posts for update')
    const change = (tx: Tx) => sql`update posts set excerpt = 'changed'`.execute(tx)
    const held = write(change)
    const others = [write(adding('one')), write(adding('two'))]
    expect(await outcomesOf(others)).toEqual(['one', 'two'])
    await letGo()
    await held
    expect(await lookUp(database.url, 'select excerpt from posts')).toEqual([{ excerpt: 'changed' }])
  })

  it('the connection breaks off before the commit: 503 for all of them, and nothing is kept', async () => {
    const { database, write, app } = await start()
    const breakOff = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    const asked = [write(adding('one')), write(adding('two', breakOff)), write(adding('three'))]
    expect(await outcomesOf(asked)).toEqual(Array(3).fill('database_unavailable'))
    expect(await nameIn(database.url)).toBe('default')
    expect(await app.installation.engine.write(adding('four'), 'prj_another')).toBe('four')
  })

  it('the commit is not answered: 503 outcome_unknown for all of them, the refused ones too', async () => {
    const { database, said, write } = await start()
    said.fate = 'lose the answer'
    const asked = [write(adding('one')), write(adding('two', refuse)), write(adding('three'))]
    expect(await outcomesOf(asked)).toEqual(Array(3).fill('outcome_unknown'))
    expect(await nameIn(database.url)).toBe('default one three')
  })

  it('the log is written once for all of them, in their order, without what was refused; who asks for it before sees it', async () => {
    const { database, project, said, write } = await start()
    const caller = operator(project.projectId, 'cli', toInstant(new Date()))
    const change = (id: `auth_${string}`): Change => ({ kind: 'author', id, version: 1, news: [], publicBefore: true, publicAfter: true })
    const recording = (id: `auth_${string}`, goOn: (tx: Tx) => unknown = () => undefined) =>
      adding(id, async (tx) => {
        await recordChange(tx, caller, change(id))
        await goOn(tx)
      })
    const seen: boolean[] = []
    const look = async (tx: Tx) => {
      for (const id of ['auth_1', 'auth_2', 'auth_3'] as const) seen.push(await isInLog(tx, caller.projectId, id))
    }
    const undone = (tx: Tx) => attempt(tx, () => recording('auth_4', refuse)(tx)).catch(() => undefined)
    const seeing = (tx: Tx) => look(tx).then(refuse)
    const asked = [
      write(recording('auth_1')),
      write(recording('auth_2', refuse)),
      write(recording('auth_3', undone)),
      write(look),
      write(recording('auth_5', seeing)),
      write(recording('auth_6')),
    ]
    expect((await outcomesOf(asked)).filter((each) => each === 'slug_conflict')).toHaveLength(2)
    expect(seen).toEqual([true, false, true, true, false, true])
    const log = await lookUp<{ resource_id: string }>(database.url, 'select resource_id from changes order by seq')
    expect(log.map((row) => row.resource_id)).toEqual(['auth_1', 'auth_3', 'auth_6'])
    expect(await revisionsIn(database.url)).toEqual([...range(3), 3])
    expect(said.commits).toBe(1)
  })

  it('POST /v1/posts, a hundred at once, some of them refused, some repeats of others: few commits, revisions without a gap', async () => {
    const { app, database, project, said } = await start()
    await project.post('/v1/posts', { title: 'x', slug: 'taken' })
    const body = (i: number) => (i % 4 === 0 ? { title: 'y', slug: 'taken' } : { title: `Title ${i % 3}`, tags: [`tag ${i % 5}`, 'all'] })
    const asked = (i: number) => (i % 10 === 1 ? { headers: { 'idempotency-key': `key ${i % 20}` } } : {})
    said.commits = 0
    const answers = await Promise.all(
      range(100).map((i) => project.post('/v1/posts', i % 10 === 1 ? { title: `Again ${i % 20}` } : body(i), asked(i))),
    )
    const repeats = range(100).filter((i) => i % 10 === 1 && i > 20).length
    const refused = range(100).filter((i) => i % 4 === 0).length
    expect(statusesOf(answers)).toEqual({ 201: 100 - refused, 409: refused })
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(repeats)
    const kept = 1 + 100 - refused - repeats
    expect(await revisionsIn(database.url)).toEqual([...range(kept), kept])
    expect(said.commits).toBeLessThan(100)
    expect(await lookUp(database.url, 'select slug from posts group by slug having count(*) > 1')).toEqual([])
    expect(await listWrongCounts(app.installation.db, project.projectId)).toEqual([])
  })
})
