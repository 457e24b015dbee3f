import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { signedIn } from '../../harness/studio-browser.ts'

for (const engine of engines) {
  describe(`who is asking on ${engine.name}`, () => {
    it('GET /v1/whoami: keys with the same scopes are each told their own id and name, whoever asks first', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const make = async (kind: string, name: string) => (await verso.post('/v1/admin/keys', { kind, name }, { key: admin })).body
      for (const kind of ['secret', 'public']) {
        const keys = [await make(kind, `${kind} one`), await make(kind, `${kind} two`)]
        for (const { token, id, name } of [...keys, ...keys]) {
          const { status, body } = await verso.get('/v1/whoami', { key: token })
          expect([status, body.actor, body.actorName, body.kind]).toEqual([200, id, name, kind])
        }
      }
      expect((await verso.get('/v1/whoami?x=1')).body.code).toBe('unknown_parameter')
    })

    it('GET /v1/whoami: people with the same role are each told their own name, and 304 only for what they were told themselves', async () => {
      const verso = await startVerso(engine)
      const anna = await signedIn(verso, 'Anna', 'editor')
      const boris = await signedIn(verso, 'Boris', 'editor')
      const first = await verso.get('/v1/whoami', { key: anna.token })
      expect(first.body).toMatchObject({ actor: anna.id, actorName: 'Anna', kind: 'person' })
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      expect((await verso.get('/v1/whoami', { key: anna.token, headers })).status).toBe(304)
      const second = await verso.get('/v1/whoami', { key: boris.token, headers })
      expect([second.status, second.body]).toMatchObject([200, { actor: boris.id, actorName: 'Boris' }])
    })

    it('GET /v1/posts/{id}/pending: the new name of who saved it, as soon as that person is renamed', async () => {
      const verso = await startVerso(engine)
      const owner = await signedIn(verso, 'Olga', 'owner')
      const writer = await signedIn(verso, 'Ann', 'writer')
      const { id } = (await verso.post('/v1/posts', { title: 'One', status: 'published' })).body
      await verso.patch(`/v1/posts/${id}/pending`, { title: 'Two' }, { key: writer.token })
      for (const path of [`/v1/posts/${id}/pending`, `/v1/posts/${id}/pending?include=html`])
        expect((await verso.get(path)).body).toMatchObject({ actor: writer.id, actorName: 'Ann' })
      expect((await verso.patch(`/v1/admin/people/${writer.id}`, { name: 'Anne' }, { key: owner.token })).status).toBe(200)
      for (const path of [`/v1/posts/${id}/pending`, `/v1/posts/${id}/pending?include=html`])
        expect((await verso.get(path)).body).toMatchObject({ actor: writer.id, actorName: 'Anne' })
    })
  })
}
