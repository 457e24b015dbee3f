import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyFields } from '../../studio/api/edits.ts'
import { mergeFields, mergeText, type Part, paragraphsOf } from '../../studio/screens/editor/saving/merge.ts'

const textOf = (parts: readonly Part[], side: 'mine' | 'theirs') => parts.map((part) => ('text' in part ? part.text : part[side])).join('')

/** Texts of few different paragraphs, so that two of them have much in common, with endings of every kind. */
const paragraph = fc.constantFrom(
  'One.\n\n',
  'Two.\n\n',
  'Two,\nagain.\n\n',
  'Three.\r\n\r\n',
  '- a\n- b\n\n\n',
  'Last',
  'é 😀\n \n',
  '\n',
  '',
)
const text = fc.array(paragraph, { maxLength: 6 }).map((parts) => parts.join(''))

describe('merging texts', () => {
  it('paragraphs are the text, byte for byte', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'grapheme' })), (any) => {
        expect(paragraphsOf(any).join('')).toBe(any)
      }),
    )
  })

  it('what one side alone has changed is that side’s', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeText(base, changed, base)).toEqual(changed === '' ? [] : [{ text: changed }])
        expect(mergeText(base, base, changed)).toEqual(changed === '' ? [] : [{ text: changed }])
        expect(textOf(mergeText(base, changed, changed), 'mine')).toBe(changed)
      }),
    )
  })

  it('nothing is lost: a change that no choice is asked for is in the result', () => {
    fc.assert(
      fc.property(text, fc.nat(5), fc.nat(5), (base, first, second) => {
        const insert = (at: number, what: string) => [...paragraphsOf(base).slice(0, at), what, ...paragraphsOf(base).slice(at)].join('')
        const parts = mergeText(base, insert(first, 'MINE\n\n'), insert(second, 'THEIRS\n\n'))
        expect(textOf(parts, 'mine') + textOf(parts, 'theirs')).toContain('MINE')
        expect(textOf(parts, 'mine') + textOf(parts, 'theirs')).toContain('THEIRS')
      }),
    )
  })

  it('what either has written is in the result, or can be chosen', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const parts = mergeText(base, mine, theirs)
        const written = (side: string) => paragraphsOf(side).filter((each) => !paragraphsOf(base).includes(each))
        for (const each of written(mine)) expect(textOf(parts, 'mine')).toContain(each)
        for (const each of written(theirs)) expect(textOf(parts, 'theirs')).toContain(each)
      }),
    )
  })

  it('two who change neighbouring paragraphs have both changes, without a choice', () => {
    expect(mergeText('A.\n\nB.\n\nC.\n', 'A!\n\nNew.\n\nB.\n\nC.\n', 'A.\n\nB!\n\nC.\n')).toEqual([{ text: 'A!\n\nNew.\n\nB!\n\nC.\n' }])
  })

  it('a paragraph that one has changed and the other has taken out is left to choose', () => {
    expect(mergeText('A.\n\nB.\n\nC.\n', 'A.\n\nB!\n\nC.\n', 'A.\n\nC.\n')).toEqual([
      { text: 'A.\n\n' },
      { mine: 'B!\n\n', theirs: '' },
      { text: 'C.\n' },
    ])
  })

  it('two who change different paragraphs have both changes, without a choice', () => {
    expect(mergeText('A.\n\nB.\n\nC.\n\nD.\n', 'A!\n\nB.\n\nC.\n\nD.\n', 'A.\n\nB.\n\nC.\n\nD!\n')).toEqual([
      { text: 'A!\n\nB.\n\nC.\n\nD!\n' },
    ])
  })

  it('two who change one paragraph choose, and the rest is settled', () => {
    expect(mergeText('A.\n\nB.\n\nC.\n', 'A.\n\nB mine.\n\nC.\n', 'A.\n\nB theirs.\n\nC.\n')).toEqual([
      { text: 'A.\n\n' },
      { mine: 'B mine.\n\n', theirs: 'B theirs.\n\n' },
      { text: 'C.\n' },
    ])
  })
})

it('fields: each from the side that has changed it; both changed differently is a conflict', () => {
  const base = { ...emptyFields, title: 'T', slug: 't', excerpt: 'E', tags: ['a'] }
  const mine = { ...base, title: 'Mine', excerpt: 'E mine', tags: ['a', 'b'] }
  const theirs = { ...base, title: 'Theirs', slug: 'theirs', tags: ['a', 'b'] }
  const { fields, conflicts } = mergeFields(base, mine, theirs)
  expect(fields).toEqual({ ...base, title: 'Mine', slug: 'theirs', excerpt: 'E mine', tags: ['a', 'b'] })
  expect(conflicts).toEqual([{ field: 'title', mine: 'Mine', theirs: 'Theirs' }])
})
