import { describe, expect, it } from 'vitest'
import { maxFailures, networkOf } from '../../../src/http/limits/failed-authentications.ts'
import { newToken } from '../../../src/values/token.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

const refused = { status: 429, body: { code: 'rate_limited' } }
const unauthenticated = { status: 401, body: { code: 'invalid_key' } }

const from = (address: string) => ({ 'x-forwarded-for': address })

async function failFully(verso: TestApp, headers = {}) {
  for (let i = 0; i < maxFailures; i++) expect(await verso.get('/v1/posts', { key: 'mistyped', headers })).toMatchObject(unauthenticated)
}

for (const engine of engines) {
  describe(`failed authentications on ${engine.name}`, () => {
    it('beyond 60 of an address in a minute: 429 rate_limited with Retry-After; every valid key goes on', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => lines.push(line) })
      await failFully(verso)
      verso.context.travelTo('2026-06-01T12:00:20.000Z')
      for (const key of ['mistyped', newToken('verso_live_', verso.context.random), newToken('verso_pub_', verso.context.random)]) {
        const answer = await verso.get('/v1/posts', { key })
        expect(answer).toMatchObject(refused)
        expect(answer.headers.get('retry-after')).toBe('40')
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
      for (const key of [verso.secret, verso.public, await verso.keyWith('posts:read')])
        expect(await verso.get('/v1/posts', { key })).toMatchObject({ status: 200 })
      expect(lines.filter((line) => line.includes('too many failed authentications'))).toHaveLength(1)
      expect(lines.find((line) => line.includes('too many failed authentications'))).toContain('"address":"127.0.0.1"')
      verso.context.travelTo('2026-06-01T12:01:00.000Z')
      expect(await verso.get('/v1/posts', { key: 'mistyped' })).toMatchObject(unauthenticated)
    })

    it('a revoked key is slowed like any other that fails, and its successor is not', async () => {
      const verso = await startVerso(engine)
      const { body: old } = await verso.post('/v1/admin/keys', { name: 'old', kind: 'secret' }, { key: await verso.keyWith('admin') })
      await verso.request('DELETE', `/v1/admin/keys/${old.id}`, { key: await verso.keyWith('admin') })
      for (let i = 0; i < maxFailures; i++) expect(await verso.get('/v1/posts', { key: old.token })).toMatchObject(unauthenticated)
      expect(await verso.get('/v1/posts', { key: old.token })).toMatchObject(refused)
      expect(await verso.get('/v1/posts')).toMatchObject({ status: 200 })
    })

    it('behind a trusted proxy each client has its own count, an IPv6 client by its /64', async () => {
      const verso = await startVerso(engine, { env: { VERSO_TRUST_PROXY: 'true' } })
      await failFully(verso, from('2001:db8:1:2::1'))
      const ask = async (address: string) => (await verso.get('/v1/posts', { key: 'mistyped', headers: from(address) })).status
      expect(await ask('2001:db8:1:2:ffff::9')).toBe(429)
      expect(await ask('2001:db8:1:3::1')).toBe(401)
      expect(await ask('203.0.113.9')).toBe(401)
    })

    it('without a trusted proxy the header is not believed', async () => {
      const verso = await startVerso(engine)
      await failFully(verso, from('203.0.113.9'))
      expect(await verso.get('/v1/posts', { key: 'mistyped', headers: from('203.0.113.10') })).toMatchObject(refused)
    })

    it('what a trusted proxy passes on that is no address counts for the proxy', async () => {
      const verso = await startVerso(engine, { env: { VERSO_TRUST_PROXY: 'true' } })
      await failFully(verso, from('unknown'))
      expect(await verso.get('/v1/posts', { key: 'mistyped', headers: from('hidden') })).toMatchObject(refused)
    })

    it('GET /metrics with a wrong token counts, a request without a key does not', async () => {
      const token = 'the-token-of-the-metrics'
      const verso = await startVerso(engine, { env: { VERSO_METRICS_TOKEN: token } })
      for (let i = 0; i <= maxFailures; i++) expect(await verso.get('/v1/posts', { key: null })).toMatchObject({ status: 401 })
      for (let i = 0; i < maxFailures; i++) expect(await verso.get('/metrics', { key: 'wrong-token' })).toMatchObject(unauthenticated)
      expect(await verso.get('/metrics', { key: 'wrong-token' })).toMatchObject(refused)
      expect(await verso.get('/v1/posts', { key: 'mistyped' })).toMatchObject(refused)
      const metrics = await verso.get('/metrics', { key: token })
      expect(metrics.text).toContain('verso_rate_limited_total{limit="failed_authentications"} 2')
    })
  })
}

describe('the address of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1::3:4:5:6', '2001:db8:1:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
