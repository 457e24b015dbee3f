import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsIn as everyWordIn, foldText, wordsAskedFor } from '../../src/search/tokenizer.ts'

const wordsIn = (text: string) => [...new Set(everyWordIn(foldText(text)))]

describe('words', () => {
  it.each([
    ['Hello, World! Hello?', 'hello world'],
    ["e-mail don’t l’été O'Neil", 'e mail don t l été o neil'],
    ['3.14 and v2 x²', '3 14 and v2 x²'],
    ['STRASSE Straße ΟΔΥΣΣΕΥΣ', 'strasse οδυσσευσ'],
    ['cafe\u0301 CAFÉ', 'café'],
    ['co\u00adop\u200derate', 'cooperate'],
    ['snake_case `code` [a](https://example.com/b?c=d)', 'snake case code a https example com b c d'],
    ['\u0301 !!! — 😀 \u0000', ''],
    ['हिन्दी में', 'हिन्दी में'],
    ['漢字', '漢 漢字 字'],
    ['Verso漢字 と', 'verso 漢 漢字 字 と'],
    ['スーパー', 'ス スー ー ーパ パ パー'],
    ['한국어를', '한 한국 국 국어 어 어를 를'],
    ['๒๕๖๙ 二〇二六', '๒๕๖๙ 二 〇 二六 六'],
    ['ไทย', 'ไ ไท ท ทย ย'],
  ])('in %j are %j', (text, words) => {
    expect(wordsIn(text).join(' ')).toBe(words)
  })

  it.each([
    ['漢', '漢'],
    ['漢字', '漢字'],
    ['漢字学 verso', '漢字 字学 verso'],
    ['don’t', 'don t'],
  ])('%j asks for %j', (text, words) => {
    expect(wordsAskedFor(text).join(' ')).toBe(words)
  })

  it('are at most 64 code points long', () => {
    expect([...wordsIn('a'.repeat(100)), ...wordsIn('é'.repeat(100)), ...wordsIn('𝒳'.repeat(100))].map((word) => [...word].length)).toEqual(
      [64, 64, 64],
    )
  })

  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(' ', '-', 'a', 'B', '1', 'é', 'ß', '漢', '字', 'ー', 'ก', '\u0301', '😀', "'"),
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
  })

  it('of any text can be asked for, and every part between blanks finds the whole', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (text, from, length) => {
        const parts = text.split(' ')
        const start = from % parts.length
        const part = parts.slice(start, start + 1 + (length % parts.length)).join(' ')
        expect(wordsIn(text)).toEqual(expect.arrayContaining([...wordsAskedFor(part)]))
      }),
    )
  })

  it('are the same folded and not, composed and not, plain or beside other letters', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(wordsIn(text.normalize('NFD'))).toEqual(wordsIn(text.normalize('NFC')))
        expect(wordsIn(`${text} é`)).toEqual([...new Set([...wordsIn(text), 'é'])])
        expect(new Set(wordsIn(text)).size).toBe(wordsIn(text).length)
        expect(
          wordsIn(
            wordsIn(text)
              .filter((word) => /^[a-z0-9]+$/.test(word))
              .join('-'),
          ),
        ).toEqual(wordsIn(text).filter((word) => /^[a-z0-9]+$/.test(word)))
      }),
    )
  })

  it('hold no blank, and no ASCII but small letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => wordsIn(text).every((word) => !/[\0-/:-`{-\x7f\s]/.test(word) && word !== '')),
    )
  })
})
