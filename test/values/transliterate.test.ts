import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../src/values/letters/case-fold.ts'
import { transliterate, transliteration } from '../../src/values/letters/transliterate.ts'

describe('transliterate', () => {
  it.each([
    ['German', 'Größe, Übermut, ẞ', 'grosse, ubermut, ss'],
    ['Polish', 'Łódź Żółć', 'lodz zolc'],
    ['Scandinavian', 'Ærø Ångström þing Eyjafjörður', 'aero angstrom thing eyjafjordur'],
    ['French', 'Œuvre à Noël', 'oeuvre a noel'],
    ['Turkish', 'İstanbul ışık', 'istanbul isik'],
    ['Vietnamese', 'Tiếng Việt, Đà Nẵng, Ưu', 'tieng viet, da nang, uu'],
    ['Croatian', 'Đurđevac ǅ', 'durdevac dz'],
    ['Greek', 'Θεσσαλονίκη, ψυχή, ξένος', 'thessaloniki, psychi, xenos'],
    ['Greek diphthongs', 'Οὐρανός αύριο άυλος προϋπόθεση', 'ouranos aurio aylos proypothesi'],
    ['Greek polytonic', 'ᾠδή ἄνθρωπος Ῥόδος', 'oidi anthropos rodos'],
    ['Russian', 'Щука, жёлтый, хлеб, объект, мышь', 'shchuka, zheltyy, khleb, obekt, mysh'],
    ['Ukrainian', 'Їжак, Євген, ґанок, Київ', 'yizhak, yevgen, ganok, kiyiv'],
    ['Bulgarian', 'България, ъгъл, път', 'balgariya, agal, pat'],
    ['Serbian', 'Ђорђе, Љубљана, Њогош, ћуприја, џеп', 'djordje, ljubljana, njogosh, cuprija, dzep'],
    ['Macedonian', 'Ќе, ѓавол, ѕвезда', 'kje, gjavol, dzvezda'],
    ['Belarusian', 'Ўладзімір', 'uladzimir'],
    ['full width', 'Ｆｕｌｌ　２！', 'full 2!'],
    ['signs', 'H₂O m² №5 don’t', "h2o m2 no5 don't"],
  ])('spells %s: %s', (_, text, ascii) => {
    expect(transliterate(text)).toBe(ascii)
    expect(transliterate(text.normalize('NFD'))).toBe(ascii)
    expect(transliterate(fold(text))).toBe(ascii)
  })

  it.each([
    ['Latin-1 to Extended-B', 0xc0, 0x24f, 'ƄƅƧƨƻƼƽƾǀǁǂǃɁɂŉ'],
    ['Latin Extended Additional', 0x1e00, 0x1eff, 'ẚ'],
    ['modern Greek', 0x386, 0x3ce, ''],
    ['Greek Extended', 0x1f00, 0x1fff, ''],
    ['Cyrillic', 0x400, 0x45f, 'ЪЬъь'],
  ])('has letters for every one of %s', (_, first, last, but) => {
    const letters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
    const silent = letters.filter((letter) => /\p{L}/u.test(letter) && !/^[a-z]+$/.test(transliterate(letter)))
    expect([...silent].sort()).toEqual([...but].sort())
  })

  it('drops letters of other scripts, soft hyphens and joiners, but not the words around them', () => {
    expect(transliterate('日本語 hello世 שלום co\u00adop a\u200db')).toBe(' hello  coop ab')
  })

  it.each(['—', '…', '\u00a0', '　', '。', '·', '«', '“', '€', '×', '→', '🎉', '\n'])('makes a space of %s', (sign) => {
    expect(transliterate(`a${sign}b`)).toBe('a b')
  })

  it('answers lower-case ASCII to anything', () => {
    const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anyText, (text) => {
        expect(transliterate(text)).toMatch(/^[ -@[-~]*$/)
      }),
      { numRuns: 5000 },
    )
  })

  it('has one line for each letter, in the form that folding leaves', () => {
    const letters = transliteration.flatMap((line) => line.split(' ')).map((pair) => pair.split('=')[0] ?? '')
    expect(letters.length).toBeGreaterThan(200)
    expect(new Set(letters).size).toBe(letters.length)
    expect(letters.filter((letter) => fold(letter) !== letter)).toEqual([])
  })
})
