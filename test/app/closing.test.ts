import { describe, expect, it } from 'vitest'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { openEngine } from '../../src/app/installation.ts'
import type { InstallationState } from '../../src/database/installation-state.ts'
import { unobserved } from '../../src/values/observations.ts'
import { migratedDatabase, startOn } from '../harness/given-database.ts'
import { engines, testContext } from '../harness/harness.ts'
import { gate, someoneWaits } from '../harness/overlap.ts'

for (const engine of engines)
  describe(`an installation on ${engine.name}`, () => {
    /** An installation, an engine on it, and what tells in which order resources happened. */
    async function prepared() {
      const address: DatabaseAddress = await migratedDatabase(engine)
      const verso = await startOn(address)
      const { engine: seam } = verso.app.installation
      const close = (state: InstallationState) => seam.alone((tx) => tx.updateTable('installation').set({ state }).execute())
      const events: string[] = []
      return { address, verso, seam, close, events }
    }

    it('that is closed lets the write under way finish first, and refuses the next one', async () => {
      const { verso, seam, close, events } = await prepared()
      const [begun, end] = [gate(), gate()]
      const write = seam.write(async (tx) => {
        begun.open()
        await end.opened
        await tx.updateTable('projects').set({ name: 'written' }).execute()
        events.push('written')
      })
      await begun.opened
      const closed = close('moving').then(() => events.push('closed'))
      if (engine.name === 'PostgreSQL') await someoneWaits(verso.app)
      // Time enough to close it, if that did not wait.
      for (let reads = 0; reads < 50; reads++) await verso.app.installation.db.selectFrom('projects').select('id').execute()
      const next = seam.write(async () => events.push('written when closed')).catch(({ code }) => events.push(code))
      end.open()
      await Promise.all([write, closed, next])
      // Both learn of the closing when it is committed, so either may hear of it first.
      expect([events[0], events.slice(1).sort()]).toEqual(['written', ['closed', 'database_unavailable']])
      expect(await verso.app.installation.db.selectFrom('projects').select('name').executeTakeFirst()).toEqual({ name: 'written' })
    })

    it('that is closed answers every write 503 with Retry-After, and every read as before; opened, it takes writes', async () => {
      const { verso, close } = await prepared()
      const admin = await verso.keyWith('admin')
      const { body: post } = await verso.post('/v1/posts', { title: 'here' })
      for (const state of ['moving', 'moved'] as const) {
        await close(state)
        const refused = await Promise.all([
          verso.post('/v1/posts', { title: 'no' }),
          verso.patch(`/v1/posts/${post.id}`, { title: 'no' }),
          verso.delete(`/v1/posts/${post.id}`),
          verso.post('/v1/media', asset),
          verso.post('/v1/admin/keys', { name: 'no', kind: 'public' }, { key: admin }),
        ])
        expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [503, 'database_unavailable']))
        for (const { headers, text } of refused) {
          expect(headers.get('retry-after')).toBe('30')
          expect(text).not.toMatch(/sqlite|postgres/i)
        }
        expect((await verso.get(`/v1/posts/${post.id}`)).body).toEqual(post)
        expect((await verso.get('/v1/posts')).body.pagination.total).toBe(1)
        expect((await verso.get('/readyz')).status).toBe(200)
      }
      await close('open')
      expect((await verso.patch(`/v1/posts/${post.id}`, { title: 'yes' })).status).toBe(200)
    })

    it('that is closed shows a post that is due as it was, until it is opened', async () => {
      const { verso, close } = await prepared()
      await verso.post('/v1/posts', { title: 'soon', status: 'scheduled', scheduledFor: '2026-06-01T13:00:00Z' })
      await close('moved')
      verso.context.travelTo('2026-06-01T14:00:00.000Z')
      expect((await verso.get('/v1/posts')).body.data).toMatchObject([{ status: 'scheduled' }])
      await close('open')
      expect((await verso.get('/v1/posts')).body.data).toMatchObject([{ status: 'published', publishedAt: '2026-06-01T13:00:00.000Z' }])
    })

    it('is read in one state from beginning to end, whatever is written meanwhile', async () => {
      const { address, verso, seam } = await prepared()
      const other = await openEngine(address, testContext(), unobserved)
      const names = await other.snapshot(async (db) => {
        const name = () => db.selectFrom('projects').select('name').executeTakeFirst()
        const first = await name()
        await seam.write((tx) => tx.updateTable('projects').set({ name: 'changed' }).execute())
        return [first, await name()]
      })
      expect(names).toEqual([{ name: 'default' }, { name: 'default' }])
      expect(await verso.app.installation.db.selectFrom('projects').select('name').executeTakeFirst()).toEqual({ name: 'changed' })
      await other.close()
    })
  })

const asset = { url: 'https://example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
