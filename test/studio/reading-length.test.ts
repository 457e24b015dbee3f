import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderAsText } from '../../src/resources/posts/rendering/rendered-text.ts'
import { readingLengthOf } from '../../studio/screens/editor/text/reading-length.ts'

it.each([
  ['', 0, 0],
  ['Low tide, 6 o’clock', 4, 1],
  ['cafe\u0301 au lait', 3, 1],
  ['snake_case', 1, 1],
  ['東京𠮷 tower', 4, 1],
  ['日'.repeat(501), 501, 2],
])('%s: %i words, %i minutes', (text, words, minutes) => {
  expect(readingLengthOf(text)).toEqual({ words, minutes })
})

it('any text has as many words and minutes as the service says', () => {
  const letters = fc.constantFrom('a', 'é', '\u0301', '1', ' ', '\n', "'", '’', '-', '_', '東', '𠮷', 'カ', '😀', '#')
  const text = fc.oneof(fc.string({ unit: letters, maxLength: 300 }), fc.string({ unit: 'grapheme' }))
  const check = (content: string) => {
    const { wordCount, readingTimeMinutes } = renderAsText(content)
    expect(readingLengthOf(content)).toEqual({ words: wordCount, minutes: readingTimeMinutes })
  }
  fc.assert(fc.property(text, check))
})
