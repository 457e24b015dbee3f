import fc from 'fast-check'
import { expect, it } from 'vitest'
import { slugBase } from '../../src/values/slug.ts'
import { isMadeFrom, slugFrom } from '../../studio/screens/editor/saving/made-slug.ts'

it.each([
  ['Low tide', 'low-tide'],
  ["Don't panic & carry on", 'dont-panic-and-carry-on'],
  ['Übermut, “déjà vu”', 'ubermut-deja-vu'],
  ['  ', ''],
  ['東京', ''],
])('%s: %s, as the service makes it', (title, slug) => {
  expect(slugFrom(title)).toBe(slug)
  expect(slugBase(title)).toBe(slug)
})

it('a title of plain words gives the slug that the service makes', () => {
  fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9 ,.!?-]{0,120}$/), (title) => slugFrom(title) === slugBase(title)))
})

it('a slug was made from a title with or without a number; another one was not', () => {
  const made = ['low-tide', 'low-tide-2', 'low-tide-at-noon', 'lowtide', ''].map((slug) => isMadeFrom('Low tide', slug))
  expect(made).toEqual([true, true, false, false, false])
})
