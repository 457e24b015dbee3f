import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'

const [reads, writes] = [12, 12]
const asked = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

for (const engine of engines)
  describe(`tools beyond the rate of a key, on ${engine.name}`, () => {
    async function start() {
      const verso = await startVerso(engine, { env: { VERSO_RATE_LIMIT_READS: `${reads}`, VERSO_RATE_LIMIT_WRITES: `${writes}` } })
      let minute = 0
      /** Calls a tool while the key has so much left in its minute. */
      const call = async (left: { readonly reads?: number; readonly writes?: number }, name: string, args: object) => {
        verso.context.travelTo(new Date(Date.UTC(2026, 5, 2, 0, ++minute)).toISOString())
        for (let i = left.reads ?? reads; i < reads; i++) await verso.get('/v1/whoami')
        for (let i = left.writes ?? writes; i < writes; i++) await verso.post('/v1/posts?dry_run=true', { title: 'Tried' })
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
        const headers = { ...asked, authorization: `Bearer ${verso.secret}` }
        const answer = await fetch(`${verso.app.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
        const { result } = JSON.parse(/^data: (.*)$/m.exec(await answer.text())?.[1] ?? '{}')
        return { text: String(result.content[0].text), isError: result.isError === true }
      }
      const undoIn = (text: string) => JSON.parse(/^To undo it: undo (.*)$/m.exec(text)?.[1] ?? '{}')
      return { verso, call, undoIn }
    }

    it('POST /mcp: a write that was done is told, with its undoing, though nothing can be read after it', async () => {
      const { call, undoIn } = await start()
      const made = await call({ reads: 1 }, 'draft_post', { title: 'Tides', content: 'goos' })
      expect(made).toMatchObject({ isError: false, text: expect.stringMatching(/^Made the draft [\s\S]*^In the studio: \S+\/studio$/m) })
      const { id } = undoIn(made.text)
      const edits = [{ old: 'goos', new: 'goes' }]
      const edited = await call({ reads: 2 }, 'edit_post', { post: id, version: 'v1', edits })
      expect([edited.isError, undoIn(edited.text)]).toEqual([false, { id, version: 'v2' }])
      const undone = await call({ reads: 4 }, 'undo', { id, version: 'v2' })
      expect([undone.isError, undoIn(undone.text)]).toEqual([false, { id, version: 'v3' }])
      const link = await call({ reads: 2 }, 'preview_link', { post: id })
      expect([link.isError, link.text]).toEqual([false, expect.stringContaining('preview_token=')])
      await call({}, 'publish_post', { post: id, version: 'v3' })
      await call({}, 'edit_post', { post: id, version: 'v4', edits })
      const back = await call({ reads: 3 }, 'undo', { id, version: 'v4.p1' })
      expect([back.isError, back.text]).toEqual([false, expect.stringMatching(/^Took back the last change of the pending edit/)])
    })

    it('POST /mcp: where the second of two writes is refused, the answer says what the first has done, and how to undo it', async () => {
      const { verso, call, undoIn } = await start()
      const edited = async () => {
        const { id } = (await verso.post('/v1/posts', { title: 'Tides', content: 'goos' })).body
        await verso.patch(`/v1/posts/${id}/pending`, { content: 'goes' })
        return { post: id, version: 'v1.p1' }
      }
      const stateOf = async (id: string) => {
        const { status, content, version } = (await verso.get(`/v1/posts/${id}`)).body
        const { body: pending } = await verso.get(`/v1/posts/${id}/pending`)
        return [status, content, version, pending.content]
      }
      const [one, other] = [await edited(), await edited()]
      const half = await call({ writes: 2 }, 'publish_post', one)
      expect(half).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^Applied the pending edit of .*, which is still draft\.$/m),
      })
      expect(half.text).toMatch(/^version: v2\n.*\nThe next step, to publish it, met a problem\.\nrate_limited: /m)
      expect(await stateOf(one.post)).toEqual(['draft', 'goes', 2, undefined])
      await call({}, 'undo', undoIn(half.text))
      expect(await stateOf(one.post)).toEqual(['draft', 'goos', 3, 'goes'])
      const published = await call({}, 'publish_post', other)
      const back = await call({ writes: 1 }, 'undo', undoIn(published.text))
      expect(back).toMatchObject({ isError: true, text: expect.stringMatching(/is as in version 1 again\.\nversion: v4$/m) })
      expect(back.text).toMatch(/\nThe next step, to keep what was taken back as the pending edit, met a problem\.\nrate_limited: /)
      expect(await stateOf(other.post)).toEqual(['draft', 'goos', 4, undefined])
      await call({}, 'undo', undoIn(back.text))
      expect(await stateOf(other.post)).toEqual(['published', 'goes', 5, undefined])
    })
  })
