import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codingFor } from '../../../src/http/content-coding.ts'
import { preferredCoding } from '../../../src/http/request/accept-encoding.ts'

/** An element of the header: a coding, and its weight in thousandths where it has one. */
interface Element {
  readonly name: string
  readonly weight: number | undefined
  readonly text: string
}

const spelled = (name: string) => fc.mixedCase(fc.constant(name), { toggleCase: (letter) => letter.toUpperCase() })
const space = fc.constantFrom('', ' ', '\t', '  ')
const weightText = (weight: number) => (weight === 1_000 ? fc.constantFrom('1', '1.', '1.0', '1.000') : fc.constant(String(weight / 1_000)))
const element: fc.Arbitrary<Element> = fc
  .record({
    name: fc.constantFrom('br', 'gzip', 'x-gzip', 'identity', '*', 'zstd', 'deflate'),
    weight: fc.option(fc.constantFrom(0, 1, 300, 500, 999, 1_000), { nil: undefined }),
  })
  .chain(({ name, weight }) =>
    fc
      .tuple(spelled(name), space, space, spelled('q='), weight === undefined ? fc.constant('') : weightText(weight))
      .map(([spelling, before, after, q, number]) => ({
        name: name === 'x-gzip' ? 'gzip' : name,
        weight,
        text: weight === undefined ? spelling : `${spelling}${before};${after}${q}${number}`,
      })),
  )
const header = fc
  .uniqueArray(element, { selector: ({ name }) => name, maxLength: 6 })
  .chain((elements) =>
    fc.tuple(fc.constant(elements), fc.array(fc.constantFrom(',', ' ,', ', ', ',,', ' , ,\t'), { minLength: 6, maxLength: 6 })),
  )
  .map(([elements, between]) => ({ elements, text: elements.map(({ text }, i) => text + (between[i] ?? ',')).join('') }))

/** What the header says of a coding; below all weights where it leaves open what has none. */
function weightIn(elements: readonly Element[], coding: string): number {
  const said = elements.find(({ name }) => name === coding) ?? elements.find(({ name }) => name === '*')
  if (coding === 'identity') return said === undefined ? 0.5 : said.name === '*' && said.weight !== 0 ? 0.5 : (said.weight ?? 1_000)
  return said === undefined ? 0 : (said.weight ?? 1_000)
}

describe('Accept-Encoding', () => {
  it('the coding of the highest weight, and none that is excluded; plain where all are', () => {
    fc.assert(
      fc.property(header, ({ elements, text }) => {
        const wanted = preferredCoding(text)
        const weights = { identity: weightIn(elements, 'identity'), gzip: weightIn(elements, 'gzip'), br: weightIn(elements, 'br') }
        const highest = Math.max(...Object.values(weights))
        const best = weights.br === highest ? 'br' : weights.gzip === highest ? 'gzip' : 'identity'
        expect(wanted).toBe(highest === 0 ? 'identity' : best)
      }),
    )
  })

  it('whatever is sent, there is an answer, and soon', () => {
    const pieces = fc.constantFrom('gzip', 'br', ';', 'q=', ',', ' ', '0', '.', '*', '"', '=', 'é', '\t')
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(fc.property(text, (any) => void expect(['br', 'gzip', 'identity']).toContain(preferredCoding(any))))
    expect(preferredCoding(`gzip${' '.repeat(32_000)}`)).toBe('gzip')
    expect(preferredCoding(`gzip${' '.repeat(32_000)}x`)).toBe('identity')
    expect(preferredCoding(`${'gzip;'.repeat(6_000)}`)).toBe('identity')
  })

  it.each([
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['compress, gzip', 'gzip'],
    ['compress;q=0.5, gzip;q=1.0', 'gzip'],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['gzip;q=0.2, identity;q=0.9', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, zstd', 'identity'],
    ['*;q=0, identity;q=0.1', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['br, *;q=0', 'br'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=2, br;q=x', 'identity'],
    ['gzip;q=0.0001', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip;q=0, gzip', 'identity'],
  ])('%s: %s', (sent, wanted) => {
    expect(preferredCoding(sent)).toBe(wanted)
  })

  it('a short answer has no coding', () => {
    expect([codingFor('br', 1_023), codingFor('br', 1_024)]).toEqual(['identity', 'br'])
    expect([codingFor('gzip', 1_023), codingFor('gzip', 1_024)]).toEqual(['identity', 'gzip'])
    expect(codingFor('identity', 1_000_000)).toBe('identity')
  })
})
