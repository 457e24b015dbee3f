import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { operator } from '../../src/actions/caller.ts'
import type { DatabaseAddress, PostgresAddress } from '../../src/app/config.ts'
import { duePublisher } from '../../src/app/publish-due.ts'
import type { ProjectId } from '../../src/values/ids.ts'
import { toInstant } from '../../src/values/instant.ts'
import { unobserved } from '../../src/values/observations.ts'
import { sharedEngines } from '../harness/cluster.ts'
import { engines, type Requests, startVerso, type TestApp, type TestEngine } from '../harness/harness.ts'
import { jobOf } from '../resources/webhooks/receiver.ts'

/** Locks what publishing needs, as another program may. The function returned unlocks it. */
async function lock(address: DatabaseAddress, projectId?: ProjectId): Promise<() => Promise<unknown>> {
  if (address.kind === 'sqlite') {
    const other = new Database(address.path)
    other.exec('begin immediate')
    return async () => other.close()
  }
  const other = new pg.Client(address.url)
  await other.connect()
  await other.query('begin')
  await other.query(`select revision from project_state ${projectId ? `where project_id = '${projectId}'` : ''} for update`)
  return () => other.end()
}

async function startWithAddress(engine: TestEngine, limits: Pick<Partial<PostgresAddress>, 'lockTimeoutMs'> = {}) {
  const addresses: DatabaseAddress[] = []
  const lend = async () => {
    const { address, drop } = await engine.lend()
    addresses.push(address)
    return { address: address.kind === 'postgres' ? { ...address, ...limits } : address, drop }
  }
  const verso = await startVerso({ ...engine, lend })
  const [address] = addresses
  if (!address) throw new Error('the service has no database')
  return { verso, address }
}

/** Who publishes what is due in the project now. */
const nowIn = ({ projectId, context }: TestApp) => operator(projectId, 'schedule', toInstant(context.now()))

/** More than would be answered before an attempt gives up if each had to wait. */
const manyReads = 8

for (const engine of engines) {
  describe(`a post that falls due on ${engine.name} while another program holds the lock`, () => {
    it('reads go on with the last settled state, whether an attempt is under way or has failed; once the lock is free, they see it', async () => {
      const { verso, address } = await startWithAddress(engine)
      const { publishDue } = verso.app.installation
      await verso.post('/v1/posts', { title: 'There', status: 'published' })
      await verso.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      const list = (headers = {}) => verso.get('/v1/posts', { key: verso.public, headers })
      const before = await list()
      const known = { 'if-none-match': before.headers.get('etag') ?? '' }
      const unlock = await lock(address)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      for (const state of ['ok', 'failing']) {
        expect((await verso.get('/readyz')).body.checks.scheduling).toBe(state)
        const attempt = { isOver: false }
        const ended = publishDue(nowIn(verso)).then(() => {
          attempt.isOver = true
        })
        for (let read = 0; read < manyReads; read++) {
          const answer = await list()
          expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([200, before.text, before.headers.get('etag')])
          expect((await list(known)).status).toBe(304)
          expect((await verso.get('/v1/posts/due')).body).toMatchObject({ status: 'scheduled', version: 1 })
        }
        expect((await verso.get('/readyz')).body.checks.scheduling).toBe('failing')
        expect(attempt.isOver).toBe(false)
        await ended
      }
      await unlock()
      await jobOf(verso, 'settle')
      const after = await list(known)
      expect([after.status, after.body.pagination.total]).toEqual([200, 2])
      expect((await verso.get('/readyz')).body.checks.scheduling).toBe('ok')
      await verso.post('/v1/posts', { title: 'Next', status: 'scheduled', scheduledFor: '2026-06-03T00:00:00Z' })
      verso.context.travelTo('2026-06-03T00:00:00Z')
      expect((await list()).body.pagination.total).toBe(3)
    })

    it('and then another node publishes it: the timer of this one learns that, and requests see what falls due next', async () => {
      const { verso, address } = await startWithAddress(engine, { lockTimeoutMs: 1_500 })
      const { perform, publishDue } = verso.app.installation
      const schedule = (slug: string, scheduledFor: string) => verso.post('/v1/posts', { title: slug, status: 'scheduled', scheduledFor })
      await schedule('due', '2026-06-02T00:00:00Z')
      const unlock = await lock(address)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const attempt = publishDue(nowIn(verso))
      expect((await verso.get('/v1/posts/due')).body.status).toBe('scheduled')
      expect(await attempt).toBe(false)
      await unlock()
      expect(await duePublisher(perform, unobserved).publishDue(nowIn(verso))).toBe(true)
      expect((await verso.get('/v1/posts/due')).body.status).toBe('published')
      await jobOf(verso, 'settle')
      expect((await verso.get('/readyz')).body.checks.scheduling).toBe('ok')
      await schedule('next', '2026-06-03T00:00:00Z')
      verso.context.travelTo('2026-06-03T00:00:00Z')
      expect((await verso.get('/v1/posts/next')).body.status).toBe('published')
    })
  })
}

// SQLite has one lock for all projects.
for (const engine of engines.filter(({ name }) => sharedEngines.includes(name))) {
  it(`the timer publishes the other projects while the lock of one is waited for, on ${engine.name}`, async () => {
    const { verso, address } = await startWithAddress(engine)
    const other = await verso.otherProject('other')
    const schedule = (requests: Requests, day: string) =>
      requests.post('/v1/posts', { title: day, status: 'scheduled', scheduledFor: `${day}T00:00:00Z` })
    const days = ['2026-06-02', '2026-06-03']
    for (const day of days) await schedule(verso, day)
    for (const day of days) await schedule(other, day)
    const unlock = await lock(address, verso.projectId)
    const attempt = { isOver: false }
    const attempts: Promise<void>[] = []
    for (const day of days) {
      verso.context.travelTo(`${day}T00:00:00Z`)
      const ended = verso.app.installation.publishDue(nowIn(verso)).then(() => {
        attempt.isOver = true
      })
      attempts.push(ended)
      await jobOf(verso, 'settle')
      // Nobody has asked the other project.
      const published = sql`select slug from posts where status = 'published'`.execute(verso.app.installation.db)
      expect((await published).rows).toEqual(days.slice(0, days.indexOf(day) + 1).map((slug) => ({ slug })))
      expect((await verso.get(`/v1/posts/${day}`)).body.status).toBe('scheduled')
      expect((await verso.get('/readyz')).body.checks.scheduling).toBe('failing')
      expect(attempt.isOver).toBe(false)
    }
    await unlock()
    await Promise.all(attempts)
    expect((await verso.get('/v1/posts?status=published')).body.pagination.total).toBe(2)
    expect((await verso.get('/readyz')).body.checks.scheduling).toBe('ok')
  })
}
