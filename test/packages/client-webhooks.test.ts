import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { GonePost, Post, WebhookCreate } from '@verso/client'
import { UnverifiedWebhook, verifyWebhook, type WebhookEvent } from '@verso/client/webhooks'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, expectTypeOf, it } from 'vitest'

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const secret = secretOf(7)
const at = new Date('2026-06-01T12:00:00Z')
const now = at.getTime()

function sent(body: string, { by = [secret], id = 'evt_1', time = at } = {}) {
  const signature = by.map((each) => new Webhook(each).sign(id, time, body)).join(' ')
  return { body, headers: { 'webhook-id': id, 'webhook-timestamp': String(time.getTime() / 1000), 'webhook-signature': signature } }
}

it('what is signed as Standard Webhooks says is verified, whatever is in it', async () => {
  const texts = fc.record({
    id: fc.stringMatching(/^[\w-]{1,40}$/),
    data: fc.jsonValue(),
    key: fc.uint8Array({ minLength: 24, maxLength: 64 }),
  })
  await fc.assert(
    fc.asyncProperty(texts, async ({ id, data, key }) => {
      const own = `whsec_${Buffer.from(key).toString('base64')}`
      const body = JSON.stringify({ type: 'post.published', data })
      expect(await verifyWebhook(sent(body, { by: [own], id }), own, { now })).toEqual(JSON.parse(body))
    }),
    { numRuns: 50 },
  )
})

it('a request of fetch, headers in any case, bytes: all of them are read', async () => {
  const { body, headers } = sent('{"type":"webhook.ping"}')
  const request = new Request('http://site.test', { method: 'POST', body, headers })
  expect(await verifyWebhook(request, secret, { now })).toEqual({ type: 'webhook.ping' })
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verifyWebhook({ body: new TextEncoder().encode(body), headers: upper }, secret, { now })).toEqual({ type: 'webhook.ping' })
})

it('the type of an event says what its data is', async () => {
  const event = await verifyWebhook(sent('{"type":"post.published","data":{"id":"post_1"}}'), secret, { now })
  if (event.type !== 'post.published') throw new Error(event.type)
  expect(event.data.id).toBe('post_1')
  expectTypeOf(event.data).toEqualTypeOf<Post | GonePost>()
  type Named = Exclude<NonNullable<WebhookCreate['events']>[number], '*' | `${string}.*`>
  expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<Named | 'webhook.ping'>()
})

it('while secrets are rotated, either of them serves', async () => {
  const rotated = sent('{}', { by: [secretOf(1), secretOf(2)] })
  for (const known of [secretOf(1), [secretOf(9), secretOf(2)]]) expect(await verifyWebhook(rotated, known, { now })).toEqual({})
  await expect(verifyWebhook(rotated, secretOf(3), { now })).rejects.toThrow(UnverifiedWebhook)
})

it.each([
  ['another body', () => ({ ...sent('{"a":1}'), body: '{"a":2}' })],
  ['another id', () => ({ body: '{}', headers: { ...sent('{}').headers, 'webhook-id': 'evt_2' } })],
  ['another time', () => ({ body: '{}', headers: { ...sent('{}').headers, 'webhook-timestamp': String(now / 1000 + 1) } })],
  ['an old time', () => sent('{}', { time: new Date(now - 301_000) })],
  ['a time to come', () => sent('{}', { time: new Date(now + 301_000) })],
  ['no headers', () => ({ body: '{}', headers: {} })],
  ['no signature', () => ({ body: '{}', headers: { ...sent('{}').headers, 'webhook-signature': 'v1,' } })],
  ['a signature that is not base64', () => ({ body: '{}', headers: { ...sent('{}').headers, 'webhook-signature': 'v1,%%%' } })],
  [
    'a signature of another version',
    () => ({
      body: '{}',
      headers: { ...sent('{}').headers, 'webhook-signature': sent('{}').headers['webhook-signature'].replace('v1,', 'v2,') },
    }),
  ],
])('%s: refused', async (_, received) => {
  await expect(verifyWebhook(received(), secret, { now })).rejects.toThrow(UnverifiedWebhook)
})

it('a secret that is none, or missing, is a mistake of its own', async () => {
  for (const none of ['whsec_', '', undefined, [undefined]])
    await expect(verifyWebhook(sent('{}'), none as never, { now })).rejects.toThrow(
      new TypeError('The secret of a webhook is whsec_ and base64.'),
    )
})

it('it is not part of the client, and small', () => {
  const built = readFileSync(resolve(import.meta.dirname, '../../packages/client/dist/webhooks.js'))
  expect(gzipSync(built).length).toBeLessThan(1_500)
})
