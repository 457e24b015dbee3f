import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../src/values/letters/case-fold.ts'

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 40 }))

/** Letters that grow, compose or move when folded, with marks of several combining classes. */
const awkwardLetters = [...'aAiIıİsSßẞſσςΣΑαᾳᾼΐΰᾷιΙǰJŉﬁﬃԵևẚKÅΩµ', ...'\u0301\u0308\u0307\u0323\u0334\u0342\u0345\u030c\u0331\u034f']
const awkwardText = fc.string({ unit: fc.constantFrom(...awkwardLetters), maxLength: 24 })

/** ǰ and 22 more fold to letter and marks, of which NFC makes the letter again; U+1FBE is ι in NFC before it is folded. */
const madeAgainByNfc = 24

describe('fold', () => {
  it.each([
    ['STRASSE', 'straße'],
    ['STRAẞE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ЩУКА', 'щука'],
    ['ﬃ', 'FFI'],
    ['K', 'k'],
    ['ŉ', 'ʼN'],
    ['ᾼ', 'αι'],
    ['ꭰ', 'Ꭰ'],
    ['𐐀', '𐐨'],
    ['café', 'CAFE\u0301'],
  ])('%s and %s are the same', (one, other) => {
    expect(fold(one)).toBe(fold(other))
  })

  it.each([
    ['ı', 'i'],
    ['é', 'e'],
    ['ö', 'oe'],
    ['й', 'и'],
    ['ë', 'e'],
  ])('%s and %s are not', (one, other) => {
    expect(fold(one)).not.toBe(fold(other))
  })

  it('İ keeps its dot, and I has none to lose', () => {
    expect(fold('İI')).toBe('i\u0307i')
  })

  it('what is ASCII is lower-cased and otherwise kept', () => {
    expect(fold('Hello, World! [\\]^_`{|}~ \0\n@AZ')).toBe('hello, world! [\\]^_`{|}~ \0\n@az')
  })

  it('is idempotent and in NFC', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, awkwardText), (text) => {
        const folded = fold(text)
        expect(fold(folded)).toBe(folded)
        expect(folded.normalize('NFC')).toBe(folded)
      }),
      { numRuns: 5000 },
    )
  })

  it('is the same for NFC and NFD', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, awkwardText), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
      }),
      { numRuns: 5000 },
    )
  })

  it('folds the 1,530 letters of Unicode 15.0, each like its small and its capital form', () => {
    const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code))
    const folded = letters.filter((letter) => fold(letter) !== letter.normalize('NFC'))
    expect(folded.length).toBe(1530 - madeAgainByNfc)
    for (const letter of folded) {
      expect([letter, fold(letter.toLowerCase())]).toEqual([letter, fold(letter)])
      expect([letter, fold(letter.toUpperCase())]).toEqual([letter, fold(letter)])
    }
  })

  it('is done with a million marks on one letter, which sorted at once would take ten minutes', () => {
    const folded = fold(`A${'\u0301\u0316'.repeat(500_000)}`)
    expect(folded.startsWith('á\u0316')).toBe(true)
    expect(fold(folded) === folded).toBe(true)
  })

  it('leaves a lone surrogate alone', () => {
    expect(fold('É\ud800A\udc00')).toBe('é\ud800a\udc00')
  })
})
