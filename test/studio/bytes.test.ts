import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineSeparatorOf } from '../../studio/screens/editor/text/line-separator.ts'

/** The state of the editor with a text, as the studio makes it. */
const stateOf = (doc: string) => EditorState.create({ doc, extensions: [EditorState.lineSeparator.of(lineSeparatorOf(doc))] })

/** The text with a word typed at an offset of it. */
function typed(doc: string, at: number): string {
  const state = stateOf(doc)
  const before = doc.slice(0, at).split(state.lineBreak).join('\n').length
  return state.update({ changes: { from: before, insert: 'word' } }).state.sliceDoc()
}

const anyText = fc.array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '\t', '\u2028', '\0', '\ufeff', '😀', 'e\u0301', ' '), fc.string()), {
  maxLength: 30,
})

it('any text comes out of the editor byte for byte, and a word typed changes nothing else', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (parts, seed) => {
      const doc = parts.join('')
      expect(stateOf(doc).sliceDoc()).toBe(doc)
      const places = [...doc].map((_, i) => [...doc].slice(0, i).join('').length)
      const at = places[seed % Math.max(1, places.length)] ?? 0
      // Between the two signs of one line break there is no place.
      if (doc.slice(at - 1, at + 1) === '\r\n') return
      expect(typed(doc, at)).toBe(`${doc.slice(0, at)}word${doc.slice(at)}`)
    }),
  )
})

const data = resolve(import.meta.dirname, '../../../shared/data')

it.skipIf(!existsSync(data))('every real post comes out byte for byte, and with a word typed in its middle only that word is more', () => {
  const posts = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) => /\.mdx?$/.test(path))
  expect(posts.length).toBeGreaterThan(1_000)
  const changed = posts.filter((path) => {
    const doc = readFileSync(join(data, path), 'utf8')
    const middle = doc.indexOf(' ', doc.length / 2) + 1
    return stateOf(doc).sliceDoc() !== doc || typed(doc, middle) !== `${doc.slice(0, middle)}word${doc.slice(middle)}`
  })
  expect(changed).toEqual([])
})
