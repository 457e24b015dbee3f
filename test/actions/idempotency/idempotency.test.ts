import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedParameters } from '../../../src/http/openapi/documented-parameters.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { rowCounts } from '../../harness/rows.ts'

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotency-replayed')
const kept = ['content-type', 'etag', 'location', 'cache-control']
const headersOf = ({ headers }: { headers: Headers }) => kept.map((name) => headers.get(name))

async function total(verso: TestApp): Promise<number> {
  return (await verso.get('/v1/posts?limit=1')).body.pagination.total
}

for (const engine of engines) {
  describe(`Idempotency-Key on ${engine.name}`, () => {
    it('POST /v1/posts: a repeat is answered with the same bytes and is not done', async () => {
      const verso = await startVerso(engine)
      const first = await verso.post('/v1/posts', { title: 'One' }, keyed('a'))
      await verso.patch(`/v1/posts/${first.body.id}`, { title: 'Changed since' })
      const again = await verso.post('/v1/posts', { title: 'One' }, keyed('a'))
      expect([first.status, replayed(first)]).toEqual([201, null])
      expect([again.status, replayed(again)]).toEqual([201, 'true'])
      expect(again.text).toBe(first.text)
      expect(headersOf(again)).toEqual(headersOf(first))
      expect(await total(verso)).toBe(1)
    })

    it('PATCH and DELETE: a repeat with the If-Match of the first is no 412 and no second change', async () => {
      const verso = await startVerso(engine)
      const { body, headers } = await verso.post('/v1/posts', { title: 'One' })
      const path = `/v1/posts/${body.id}`
      const asked = { headers: { 'idempotency-key': 'a', 'if-match': headers.get('etag') ?? '' } }
      const [first, again] = [await verso.patch(path, { title: 'Two' }, asked), await verso.patch(path, { title: 'Two' }, asked)]
      expect([first.body.version, again.body.version, again.text]).toEqual([2, 2, first.text])
      expect([(await verso.delete(path, keyed('b'))).status, replayed(await verso.delete(path, keyed('b')))]).toEqual([204, 'true'])
    })

    it('POST, 10 repeats at once: one post, and ten times the same answer', async () => {
      const verso = await startVerso(engine)
      const answers = await Promise.all(Array.from({ length: 10 }, () => verso.post('/v1/posts', { title: 'One' }, keyed('a'))))
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter((answer) => replayed(answer) === 'true')).toHaveLength(9)
      expect(await total(verso)).toBe(1)
    })

    it('bare and quoted are the same key; another API key has keys of its own', async () => {
      const verso = await startVerso(engine)
      const other = await verso.keyWith('posts:write')
      await verso.post('/v1/posts', { title: 'One' }, keyed('a"\\b'))
      expect(replayed(await verso.post('/v1/posts', { title: 'One' }, keyed('"a\\"\\\\b"')))).toBe('true')
      expect(replayed(await verso.post('/v1/posts', { title: 'One' }, { ...keyed('a"\\b'), key: other }))).toBeNull()
    })

    it('keys are as the OpenAPI document says: 1 to 255 characters, bare or quoted; else 400 malformed_request', async () => {
      const verso = await startVerso(engine)
      const { pattern, maxLength } = sharedParameters['Idempotency-Key'].schema
      const rows = [
        ['a', 201],
        ['a"b', 201],
        ['x'.repeat(255), 201],
        ['x'.repeat(256), 400],
        [`"${'x'.repeat(255)}"`, 201],
        [`"${'x'.repeat(256)}"`, 400],
        [`"${'\\"'.repeat(255)}"`, 201],
        [`"${'\\"'.repeat(256)}"`, 400],
        ['""', 400],
        ['"a', 400],
        ['"a"b"', 400],
        ['"\\a"', 400],
        ['é', 400],
      ] as const
      for (const [key, status] of rows) {
        const documented = new RegExp(pattern).test(key) && key.length <= maxLength
        expect([key, (await verso.post('/v1/posts', { title: 'One' }, keyed(key))).status, documented]).toEqual([
          key,
          status,
          status === 201,
        ])
      }
    })

    it('422 idempotency_key_reused: another method, path, query or body', async () => {
      const verso = await startVerso(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'One' }, keyed('a'))).body
      const others = await Promise.all([
        verso.post('/v1/posts', { title: 'Two' }, keyed('a')),
        verso.post('/v1/posts', '{"title": "One"}', keyed('a')),
        verso.post('/v1/posts?dry_run=false', { title: 'One' }, keyed('a')),
        verso.post(`/v1/posts/${id}/restore`, { title: 'One' }, keyed('a')),
        verso.patch(`/v1/posts/${id}`, { title: 'One' }, keyed('a')),
        verso.delete(`/v1/posts/${id}`, keyed('a')),
      ])
      expect(others.map(({ body }) => body.code)).toEqual(Array(6).fill('idempotency_key_reused'))
    })

    it('400 malformed_request: empty, too long, not printable, or more than one key; judged after other 400s and before 404', async () => {
      const verso = await startVerso(engine)
      for (const key of ['', '""', 'x'.repeat(256), `"${'x'.repeat(256)}"`, '"open', 'a\tb', 'ä']) {
        const answer = await verso.patch('/v1/posts/nowhere', { title: 'One' }, keyed(key))
        expect([answer.status, answer.body.code], key).toEqual([400, 'malformed_request'])
      }
      for (const key of ['x', ' x ', 'x'.repeat(255), `"${'x'.repeat(255)}"`])
        expect((await verso.patch('/v1/posts/nowhere', { title: 'One' }, keyed(key))).status, key).toBe(404)
      expect((await verso.patch('/v1/posts/nowhere?a=b', {}, keyed(''))).body.code).toBe('unknown_parameter')
      expect((await verso.get('/v1/posts', keyed(''))).status).toBe(200)
    })

    it('what was refused is not kept: mended, the request is done under the same key', async () => {
      const verso = await startVerso(engine)
      expect((await verso.post('/v1/posts', { title: '' }, keyed('a'))).status).toBe(422)
      expect((await verso.patch('/v1/posts/nowhere', { title: 'x' }, keyed('a'))).status).toBe(404)
      const done = await verso.post('/v1/posts', { title: 'One' }, keyed('a'))
      expect([done.status, replayed(done)]).toEqual([201, null])
    })

    it('an answer is kept for 24 hours, and then forgotten', async () => {
      const verso = await startVerso(engine)
      const create = () => verso.post('/v1/posts', { title: 'One' }, keyed('a'))
      await create()
      verso.context.travelTo('2026-06-02T11:59:59.999Z')
      expect(replayed(await create())).toBe('true')
      verso.context.travelTo('2026-06-02T12:00:00.000Z')
      expect(replayed(await create())).toBeNull()
      await verso.post('/v1/posts', { title: 'Two' }, keyed('b'))
      verso.context.travelTo('2026-06-03T12:00:00.000Z')
      for (const job of verso.app.jobs) await job.runOnce()
      expect((await rowCounts(verso.app)).stored_responses).toBe(0)
    })

    it('DELETE ?permanent=true erases the stored answers that show the post; their repeats are 404 and bring nothing back', async () => {
      const verso = await startVerso(engine)
      const one = await verso.post('/v1/posts', { title: 'One', content: 'very secret' }, keyed('a'))
      const two = await verso.post('/v1/posts', { title: 'Two', content: 'very secret' }, keyed('b'))
      await verso.delete(`/v1/posts/${one.body.id}?permanent=true`, keyed('c'))
      const again = await verso.post('/v1/posts', { title: 'One', content: 'very secret' }, keyed('a'))
      expect([again.status, again.body.code]).toEqual([404, 'not_found'])
      expect((await verso.post('/v1/posts', { title: 'Two', content: 'very secret' }, keyed('b'))).text).toBe(two.text)
      expect(replayed(await verso.delete(`/v1/posts/${one.body.id}?permanent=true`, keyed('c')))).toBe('true')
      const rows = await verso.app.installation.db.selectFrom('stored_responses').selectAll().execute()
      expect(rows.filter(({ body }) => body.includes('very secret'))).toHaveLength(1)
    })

    it('DELETE of an author, category or webhook: repeats of what made and changed it are 404 not_found, that of the DELETE is replayed', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin')
      for (const [path, made] of [
        ['/v1/admin/authors', { name: 'One' }],
        ['/v1/admin/categories', { name: 'One' }],
        ['/v1/admin/webhooks', { name: 'One', url: 'https://example.com/hook' }],
      ] as const) {
        const ask = (name: string) => ({ ...keyed(`${path} ${name}`), key })
        const create = () => verso.post(path, made, ask('create'))
        const one = `${path}/${(await create()).body.id}`
        const patch = () => verso.patch(one, { name: 'Two' }, ask('patch'))
        const remove = () => verso.delete(one, ask('delete'))
        expect([(await patch()).status, (await remove()).status]).toEqual([200, 204])
        const again = [await create(), await patch(), await remove()]
        expect(again.map(({ status, body }) => [status, body?.code])).toEqual([
          [404, 'not_found'],
          [404, 'not_found'],
          [204, undefined],
        ])
        expect(again.map(replayed)).toEqual([null, null, 'true'])
      }
    })

    it('DELETE of an author with reassign_to: the stored answers of posts and batches that name it are still replayed', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin', 'posts:write')
      const author = async (name: string) => (await verso.post('/v1/admin/authors', { name }, { key })).body.id
      const [from, to] = [await author('From'), await author('To')]
      const post = () => verso.post('/v1/posts', { title: 'One', authorId: from }, { ...keyed('post'), key })
      const operations = [{ op: 'create', body: { title: 'Two', authorId: from } }]
      const batch = () => verso.post('/v1/posts/batch', { operations }, { ...keyed('batch'), key })
      const first = [await post(), await batch()]
      expect(first.map(({ status }) => status)).toEqual([201, 200])
      await verso.delete(`/v1/admin/authors/${from}?reassign_to=${to}`, { key })
      const again = [await post(), await batch()]
      expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text))
      expect(again.map(replayed)).toEqual(['true', 'true'])
    })

    it('every resource that is written: authors, categories and media', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin', 'media:write')
      const media = { url: 'https://example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
      for (const [path, made, field] of [
        ['/v1/admin/authors', { name: 'One' }, 'name'],
        ['/v1/admin/categories', { name: 'One' }, 'name'],
        ['/v1/media', media, 'alt'],
      ] as const) {
        const ask = (name: string) => ({ ...keyed(`${path} ${name}`), key })
        const first = await verso.post(path, made, ask('create'))
        expect((await verso.post(path, made, ask('create'))).text).toBe(first.text)
        const one = `${path}/${first.body.id}`
        const patch = () => verso.patch(one, { [field]: 'Two' }, ask('patch'))
        expect((await patch()).text).toBe((await patch()).text)
        expect((await verso.delete(one, ask('delete'))).status).toBe(204)
        expect(replayed(await verso.delete(one, ask('delete')))).toBe('true')
      }
    })

    it('POST /v1/admin/keys: a repeat has the same token, which is stored nowhere in clear', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin')
      const create = () => verso.post('/v1/admin/keys', { name: 'Site', kind: 'public' }, { ...keyed('a'), key })
      const first = await create()
      const again = await create()
      expect([again.text, replayed(again)]).toEqual([first.text, 'true'])
      const rotate = () => verso.post(`/v1/admin/keys/${first.body.id}/rotate`, {}, { ...keyed('b'), key })
      expect((await rotate()).text).toBe((await rotate()).text)
      const rows = await verso.app.installation.db.selectFrom('stored_responses').selectAll().execute()
      expect(rows.map(({ body_state }) => body_state)).toEqual(['encrypted', 'encrypted'])
      expect(JSON.stringify(rows)).not.toContain(first.body.token)
    })
  })
}

for (const engine of engines.filter(({ name }) => name !== 'SQLite')) {
  it(`409 idempotency_in_progress where the first takes longer than 5 seconds, on ${engine.name}`, { timeout: 30_000 }, async () => {
    const verso = await startVerso(engine)
    const gate = { open: () => {} }
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve
    })
    const held = new Promise<void>((resolve) => {
      const holding = verso.app.installation.engine.write(async (tx) => {
        await tx.updateTable('project_state').set({ revision: 0 }).execute()
        resolve()
        await opened
      })
      onTestFinished(() => holding)
    })
    await held
    const create = () => verso.post('/v1/posts', { title: 'One' }, keyed('a'))
    const both = [create(), create()]
    expect((await Promise.race(both)).body).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
    gate.open()
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409])
    expect(replayed(await create())).toBe('true')
  })
}
