import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestEngine } from '../harness/harness.ts'

const media = { url: 'https://example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }

/** Everything that can be changed, with what makes it and the text field that a change sets. */
const resources = [
  { path: '/v1/posts', made: { title: 'First' }, field: 'excerpt' },
  { path: '/v1/media', made: media, field: 'alt' },
  { path: '/v1/admin/authors', made: { name: 'First' }, field: 'bio' },
  { path: '/v1/admin/categories', made: { name: 'First' }, field: 'description' },
] as const

/** One resource, a way to change it ten times at once, and the kind of news that the log has of it. */
async function start(engine: TestEngine, { path, made, field }: (typeof resources)[number]) {
  const verso = await startVerso(engine)
  const key = await verso.keyWith('admin', 'posts:write', 'media:write')
  const { id } = (await verso.post(path, made, { key })).body
  const where = `${path}/${id}`
  const patches = (headers: Record<string, string> = {}) =>
    Promise.all(Array.from({ length: 10 }, (_, n) => verso.patch(where, { [field]: `change ${n}` }, { key, headers })))
  const versionsInLog = async () => {
    const rows = await verso.app.installation.db
      .selectFrom('changes')
      .selectAll()
      .where('project_id', '=', verso.projectId)
      .orderBy('seq')
      .execute()
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
    return rows.map(({ version }) => version)
  }
  return { verso, key, where, patches, versionsInLog }
}

const tenMore = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

for (const engine of engines)
  describe.each(resources)(`$path at the same moment on ${engine.name}`, (resource) => {
    it('PATCH, 10 at once without If-Match: each is done, one after the other', async () => {
      const { patches, versionsInLog } = await start(engine, resource)
      const answers = await patches()
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(tenMore.slice(1))
      expect(await versionsInLog()).toEqual(tenMore)
    })

    it('PATCH, 10 at once with the same If-Match: one is done, the others are 412 with the present version', async () => {
      const { patches, versionsInLog } = await start(engine, resource)
      const answers = await patches({ 'if-match': '"1"' })
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
      expect(answers.filter(({ status }) => status === 412).map(({ body }) => body.version)).toEqual(Array(9).fill(2))
      expect(await versionsInLog()).toEqual([1, 2])
    })

    it('DELETE, 10 at once: 204 for each, and one deletion', async () => {
      const { verso, key, where, versionsInLog } = await start(engine, resource)
      const answers = await Promise.all(Array.from({ length: 10 }, () => verso.delete(where, { key })))
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204))
      expect(await versionsInLog()).toEqual([1, 2])
    })

    it('PATCH and DELETE, 5 of each at once: done before it is gone, or 404', async () => {
      const { verso, key, where, versionsInLog } = await start(engine, resource)
      const requests = Array.from({ length: 10 }, (_, n) =>
        n % 2 ? verso.delete(where, { key }) : verso.patch(where, { [resource.field]: `change ${n}` }, { key }),
      )
      const answers = await Promise.all(requests)
      for (const [n, { status }] of answers.entries()) expect(n % 2 ? [204] : [200, 404]).toContain(status)
      const done = answers.filter(({ status }) => status === 200).length
      expect(await versionsInLog()).toEqual(tenMore.slice(0, done + 2))
    })
  })
