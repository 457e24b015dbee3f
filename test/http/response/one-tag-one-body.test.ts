import { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { interrupt } from '../../harness/interruption.ts'

const ofPage = /join "posts" on/
const ofTotal = /from "post_counts"/

async function start(verso: TestApp): Promise<void> {
  for (const title of ['One', 'Two', 'Three']) await verso.post('/v1/posts', { title, content: title, status: 'published' })
}

for (const engine of engines)
  describe(`a write between the look-up of the key and the read of a list, on ${engine.name}`, () => {
    it.each([
      ['its page', '/v1/posts', ofPage],
      ['its page, some fields only', '/v1/posts?fields=id,title', ofPage],
      ['its total', '/v1/posts', ofTotal],
    ])('GET %s: the tag is that of the state that the body shows (%s)', async (_, path, pattern) => {
      const verso = await startVerso(engine)
      await start(verso)
      const key = verso.public
      const bodies = new Map<string, string>()
      const ask = async () => {
        const { text, headers } = await verso.get(path, { key })
        const etag = headers.get('etag') ?? ''
        expect(bodies.get(etag) ?? text).toBe(text)
        bodies.set(etag, text)
        return text
      }
      await ask()
      await verso.post('/v1/posts', { title: 'Four', status: 'published' })
      const interruption = interrupt(verso.app.installation.db, pattern, {
        before: () => verso.post('/v1/posts', { title: 'Five', status: 'published' }),
      })
      const during = await ask()
      expect(interruption.happened()).toBe(true)
      // Page and total are of one state.
      const { data, pagination } = JSON.parse(during)
      expect(pagination.total).toBe(data.length)
      expect(data).toHaveLength(5)
      expect(await ask()).toBe(during)
      expect(bodies.size).toBe(2)
    })

    it.each([
      ['sorted by slug', '/v1/posts?sort=slug'],
      ['sorted by slug, some fields only', '/v1/posts?sort=slug&fields=id,title'],
      ['found by words', '/v1/posts?q=words'],
    ])('GET a list %s, which is read beside the event loop: the tag is that of the state that the body shows', async (_, path) => {
      const verso = await startVerso(engine)
      await start(verso)
      const create = (title: string) => verso.post('/v1/posts', { title, content: 'Words', tags: [title], status: 'published' })
      const ask = async () => {
        const { body, text, headers } = await verso.get(path, { key: verso.public })
        expect(body.pagination.total).toBe(body.data.length)
        return { text, etag: headers.get('etag') }
      }
      await create('Four')
      // Statements of a snapshot have a handle of their own.
      const interruption = interrupt(Kysely.prototype, /^select "authors"/, { before: () => create('Five') })
      const [during, after] = [await ask(), await ask()]
      expect(interruption.happened()).toBe(true)
      expect(during.etag === after.etag).toBe(during.text === after.text)
    })
  })
