import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Block, compareTexts, type Piece } from '../../studio/screens/history/compare.ts'

/** The text of one side, without white space. */
function sideOf(blocks: readonly Block[], side: Piece['kind']): string {
  const pieces = blocks.flatMap((block): readonly string[] =>
    block.kind === 'same' ? block.paragraphs : block.pieces.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text),
  )
  return pieces.join('').replace(/\s/g, '')
}

it('a comparison of two texts holds both of them', () => {
  const paragraph = fc.array(fc.constantFrom('the', 'sea', 'was', 'calm', 'and', 'über', '海', '*we*', 'slept\n', '  '), { maxLength: 12 })
  const text = fc.array(
    paragraph.map((words) => words.join(' ')),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(text, text, fc.constantFrom('\n\n', '\r\n\r\n', '\n \n\n'), (before, after, between) => {
      const [old, young] = [before.join(between), after.join(between)]
      const blocks = compareTexts(old, young)
      expect(sideOf(blocks, 'removed')).toBe(old.replace(/\s/g, ''))
      expect(sideOf(blocks, 'added')).toBe(young.replace(/\s/g, ''))
    }),
  )
})

it('a changed word is shown within its paragraph, and a new paragraph in place of an old one beside it', () => {
  const before = 'One that stays.\n\nThe sea was calm that morning.\n\nAnother that stays.\n\nNothing of this is kept at all.'
  const after = 'One that stays.\n\nThe sea was rough that morning.\n\nAnother that stays.\n\n- quite\n- different'
  expect(compareTexts(before, after)).toEqual([
    { kind: 'same', paragraphs: ['One that stays.'] },
    {
      kind: 'changed',
      pieces: [
        { kind: 'same', text: 'The sea was ' },
        { kind: 'removed', text: 'calm' },
        { kind: 'added', text: 'rough' },
        { kind: 'same', text: ' that morning.' },
      ],
    },
    { kind: 'same', paragraphs: ['Another that stays.'] },
    { kind: 'changed', pieces: [{ kind: 'removed', text: 'Nothing of this is kept at all.' }] },
    { kind: 'changed', pieces: [{ kind: 'added', text: '- quite\n- different' }] },
  ])
})

it('empty lines and ends of lines are no difference', () => {
  const [before, after] = ['One.\n\n  Two.\nMore.\n\nThree.', '\n \r\nOne.\r\n \r\n\r\n  Two.\r\nMore.\r\n\r\nThree.\r\n\r\n']
  expect(compareTexts(before, after)).toEqual([{ kind: 'same', paragraphs: ['One.', '  Two.\nMore.', 'Three.'] }])
  expect(compareTexts('', ' \n')).toEqual([])
})
