import { describe, expect, it } from 'vitest'
import { scopes } from '../../../src/actions/caller.ts'
import { type Answer, engines, shared } from '../../harness/harness.ts'
import { startReceiver, startWithWebhooks, type WebhookApp } from './receiver.ts'

const path = '/v1/admin/webhooks'
const nobody = 'whk_00000000000000000000000000'
const noEvent = 'evt_00000000000000000000000000'
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
const faultsOf = ({ body }: Answer) => body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)

/** What is sent to create a webhook, and what is wrong with it. */
const bad: readonly (readonly [what: string, body: object, faults: readonly string[]])[] = [
  ['no URL', {}, ['/url required']],
  ['a URL that is none', { url: 'example' }, ['/url invalid_format']],
  ['another scheme', { url: 'ftp://example.com/' }, ['/url invalid_format']],
  ['a script', { url: 'javascript:alert(1)' }, ['/url invalid_format']],
  ['a number', { url: 5 }, ['/url wrong_type']],
  ['a URL too long', { url: `https://example.com/${'a'.repeat(2_048)}` }, ['/url too_long']],
  ['a user', { url: 'https://ada@example.com/' }, ['/url not_allowed']],
  ['a password', { url: 'https://:pw@example.com/' }, ['/url not_allowed']],
  ['a private address', { url: 'http://10.0.0.1/' }, ['/url not_allowed']],
  ['a private address in decimal', { url: 'http://167772161/' }, ['/url not_allowed']],
  ['the metadata service of a cloud', { url: 'http://169.254.169.254/latest' }, ['/url not_allowed']],
  ['loopback as IPv6', { url: 'http://[::1]/' }, ['/url not_allowed']],
  ['a zone', { url: 'http://[fe80::1%25eth0]/' }, ['/url invalid_format']],
  ['a name with white space', { name: ' \n', url: 'https://example.com/' }, ['/name empty']],
  ['a name too long', { name: 'x'.repeat(101), url: 'https://example.com/' }, ['/name too_long']],
  ['no events', { events: [], url: 'https://example.com/' }, ['/events empty']],
  ['an unknown event', { events: ['post.read'], url: 'https://example.com/' }, ['/events/0 not_allowed']],
  ['an unknown kind', { events: ['tag.*'], url: 'https://example.com/' }, ['/events/0 not_allowed']],
  ['a text for events', { events: 'post.*', url: 'https://example.com/' }, ['/events wrong_type']],
  ['a secret without its prefix', { secret: 'A'.repeat(32), url: 'https://example.com/' }, ['/secret invalid_format']],
  ['a secret too short', { secret: secretOf(23), url: 'https://example.com/' }, ['/secret invalid_format']],
  ['a secret too long', { secret: secretOf(65), url: 'https://example.com/' }, ['/secret invalid_format']],
  ['a secret that is no base64', { secret: `whsec_${'!'.repeat(40)}`, url: 'https://example.com/' }, ['/secret invalid_format']],
  ['an unknown field', { adress: 'x', url: 'https://example.com/' }, ['/adress unknown_field']],
  ['a field that is only read', { enabled: false, url: 'https://example.com/' }, ['/enabled unknown_field']],
  [
    'several',
    { url: 'http://127.1/', secret: 'x', events: ['x'] },
    ['/events/0 not_allowed', '/url not_allowed', '/secret invalid_format'],
  ],
]

/** Every route of webhooks, for a webhook and a delivery of it. */
const routes = (id: string, delivery: string): readonly (readonly [method: string, path: string, body?: object])[] => [
  ['GET', `${path}/${id}`],
  ['PATCH', `${path}/${id}`, { name: 'Another' }],
  ['POST', `${path}/${id}/test`],
  ['POST', `${path}/${id}/rotate-secret`, {}],
  ['POST', `${path}/${id}/replay`, { since: 0 }],
  ['GET', `${path}/${id}/deliveries`],
  ['GET', `${path}/${id}/deliveries/${delivery}`],
  ['POST', `${path}/${id}/deliveries/${delivery}/redeliver`],
  ['DELETE', `${path}/${id}`],
]

async function startWithOne(engine: (typeof engines)[number]): Promise<WebhookApp & { readonly id: string; readonly delivery: string }> {
  const verso = await startWithWebhooks(engine, { env: { VERSO_WEBHOOK_ALLOW: '' } })
  const { id } = await verso.webhook('https://example.com/hook')
  const { body } = await verso.post(`${path}/${id}/test`, undefined, verso.admin)
  return { ...verso, id, delivery: body.id }
}

for (const engine of engines) {
  describe(`webhooks on ${engine.name}`, () => {
    it('POST /v1/admin/webhooks/{id}/rotate-secret: 422 not_allowed for the secret that the webhook has', async () => {
      const verso = await startWithWebhooks(engine)
      const { body: first } = await verso.post(path, { url: 'https://example.com/hook' }, verso.admin)
      const rotate = (secret: string) => verso.post(`${path}/${first.id}/rotate-secret`, { secret }, verso.admin)
      const refused = { status: 422, body: { errors: [{ pointer: '/secret', code: 'not_allowed' }] } }
      expect(await rotate(first.secret)).toMatchObject(refused)
      const another = `whsec_${Buffer.from('another secret of this webhook').toString('base64')}`
      expect((await rotate(another)).status).toBe(201)
      expect(await rotate(another)).toMatchObject(refused)
      expect((await rotate(first.secret)).status).toBe(201)
    })

    it('POST /v1/admin/webhooks: 201 with the secret, which is shown this once', async () => {
      const verso = await startWithWebhooks(engine)
      const created = await verso.post(path, { url: 'https://example.com/hook' }, verso.admin)
      expect(created.status).toBe(201)
      expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`)
      const { secret, ...webhook } = created.body
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(webhook).toMatchObject({ name: 'example.com', url: 'https://example.com/hook', events: ['*'], enabled: true })
      expect((await verso.get(`${path}/${webhook.id}`, verso.admin)).body).toEqual(webhook)
      expect((await verso.get(path, verso.admin)).body.data).toEqual([webhook])
      const given = await verso.post(path, { url: 'https://example.com/b', secret: secretOf(24), name: ' B ' }, verso.admin)
      expect(given.body).toMatchObject({ secret: secretOf(24), name: 'B' })
    })

    it('POST /v1/admin/webhooks: a host longer than a name is cut, and PATCH takes the name back', async () => {
      const verso = await startWithWebhooks(engine)
      const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`
      const { body } = await verso.post(path, { url: `https://${host}/` }, verso.admin)
      expect(body.name).toBe(host.slice(0, 100))
      expect((await verso.patch(`${path}/${body.id}`, { name: body.name }, verso.admin)).status).toBe(200)
    })

    const refusing = shared(() => startWithWebhooks(engine, { env: { VERSO_WEBHOOK_ALLOW: '' } }))

    it.each(bad)('POST /v1/admin/webhooks: 422 for %s', async (_, body, faults) => {
      const verso = await refusing()
      const answer = await verso.post(path, body, verso.admin)
      expect(answer.status).toBe(422)
      expect(faultsOf(answer).toSorted()).toEqual([...faults].sort())
      expect((await verso.get(path, verso.admin)).body.data).toEqual([])
    })

    it('PATCH /v1/admin/webhooks/{id}: changes what is named, 422 as for a new one', async () => {
      const verso = await startWithOne(engine)
      const patched = await verso.patch(`${path}/${verso.id}`, { events: ['post.*'], enabled: false }, verso.admin)
      expect(patched.body).toMatchObject({
        name: 'example.com',
        events: ['post.*'],
        enabled: false,
        disabledReason: 'It was switched off.',
      })
      const again = await verso.patch(`${path}/${verso.id}`, { enabled: true }, verso.admin)
      expect(again.body).toMatchObject({ enabled: true, disabledAt: null, disabledReason: null })
      expect(faultsOf(await verso.patch(`${path}/${verso.id}`, { url: 'http://192.168.0.1/' }, verso.admin))).toEqual(['/url not_allowed'])
      expect(faultsOf(await verso.patch(`${path}/${verso.id}`, { url: null, secret: 'x' }, verso.admin)).toSorted()).toEqual([
        '/secret unknown_field',
        '/url wrong_type',
      ])
    })

    it('422 too_many: a project has twenty webhooks', async () => {
      const verso = await startWithWebhooks(engine)
      const create = (n: number) => verso.post(path, { url: `https://example.com/${n}` }, verso.admin)
      const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => create(n)))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
      expect(faultsOf(await create(25))).toEqual([' too_many'])
      const [first] = (await verso.get(path, verso.admin)).body.data
      expect((await verso.delete(`${path}/${first.id}`, verso.admin)).status).toBe(204)
      expect((await create(26)).status).toBe(201)
    })

    it('403 insufficient_scope for every scope but admin', async () => {
      const verso = await startWithOne(engine)
      const key = await verso.keyWith(...scopes.filter((scope) => scope !== 'admin'))
      const all = [['GET', path] as const, ['POST', path, { url: 'https://example.com/' }] as const, ...routes(verso.id, verso.delivery)]
      for (const [method, where, body] of all) {
        const answer = await verso.request(method, where, { key, ...(body && { body }) })
        expect([answer.status, answer.body.scope], `${method} ${where}`).toEqual([403, 'admin'])
      }
    })

    it('404, the same for another project as for none', async () => {
      const verso = await startWithOne(engine)
      const other = await verso.otherProject('other')
      const key = await other.keyWith('admin')
      const asked = async (method: string, where: string, body?: object) => {
        const { status, body: problem } = await other.request(method, where, { key, ...(body && { body }) })
        return { status, code: problem.code, detail: problem.detail }
      }
      const [theirs, none] = [routes(verso.id, verso.delivery), routes(nobody, noEvent)]
      for (const [i, [method, where, body]] of theirs.entries()) {
        const found = await asked(method, where, body)
        expect(found.status, `${method} ${where}`).toBe(404)
        expect(found).toEqual(await asked(...(none[i] ?? ['GET', path])))
      }
      expect((await other.get(path, { key })).body.data).toEqual([])
      expect((await verso.get(`${path}/${verso.id}/deliveries/${noEvent}`, verso.admin)).status).toBe(404)
    })

    it('a receiver is told nothing of another project', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      const other = await verso.otherProject('other')
      await other.post('/v1/posts', { title: 'Theirs' })
      await verso.dispatch()
      expect(receiver.received).toEqual([])
    })

    it('dry_run=true makes nothing and shows no secret', async () => {
      const verso = await startWithWebhooks(engine)
      const tried = await verso.post(`${path}?dry_run=true`, { url: 'https://example.com/' }, verso.admin)
      expect([tried.status, tried.body.secret]).toEqual([200, undefined])
      expect((await verso.get(path, verso.admin)).body.data).toEqual([])
    })

    it('POST …/replay: 422 for what is no revision', async () => {
      const verso = await startWithOne(engine)
      for (const since of [-1, 1.5, '5', null, 1e300]) {
        const answer = await verso.post(`${path}/${verso.id}/replay`, { since }, verso.admin)
        expect([answer.status, faultsOf(answer)[0]?.split(' ')[0]]).toEqual([422, '/since'])
      }
    })
  })
}
