import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FailureCounts, waitMs } from '../../../src/resources/people/sign-in/failed-sign-in.ts'
import { type Instant, later } from '../../../src/values/instant.ts'
import { engines, startVerso } from '../../harness/harness.ts'
import { openBrowser, signedIn, testPassword } from '../../harness/studio-browser.ts'

const now = '2026-06-01T12:00:00.000Z' as Instant

for (const engine of engines)
  describe(`failed sign-ins on ${engine.name}`, () => {
    it('429 rate_limited after five, for this account at this address alone; another address waits for nobody', async () => {
      const verso = await startVerso(engine, { env: { VERSO_TRUST_PROXY: 'true' } })
      await signedIn(verso, 'Ida', 'writer')
      await signedIn(verso, 'Jan', 'writer')
      const from = (address: string) => openBrowser(verso.app.url, { 'x-forwarded-for': address })
      const wrong = (address: string, name = 'Ida') => from(address).post('', { name, password: 'wrong' })
      for (let i = 0; i < 5; i++) expect((await wrong('192.0.2.1')).status).toBe(401)
      const slowed = await wrong('192.0.2.1')
      expect([slowed.status, slowed.body.code, slowed.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
      const right = (address: string, name = 'Ida') => from(address).post('', { name, password: testPassword })
      expect((await right('192.0.2.1')).status).toBe(429)
      expect((await right('192.0.2.1', 'Jan')).status).toBe(201)
      expect((await right('2001:db8::1')).status).toBe(201)
      verso.context.travelTo('2026-06-01T12:00:01.000Z')
      expect((await right('192.0.2.1')).status).toBe(201)
      expect((await wrong('192.0.2.1')).status).toBe(401)
      expect(JSON.stringify(await verso.app.installation.db.selectFrom('failed_sign_ins').selectAll().execute())).not.toMatch(/ida|192\.0/i)
      const attack = await Promise.all(Array.from({ length: 15 }, (_, i) => wrong(`198.51.100.${i}`)))
      expect(attack.map(({ status }) => status)).toEqual(Array(15).fill(401))
      // From now on each address has one try.
      expect((await wrong('198.51.100.1')).status).toBe(429)
      expect([(await wrong('203.0.113.1')).status, (await right('203.0.113.1')).status]).toEqual([401, 429])
      expect((await right('203.0.113.2')).status).toBe(201)
      verso.context.travelTo('2026-06-01T12:01:01.000Z')
      expect((await right('203.0.113.1')).status).toBe(201)
    })

    it('a right password from elsewhere has its turn, however many tries of one network wait', async () => {
      const verso = await startVerso(engine, { env: { VERSO_TRUST_PROXY: 'true' } })
      await signedIn(verso, 'Kim', 'writer')
      const from = (address: string) => openBrowser(verso.app.url, { 'x-forwarded-for': address })
      const burst = Array.from({ length: 21 }, (_, i) => from(`2001:db8::${i}`).post('', { name: `Nobody ${i}`, password: 'wrong' }))
      const right = await from('2001:db8:0:1::1').post('', { name: 'Kim', password: testPassword })
      expect(right.status).toBe(201)
      for (const { status, headers } of await Promise.all(burst))
        expect(status === 401 || (status === 429 && headers.get('retry-after') === '5'), String(status)).toBe(true)
    })
  })

describe('the wait after failed sign-ins', () => {
  const count = fc
    .record({ failures: fc.nat(10_000), agoMs: fc.nat(3_600_000) })
    .map(({ failures, agoMs }) => ({ failures, lastAt: later(now, -agoMs) }))
  const counts: fc.Arbitrary<FailureCounts> = fc.record({ both: count, address: count, account: count }, { requiredKeys: [] })

  it('is never longer than a minute, and ends', () => {
    fc.assert(
      fc.property(counts, (failed) => {
        const wait = waitMs(failed, now)
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(60_000)
        expect(waitMs(failed, later(now, wait))).toBe(0)
      }),
    )
  })

  it('is nothing for an address that has not failed, whatever others do', () => {
    fc.assert(
      fc.property(count, (account) => {
        expect(waitMs({ account }, now)).toBe(0)
      }),
    )
  })
})
