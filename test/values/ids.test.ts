import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idFromName, idsOf, newId } from '../../src/values/ids.ts'
import { toInstant } from '../../src/values/instant.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const lastMs = 253_402_300_799_999
const anyMs = fc.integer({ min: 0, max: lastMs })
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

/** The 128 bits that the letters of an id stand for. */
function bitsOf(id: string): bigint {
  return [...id.slice(id.indexOf('_') + 1)].reduce((bits, letter) => bits * 32n + BigInt(alphabet.indexOf(letter)), 0n)
}

/** A UUIDv7 as RFC 9562 §5.7 lays it out. */
function uuid7(ms: number, chance: Uint8Array): bigint {
  const random = chance.reduce((bits, byte) => bits * 256n + BigInt(byte), 0n)
  const masked = (random & ((1n << 76n) - 1n) & ~(3n << 62n)) | (2n << 62n) | (7n << 76n)
  return (BigInt(ms) << 80n) | masked
}

describe('ids', () => {
  it('from a name are the same for the same name in one project, with its time, and others for other names and projects', () => {
    const ids = fc.constantFrom(
      ...['2026-01-01', '2026-02-01'].map((day) => newId('prj', toInstant(new Date(day)), () => new Uint8Array(10))),
    )
    fc.assert(
      fc.property(ids, ids, fc.string(), fc.string(), (project, other, name, otherName) => {
        const id = idFromName('tag', project, name)
        expect(id).toMatch(/^tag_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(id.slice('tag_'.length, 14)).toBe(project.slice('prj_'.length, 14))
        expect(idFromName('tag', other, otherName) === id).toBe(project === other && name === otherName)
      }),
    )
  })

  it('are UUIDv7 in 26 letters of Crockford base32', () => {
    fc.assert(
      fc.property(anyMs, tenBytes, (ms, chance) => {
        const id = newId('post', toInstant(new Date(ms)), () => chance.slice())
        expect(id).toMatch(/^post_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(bitsOf(id)).toBe(uuid7(ms, chance))
      }),
    )
  })

  it('made one after the other are the same as made one by one, and sort by the time they were made', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyMs, tenBytes), { minLength: 2 }), (made) => {
        let at = 0
        const next = idsOf(
          'req',
          () => new Date(made[at]?.[0] ?? 0),
          () => made[at]?.[1].slice() ?? new Uint8Array(),
        )
        const ids = made.map(([ms, chance], i) => {
          at = i
          const id = next()
          expect(id).toBe(newId('req', toInstant(new Date(ms)), () => chance.slice()))
          return { id, ms }
        })
        const byId = ids.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ ms }) => ms)
        expect(byId).toEqual(byId.toSorted((a, b) => a - b))
      }),
    )
  })
})
