import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstFreeSlug, isSlug, maxSlugLength, slugBase, slugNeighbours, withSuffix } from '../../src/values/slug.ts'

const wellFormed = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const latinText = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzÄéŁøßĐệ  -'&.0123456789"), maxLength: 120 })
const greekText = fc.string({ unit: fc.constantFrom(...'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊ  -'), maxLength: 120 })
const cyrillicText = fc.string({ unit: fc.constantFrom(...'абвгдежзийклмнопрстуфхцчшщъыьэюяїєђќў  -'), maxLength: 120 })
const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
const repeatedTitle = fc.integer({ min: 1, max: 500 }).map((number) => `Weekly notes ${number}`)
const title = fc.oneof(latinText, greekText, cyrillicText, anyText, repeatedTitle)

const slug = fc.string({ unit: fc.constantFrom(...'abc019--'), minLength: 1, maxLength: maxSlugLength }).map((text) => slugBase(`${text}z`))
const word = fc.string({ unit: fc.constantFrom(...'abc019'), minLength: 1, maxLength: 45 })
const longSlug = fc.array(word, { minLength: 3, maxLength: 40 }).map((words) => words.join('-').slice(0, maxSlugLength).replace(/-$/, ''))

describe('slugBase', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ["Don't panic & carry on", 'dont-panic-and-carry-on'],
    ['Don’t', 'dont'],
    ['AT&T && R&D', 'at-and-t-and-r-and-d'],
    ['  --Über__die   Straße--  ', 'uber-die-strasse'],
    ['10 Jahre — «Łódź»', '10-jahre-lodz'],
    ['Об’єднання', 'obyednannya'],
    ['C++ / .NET', 'c-net'],
    ['日本語', ''],
    ["'—'", ''],
    ['', ''],
  ])('%s becomes %s', (text, expected) => {
    expect(slugBase(text)).toBe(expected)
  })

  it('ends with the last word that fits', () => {
    expect(slugBase('one two three', 7)).toBe('one-two')
    expect(slugBase('one two three', 12)).toBe('one-two')
    expect(slugBase('one two three', 13)).toBe('one-two-three')
  })

  it('cuts a first word that is too long by itself', () => {
    expect(slugBase('a'.repeat(100))).toBe('a'.repeat(80))
    expect(slugBase(`${'a'.repeat(100)} b`, 5)).toBe('aaaaa')
  })

  it('is empty or well formed and no longer than asked', () => {
    fc.assert(
      fc.property(title, fc.integer({ min: 1, max: maxSlugLength }), (text, max) => {
        const base = slugBase(text, max)
        expect([base, base === '' || wellFormed.test(base), base.length <= max]).toEqual([base, true, true])
      }),
    )
  })

  it('is the same for a title and its slug', () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(slugBase(slugBase(text))).toBe(slugBase(text))
      }),
    )
  })

  it('is the same for NFC and NFD', () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(slugBase(text.normalize('NFD'))).toBe(slugBase(text.normalize('NFC')))
      }),
    )
  })

  it.each([['-'], ["'"], ['&'], [' '], ['—'], ['日'], ['\u0301'], ['-\u00ad'], ['ъ'], ['\ud800']])(
    'is done with a million of %j, for which quadratic time would not do',
    (part) => {
      const middle = part.repeat(1_000_000)
      expect(slugBase(`a ${middle} b`)).toBe(part === '&' ? 'a-and-b' : 'a-b')
    },
  )
})

describe('isSlug', () => {
  it.each(['a', '0', 'a-b', 'hello-world-2', 'a'.repeat(80)])('yes: %s', (text) => {
    expect(isSlug(text)).toBe(true)
  })

  it.each(['', '-', '-a', 'a-', 'a--b', 'A', 'a_b', 'é', 'a b', 'a\n', 'a'.repeat(81), 'post_1', '-'.repeat(1_000_000)])(
    'no: %.20j',
    (text) => {
      expect(isSlug(text)).toBe(false)
    },
  )
})

describe('withSuffix', () => {
  it('appends the number and cuts the base only when it must', () => {
    expect(withSuffix('hello', 2)).toBe('hello-2')
    expect(withSuffix('a'.repeat(80), 2)).toBe(`${'a'.repeat(78)}-2`)
    expect(withSuffix(`${'a'.repeat(77)}-bb`, 2)).toBe(`${'a'.repeat(77)}-2`)
    expect(withSuffix(`${'a'.repeat(70)}-bbbbbbbbb`, 2)).toBe(`${'a'.repeat(70)}-2`)
    expect(withSuffix(`${'a'.repeat(75)}-bb`, 2)).toBe(`${'a'.repeat(75)}-bb-2`)
  })

  it('gives a slug of at most 80 letters, whatever the slug and the number', () => {
    fc.assert(
      fc.property(slug, fc.integer({ min: 2, max: Number.MAX_SAFE_INTEGER }), (base, n) => {
        expect(isSlug(base)).toBe(true)
        const suffixed = withSuffix(base, n)
        expect([suffixed, isSlug(suffixed), suffixed.endsWith(`-${n}`)]).toEqual([suffixed, true, true])
      }),
    )
  })

  it('keeps as many whole words as fit; where that is less than 40 letters, a word is cut', () => {
    fc.assert(
      fc.property(longSlug, fc.integer({ min: 2, max: 999_999_999 }), (base, n) => {
        const room = maxSlugLength - `-${n}`.length
        const kept = withSuffix(base, n).slice(0, -`-${n}`.length)
        const ends = [...`${base}-`.matchAll(/-/g)].map(({ index }) => index).filter((end) => end >= 40 && end <= room)
        expect(kept).toBe(base.slice(0, ends.at(-1) ?? room))
      }),
    )
  })

  it('is among the neighbours of its base', () => {
    fc.assert(
      fc.property(fc.oneof(slug, longSlug), fc.integer({ min: 2, max: 999_999_999 }), (base, n) => {
        const [from, to] = slugNeighbours(base)
        const suffixed = withSuffix(base, n)
        expect([suffixed, suffixed >= from && suffixed < to]).toEqual([suffixed, true])
      }),
    )
  })
})

describe('firstFreeSlug', () => {
  it('is the base, or the base with the first free number from 2', () => {
    expect(firstFreeSlug('a', new Set())).toBe('a')
    expect(firstFreeSlug('a', new Set(['a']))).toBe('a-2')
    expect(firstFreeSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3')
    expect(firstFreeSlug('a', new Set(['a-2']))).toBe('a')
  })

  it('asks once for every taken name and once for the free one', () => {
    const taken = new CountingSet(Array.from({ length: 1000 }, (_, index) => (index === 0 ? 'a' : `a-${index + 1}`)))
    expect(firstFreeSlug('a', taken)).toBe('a-1001')
    expect(taken.asked).toBe(1001)
  })

  it('gives 100,000 random titles well-formed and distinct slugs', () => {
    const slugsOf = (seed: number): readonly string[] => {
      const taken = new Set<string>()
      return fc.sample(title, { seed, numRuns: 100_000 }).map((text, index) => {
        const free = firstFreeSlug(slugBase(text) || `post-${index.toString(36)}`, taken)
        taken.add(free)
        return free
      })
    }
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const slugs = slugsOf(seed)
        expect(slugs.filter((text) => text.length > maxSlugLength || !wellFormed.test(text))).toEqual([])
        expect(new Set(slugs).size).toBe(100_000)
      }),
      { numRuns: 1, endOnFailure: true },
    )
  })
})

class CountingSet extends Set<string> {
  asked = 0

  override has(value: string): boolean {
    this.asked++
    return super.has(value)
  }
}
