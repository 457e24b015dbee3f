import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePointLength, cutAtWord, cutToCodePoints, isStorable, slicesOfText } from '../../src/values/code-points.ts'

const wellFormedText = fc.string({ unit: 'binary' })
/** Any UTF-16 units: pairs, halves and halves in the wrong order. */
const anyUnits = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '\ud83d', '\ude00', '\ud83d\ude00') })

describe('codePointLength', () => {
  it('counts as iteration does, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.oneof(wellFormedText, anyUnits), (text) => {
        expect(codePointLength(text)).toBe([...text].length)
      }),
    )
  })
})

describe('cutToCodePoints', () => {
  it('gives the first code points, none of them split', () => {
    fc.assert(
      fc.property(fc.oneof(wellFormedText, anyUnits), fc.nat(12), (text, max) => {
        expect(cutToCodePoints(text, max)).toBe([...text].slice(0, max).join(''))
      }),
    )
  })
})

describe('slicesOfText', () => {
  it('gives all of the text, with no pair split', () => {
    fc.assert(
      fc.property(fc.oneof(wellFormedText, anyUnits), fc.integer({ min: 1, max: 5 }), (text, units) => {
        const slices = [...slicesOfText(text, units)]
        expect(slices.join('')).toBe(text)
        expect(slices.flatMap((slice) => [...slice])).toEqual([...text])
        for (const { length } of slices.slice(0, -1)) expect([units, units + 1]).toContain(length)
      }),
    )
  })
})

describe('cutAtWord', () => {
  it.each([
    ['one two three', 13, 'one two three'],
    ['one two three', 12, 'one two'],
    ['one two three', 8, 'one two'],
    ['one two three', 7, 'one two'],
    ['one two three', 6, 'one'],
    ['one two three', 2, 'on'],
    ['one   two', 5, 'one'],
    ['  longword', 5, '  lon'],
    ['日本語の文章', 3, '日本語'],
    ['😀😀 😀😀', 3, '😀😀'],
    ['one', 0, ''],
  ])('%j to %i: %j', (text, max, expected) => {
    expect(cutAtWord(text, max)).toBe(expected)
  })

  it('is a beginning of the text within the length, well formed like the text', () => {
    fc.assert(
      fc.property(wellFormedText, fc.nat(12), (text, max) => {
        const cut = cutAtWord(text, max)
        expect(text.startsWith(cut)).toBe(true)
        expect(codePointLength(cut)).toBeLessThanOrEqual(max)
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })

  it('is done with two million spaces', () => {
    expect(cutAtWord(`a${' '.repeat(2_000_000)}b`, 2_000_000)).toBe('a')
  })
})

describe('isStorable', () => {
  it.each(['', 'text', '😀', 'é\n\t', '\uffff', '\u0001'])('yes: %j', (text) => {
    expect(isStorable(text)).toBe(true)
  })

  it.each(['\0', 'a\0b', '\ud83d', '\ude00', '\ude00\ud83d', 'a\ud83d b'])('no: %j', (text) => {
    expect(isStorable(text)).toBe(false)
  })

  it('means that UTF-8 brings the text back', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        expect(isStorable(text)).toBe(Buffer.from(text, 'utf8').toString('utf8') === text)
      }),
    )
  })
})
