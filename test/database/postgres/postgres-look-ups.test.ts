import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { realContext } from '../../../src/context.ts'
import { findSessionGrants, lookUpSessionToken, lookUpSessionTokens } from '../../../src/resources/people/sessions/session-store.ts'
import { openAuthenticator } from '../../../src/resources/projects/keys/authenticator.ts'
import type { Problem } from '../../../src/values/problems.ts'
import { around, atOnce, range, sharedDatabase, startNode, statusesOf } from '../../harness/cluster.ts'
import { engines, makeProject, requestsTo, startVerso, type TestApp } from '../../harness/harness.ts'
import { countText, soakSize } from '../../harness/soak.ts'

const engine = engines.find(({ name }) => name === 'PostgreSQL')
if (!engine) throw new Error('there is no such engine')

/** The authentication of a running service, to be asked without HTTP. */
function visitsIn({ app: { installation } }: TestApp) {
  const { engine: opened, publishDueInTime } = installation
  const sessionTokens = {
    prefixes: ['verso_sess_'] as const,
    find: lookUpSessionToken,
    findAll: lookUpSessionTokens,
    findGrants: findSessionGrants,
  }
  return openAuthenticator({ engine: opened, publishDueInTime, noteUse: () => undefined, sessionTokens })
}

describe('look-ups of keys on PostgreSQL', () => {
  it('have a connection of their own, which stays open for them while requests take every other one', async () => {
    const { engine: opened } = (await startVerso(engine)).app.installation
    const lookUps = opened.forLookUps?.db ?? opened.db
    const connectionOf = async (db: typeof lookUps) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.01)`.execute(db)).rows[0]?.pid
    const before = await connectionOf(lookUps)
    const others = await Promise.all(range(20).map(() => connectionOf(opened.db)))
    expect(others).not.toContain(before)
    expect(await connectionOf(lookUps)).toBe(before)
  })

  it('a hundred keys at once cost one statement, and each is told its own', async () => {
    const verso = await startVerso(engine)
    const keys = await Promise.all(range(97).map(async () => verso.keyWith('posts:read')))
    const other = await verso.otherProject('other')
    const authenticator = visitsIn(verso)
    verso.statements.length = 0
    const found = await Promise.all(
      [...keys, verso.public, other.public, other.secret, ...keys].map((token) => authenticator.authenticate(token)),
    )
    expect(verso.statements).toHaveLength(1)
    expect(new Set(found.map(({ caller }) => caller.actor)).size).toBe(100)
    expect(found.filter(({ caller }) => caller.projectId !== verso.projectId)).toHaveLength(2)
    expect(found.slice(0, 97).map(({ caller }) => caller.actor)).toEqual(found.slice(100).map(({ caller }) => caller.actor))
  })

  it('a key that is revoked, one that is nobody’s and one with a typo are 401 invalid_key beside others that work', async () => {
    const verso = await startVerso(engine)
    const revoked = await verso.keyWith('posts:read')
    const admin = await verso.keyWith('admin')
    const listed = await verso.get('/v1/admin/keys', { key: admin })
    const { id } = listed.body.data.find(({ last4 }: { last4: string }) => revoked.endsWith(last4))
    await verso.delete(`/v1/admin/keys/${id}`, { key: admin })
    const elsewhere = await startVerso(engine)
    const authenticator = visitsIn(verso)
    const tokens = [verso.secret, revoked, elsewhere.secret, `${verso.secret.slice(0, -1)}_`, verso.public]
    const found = await Promise.allSettled(tokens.map((token) => authenticator.authenticate(token)))
    expect(found.map((each) => (each.status === 'fulfilled' ? each.value.caller.kind : (each.reason as Problem).code))).toEqual([
      'secret',
      'invalid_key',
      'invalid_key',
      'invalid_key',
      'public',
    ])
  })

  it('a list that has not changed is not troubled twice: one look-up each at most, the path unknown or the key wrong too', async () => {
    const verso = await startVerso(engine)
    await verso.post('/v1/posts', { title: 'One', status: 'published' })
    await verso.get('/v1/posts')
    const asks = [
      () => verso.get('/v1/posts'),
      () => verso.get('/v1/posts', { key: elsewhere }),
      () => verso.get('/v1/nowhere'),
      () => verso.get('/v1/posts?limit=0'),
      () => verso.get('/healthz'),
    ]
    const elsewhere = (await startVerso(engine)).secret
    const statuses: number[] = []
    for (const ask of asks) {
      verso.statements.length = 0
      statuses.push((await ask()).status)
      expect(verso.statements.length).toBeLessThanOrEqual(1)
    }
    expect(statuses).toEqual([200, 401, 404, 400, 200])
  })

  it('posts that fall due between two requests are published before either is answered', async () => {
    const verso = await startVerso(engine)
    await verso.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
    const asked = () => Promise.all(range(20).map(() => verso.get('/v1/posts', { key: verso.public })))
    const before = await asked()
    verso.context.travelTo('2026-06-02T00:00:00Z')
    const after = await asked()
    expect(before.map(({ body }) => body.pagination.total)).toEqual(range(20).map(() => 0))
    expect(after.map(({ body }) => body.pagination.total)).toEqual(range(20).map(() => 1))
  })

  it('what one node has written the next read of another shows, under reads of the same answer from all sides', {
    tags: ['soak'],
    timeout: 600_000,
  }, async ({ annotate }) => {
    const database = await sharedDatabase()
    const nodes = await Promise.all([startNode(database), startNode(database)])
    const { secret, public: key, post, patch } = await makeProject(around(nodes, 0), realContext, 'default')
    const { body: created } = await post('/v1/posts', { title: 'One', excerpt: '0', status: 'published' })
    const there = requestsTo(around(nodes, 1).url, key)
    const here = requestsTo(around(nodes, 0).url, secret)
    let acknowledged = 0
    let reads = 0
    let writing = true
    const stale: string[] = []
    const reader = async ({ get }: typeof there, path: string) => {
      while (writing) {
        const known = acknowledged
        reads++
        const { status, body } = await get(path)
        const seen = Number(body.data?.[0]?.excerpt ?? body.excerpt)
        if (status !== 200 || seen < known) stale.push(`${status}: ${seen} after ${known}`)
      }
    }
    const readers = range(8).flatMap(() => [
      reader(there, '/v1/posts'),
      reader(here, `/v1/posts/${created.slug}`),
      reader(there, '/v1/posts/one'),
    ])
    for (const n of range(soakSize(300))) {
      expect((await patch(`/v1/posts/${created.id}`, { excerpt: `${n}` })).status).toBe(200)
      acknowledged = n
    }
    writing = false
    await Promise.all(readers)
    expect(stale).toEqual([])
    await annotate(`${acknowledged} writes, each seen by the next of ${countText(reads)} reads on two nodes`)
  })

  it('DELETE /v1/admin/keys/{id}: a key that is revoked while others are in use is 401 from then on, and the others go on', async () => {
    const verso = await startVerso(engine)
    const admin = await verso.keyWith('admin')
    await verso.get('/v1/posts')
    for (const minute of range(10)) {
      // An address may fail 60 times a minute.
      verso.context.travelTo(`2026-06-01T13:${minute + 10}:00Z`)
      const { body: key } = await verso.post('/v1/admin/keys', { name: 'short', kind: 'secret' }, { key: admin })
      const asked = () => Promise.all(range(20).map((i) => verso.get('/v1/posts', { key: i % 2 === 0 ? key.token : verso.secret })))
      expect(statusesOf(await asked())).toEqual({ 200: 20 })
      const during = asked()
      expect((await verso.delete(`/v1/admin/keys/${key.id}`, { key: admin })).status).toBe(204)
      expect(statusesOf(await asked())).toEqual({ 200: 10, 401: 10 })
      await during
    }
  })

  it('look-ups do not wait for reads and writes that hold every other connection', async () => {
    const database = await sharedDatabase({ poolSize: 4 })
    const app = await startNode(database)
    const { get, post } = await makeProject(app, realContext, 'default')
    await post('/v1/posts', { title: 'One', status: 'published' })
    await get('/v1/posts')
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const long = range(4).map(() => app.installation.engine.snapshot(() => held))
    await atOnce(3, range(30), async () => expect((await get('/v1/posts')).status).toBe(200))
    letGo()
    await Promise.all(long)
  })
})
