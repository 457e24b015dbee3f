import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import type { DatabaseAddress } from '../../../src/app/config.ts'
import { openInstallation } from '../../../src/app/installation.ts'
import { createPost } from '../../../src/resources/posts/post-actions.ts'
import { createKey, revokeKey } from '../../../src/resources/projects/keys/key-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { type Answer, engines, startVerso, type TestEngine } from '../../harness/harness.ts'

/** A service, and beside it the same database opened once more, as a command does it. */
async function startWithNeighbour(engine: TestEngine) {
  const addresses: DatabaseAddress[] = []
  const lend = async () => {
    const database = await engine.lend()
    addresses.push(database.address)
    return database
  }
  const verso = await startVerso({ ...engine, lend })
  const [database] = addresses
  if (!database) throw new Error('the service has no database')
  const observations = { ...verso.app.installation.observations }
  const neighbour = await openInstallation({ database, context: verso.context, observations })
  return { verso, neighbour, caller: operator(verso.projectId, 'cli', toInstant(verso.context.now())) }
}

for (const engine of engines) {
  describe(`what another process writes is seen by the next request, on ${engine.name}`, () => {
    it('a key that is revoked there stops here, and one that is made there works here', async () => {
      const { verso, neighbour, caller } = await startWithNeighbour(engine)
      const body = { ok: true, value: { name: 'x', kind: 'public' } } as const
      const { id, token } = await neighbour.perform(createKey, caller, { body })
      for (let i = 0; i < 3; i++) expect((await verso.get('/v1/posts', { key: token })).status).toBe(200)
      await neighbour.perform(revokeKey, caller, { id })
      expect((await verso.get('/v1/posts', { key: token })).status).toBe(401)
      await neighbour.close()
    })

    it('a post that is made there is in the lists here, whatever was known of them before', async () => {
      const { verso, neighbour, caller } = await startWithNeighbour(engine)
      for (let total = 0; total < 5; total++) {
        for (const key of [verso.secret, verso.public]) {
          const answer = await verso.get('/v1/posts', { key })
          expect(answer.body.pagination.total).toBe(total)
          const known = { 'if-none-match': answer.headers.get('etag') ?? '' }
          expect((await verso.get('/v1/posts', { key, headers: known })).status).toBe(304)
        }
        await neighbour.perform(createPost, caller, { body: { ok: true, value: { title: 'One', status: 'published' } } })
      }
      await neighbour.close()
    })

    it('many who read at the same time all see what was acknowledged there before they asked', async () => {
      const { verso, neighbour, caller } = await startWithNeighbour(engine)
      let acknowledged = 0
      const read = async () => {
        while (acknowledged < 20) {
          const before = acknowledged
          const { total } = (await verso.get('/v1/posts', { key: verso.public })).body.pagination
          expect(total).toBeGreaterThanOrEqual(before)
        }
      }
      const write = async () => {
        for (; acknowledged < 20; acknowledged++)
          await neighbour.perform(createPost, caller, { body: { ok: true, value: { title: 'One', status: 'published' } } })
      }
      await Promise.all([write(), ...Array.from({ length: 16 }, read)])
      await neighbour.close()
    })

    it('a post that is scheduled there goes out here in time', async () => {
      const { verso, neighbour, caller } = await startWithNeighbour(engine)
      const total = async () => (await verso.get('/v1/posts', { key: verso.public })).body.pagination.total
      expect(await total()).toBe(0)
      const value = { title: 'One', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' } as const
      await neighbour.perform(createPost, caller, { body: { ok: true, value } })
      expect(await total()).toBe(0)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect(await total()).toBe(1)
      await neighbour.close()
    })
  })
}

for (const engine of engines.filter(({ name }) => name === 'SQLite')) {
  describe(`while another process holds the lock of ${engine.name}`, () => {
    it('reads and /healthz are answered, and the write is made once it may be', async () => {
      const { verso, path } = await startWithPath(engine)
      const other = new Database(path)
      other.exec('begin immediate')
      const { came, note } = inOrder()
      const write = note('write', verso.post('/v1/posts', { title: 'One' }))
      for (let times = 0; times < 20; times++) {
        expect((await verso.get('/healthz', { key: null })).status).toBe(200)
        expect((await verso.get(`/v1/posts?page=${times + 1}`)).status).toBe(200)
      }
      expect(came).toEqual([])
      other.exec('rollback')
      other.close()
      expect((await write).status).toBe(201)
    })

    it('503 overloaded once it has waited for 5 seconds', async () => {
      const { verso, path } = await startWithPath(engine)
      const other = new Database(path)
      other.exec('begin immediate')
      const { status, body } = await verso.post('/v1/posts', { title: 'One' })
      other.close()
      expect([status, body.code]).toEqual([503, 'overloaded'])
    })
  })
}

async function startWithPath(engine: TestEngine) {
  const paths: string[] = []
  const lend = async () => {
    const database = await engine.lend()
    if (database.address.kind === 'sqlite') paths.push(database.address.path)
    return database
  }
  const verso = await startVerso({ ...engine, lend })
  return { verso, path: paths[0] ?? '' }
}

/** Notes which answers have come. */
function inOrder() {
  const came: string[] = []
  const note = async (name: string, answer: Promise<Answer>) => {
    const got = await answer
    came.push(name)
    return got
  }
  return { came, note }
}
