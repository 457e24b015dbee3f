import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closestName } from '../../src/values/letters/closest-name.ts'

const names = [
  'status',
  'category',
  'tag',
  'author',
  'search',
  'sort',
  'limit',
  'page',
  'published_after',
  'published_before',
  'published_at',
]

describe('closestName', () => {
  it.each([
    ['statsu', 'status'],
    ['Status', 'status'],
    ['categories', 'category'],
    ['tags', 'tag'],
    ['auhtor', 'author'],
    ['limt', 'limit'],
    ['publishedAt', 'published_at'],
    ['published-at', 'published_at'],
    ['publishedAfter', 'published_after'],
    ['PUBLISHED_BEFOR', 'published_before'],
    ['srot', 'sort'],
  ])('%s: did you mean %s', (word, name) => {
    expect(closestName(word, names)).toBe(name)
  })

  it.each(['', '_', 'x', 'zz', 'foo', 'date', 'colour', 'utm_source', 'callback', 'limit'.repeat(1000)])('%.20j is like none', (word) => {
    expect(closestName(word, names)).toBeUndefined()
  })

  it('prefers a swap of neighbours to two replacements', () => {
    expect(closestName('abdcef', ['abxyef', 'abcdef'])).toBe('abcdef')
  })

  it('takes the first of equally near names', () => {
    expect(closestName('bat', ['cat', 'hat'])).toBe('cat')
    expect(closestName('bat', ['hat', 'cat'])).toBe('hat')
  })

  it('finds a name itself, before any other', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), (name) => {
        expect(closestName(name, names)).toBe(name)
      }),
    )
  })

  it('answers one of the names or nothing to anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string(), { maxLength: 8 }), (word, some) => {
        expect([...some, undefined]).toContain(closestName(word, some))
      }),
    )
  })

  it('finds a name again after any one slip', () => {
    const slip = fc
      .constantFrom(...names.filter((name) => name.length > 4))
      .chain((name) => fc.nat(name.length - 1).map((index) => ({ name, word: name.slice(0, index) + name.slice(index + 1) })))
    fc.assert(
      fc.property(slip, ({ name, word }) => {
        expect(closestName(word, names)).toBe(name)
      }),
    )
  })

  it('is done with words and names of a million letters', () => {
    const long = 'ab'.repeat(500_000)
    expect(closestName('ba'.repeat(500_000), ['a', long])).toBe(long)
  })
})
