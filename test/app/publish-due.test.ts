import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { jobOf } from '../resources/webhooks/receiver.ts'

for (const engine of engines)
  describe(`posts that fall due on ${engine.name}`, () => {
    it('50 requests at once: each sees what is due, and each post is published by one statement', async () => {
      const verso = await startVerso(engine)
      for (const [slug, time] of [
        ['a', '12:01'],
        ['b', '12:02'],
        ['c', '12:03'],
      ])
        await verso.post('/v1/posts', { title: slug, status: 'scheduled', scheduledFor: `2026-06-01T${time}:00Z` })
      verso.context.travelTo('2026-06-01T12:02:00Z')
      verso.statements.length = 0
      const lists = await Promise.all(Array.from({ length: 50 }, () => verso.get('/v1/posts?fields=slug,status&sort=slug')))
      expect(new Set(lists.map(({ body }) => body.data.map((post: { status: string }) => post.status).join()))).toEqual(
        new Set(['published,published,scheduled']),
      )
      expect(verso.statements.filter((statement) => statement.startsWith('update "posts"'))).toHaveLength(2)
      expect(verso.statements.filter((statement) => statement.startsWith('update "project_state"'))).toHaveLength(1)
    })

    it('an installation that has moved away, asked again and again, says once that it cannot publish, and once that it can again', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      await verso.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor: '2026-06-01T12:01:00Z' })
      verso.context.travelTo('2026-06-01T12:01:00Z')
      const become = (state: 'open' | 'moved') =>
        verso.app.installation.engine.alone((tx) => tx.updateTable('installation').set({ state }).execute())
      const logged = () => lines.map((line) => JSON.parse(line).msg).filter((text) => text.startsWith('due posts'))
      await become('moved')
      for (let turn = 0; turn < 3; turn++) await jobOf(verso, 'settle')
      expect(logged()).toEqual(['due posts could not be published; reads continue without them'])
      await become('open')
      for (let turn = 0; turn < 3; turn++) await jobOf(verso, 'settle')
      expect(logged().slice(1)).toEqual(['due posts are published again'])
    })
  })
