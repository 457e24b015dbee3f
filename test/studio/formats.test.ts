import { markdownLanguage } from '@codemirror/lang-markdown'
import { EditorSelection, EditorState } from '@codemirror/state'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { type InlineFormat, linked, toggled } from '../../studio/screens/editor/text/inline-format.ts'
import { begun } from '../../studio/screens/editor/text/line-format.ts'

/** The editor with a text in which `‹` and `›` stand around what is selected, or `¦` where the cursor is. */
function stateOf(marked: string): EditorState {
  const [from, to] = [marked.search(/[‹¦]/), marked.search(/[›¦]/) - (marked.includes('›') ? 1 : 0)]
  return EditorState.create({
    doc: marked.replace(/[‹›¦]/g, ''),
    selection: EditorSelection.range(from, to),
    extensions: [markdownLanguage],
  })
}

/** The same way. */
function markedOf({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString()
  if (main.empty) return `${text.slice(0, main.from)}¦${text.slice(main.from)}`
  return `${text.slice(0, main.from)}‹${text.slice(main.from, main.to)}›${text.slice(main.to)}`
}

const pressed = (state: EditorState, format: InlineFormat) => state.update(toggled(state, format) ?? {}).state
const after = (marked: string, format: InlineFormat) => markedOf(pressed(stateOf(marked), format))

describe('a format', () => {
  it.each([
    ['blanks at the ends stay outside', 'bold', 'a‹ text ›b c', 'a **‹text›** b c'],
    ['what has it loses it', 'bold', 'a **‹text›** b', 'a ‹text› b'],
    ['with its signs, too', 'bold', 'a ‹**text**› b', 'a ‹text› b'],
    ['of words that have it, one loses it', 'bold', '**one ‹two› three**', '**one** ‹two› **three**'],
    ['what has it in part gets it as a whole', 'italic', '‹one *two* three›', '*‹one two three›*'],
    ['beside what has it', 'bold', '**one** ‹two›', '**one** **‹two›**'],
    ['paragraphs, each by itself', 'bold', '‹one\n\ntwo›', '**‹one**\n\n**two›**'],
    ['and back', 'bold', '**‹one**\n\n**two›**', '‹one\n\ntwo›'],
    [
      'items of a list, a quote, a heading, a task',
      'italic',
      '‹- one\n- two\n\n> three\n\n# four\n\n- [ ] five›',
      '- *‹one*\n- *two*\n\n> *three*\n\n# *four*\n\n- [ ] *five›*',
    ],
    ['cells of a table', 'bold', '| a | b |\n|---|---|\n| ‹c | d› |', '| a | b |\n|---|---|\n| **‹c** | **d›** |'],
    ['within another', 'bold', '*one ‹two›*', '*one **‹two›***'],
    ['around another', 'italic', '‹one **two**›', '*‹one **two**›*'],
    ['out of another', 'italic', '**one ‹two** three›', '**one *‹two*** *three›*'],
    ['into a link: all of it', 'bold', 'one ‹two [three› four](https://a.example)', 'one **‹two [three four](https://a.example)›**'],
    ['in the text of a link', 'bold', '[one ‹two›](https://a.example)', '[one **‹two›**](https://a.example)'],
    ['in code: all of it', 'bold', 'a `b‹c›d` e', 'a **‹`bcd`›** e'],
    ['code with a sign of its own', 'code', 'a ‹b`c› d', 'a ``‹b`c›`` d'],
    ['and back', 'code', 'a ``‹b`c›`` d', 'a ‹b`c› d'],
    ['nothing in a block of code', 'bold', '```\n‹a›\n```', '```\n‹a›\n```'],
    ['nothing where there are only blanks', 'bold', 'a‹  ›b', 'a‹  ›b'],
    ['the word that one is in', 'bold', 'one tw¦o', 'one **tw¦o**'],
    ['and back', 'bold', 'one **tw¦o**', 'one tw¦o'],
    ['an empty pair', 'bold', 'one ¦', 'one **¦**'],
    ['and back', 'bold', 'one **¦**', 'one ¦'],
    ['ends where one has written in it', 'bold', 'one **two¦**', 'one **two**¦'],
    ['a part of a word with a sign that Markdown would not see: the whole word', 'bold', 'say‹"so"›then', '**‹say"so"then›**'],
  ] as const)('%s: %s', (_, format, before, wanted) => {
    expect(after(before, format)).toBe(wanted)
  })

  it.each([
    ['', 'a ‹ text ›b', 'a  [text](https://¦) b'],
    ['', '‹one\n\ntwo›', '[one](https://¦)\n\ntwo'],
    ['', 'one [tw¦o](https://a.example)', 'one [two](‹https://a.example›)'],
    ['', '‹https://a.example›', '[¦](https://a.example)'],
    ['', 'a ‹b] c›', 'a [b\\] c](https://¦)'],
    ['', '**a ‹b** c›', '[**a b** c](https://¦)'],
  ])('link%s: %s', (_, before, wanted) => {
    const state = stateOf(before)
    expect(markedOf(state.update(linked(state) ?? {}).state)).toBe(wanted)
  })
})

const markdown = new MarkdownIt()
const tags = { bold: 'strong', italic: 'em', code: 'code' } as const
const word = fc.constantFrom('a', 'be', 'sea', 'über', '“so”', '(x)', 'a\\*b', '2', '…', 'e.g.', '¿qué?', '漢字')
const gap = fc.constantFrom(' ', '  ', '\n', '\n\n', '', '\n\n- ', '\n\n> ', '\n\n## ')
const plainText = fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 8 }).map((parts) => parts.flat().join(''))
const richText = fc
  .array(
    fc.oneof(word, gap, fc.constantFrom('**', '*', '`', '~~', '_', '[', '](u)', '\\', '\n1. ', '\n```\n', '\n| a | b |\n|--|--|\n| ')),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))
const places = fc.tuple(fc.nat(), fc.nat())
const anyFormat = fc.constantFrom<InlineFormat>('bold', 'italic', 'code')

function selected(doc: string, [one, other]: readonly [number, number]): EditorState {
  const [from = 0, to = 0] = [one % (doc.length + 1), other % (doc.length + 1)].sort((a, b) => a - b)
  return EditorState.create({ doc, selection: EditorSelection.range(from, to), extensions: [markdownLanguage] })
}

it.each([
  ['a list', '- ', 'one\n\ntwo', '- one\n\n- two'],
  ['a list in a list, and back', '- ', '  - one\n    - two', '  one\n    two'],
  ['a list that is numbered', '1. ', '- one\n- two', '1. one\n1. two'],
  ['a numbered list that is not', '- ', '1. one\n2. two', '- one\n- two'],
  ['a heading of another level', '## ', '#### one', '## one'],
  ['a quote, and back', '> ', '> one\n> two', 'one\ntwo'],
] as const)('lines: %s', (_, sign, before, wanted) => {
  const state = stateOf(`‹${before}›`)
  expect(state.update(begun(state, sign)).state.doc.toString()).toBe(wanted)
})

it('lines: one goes on behind the sign', () => {
  const state = stateOf('one\n¦')
  expect(markedOf(state.update(begun(state, '- ')).state)).toBe('one\n- ¦')
})

describe('any format of any selection', () => {
  it('changes nothing but signs', () => {
    fc.assert(
      fc.property(richText, places, anyFormat, (doc, at, format) => {
        const bare = (text: string) => text.replace(format === 'code' ? /[` ]/g : /[*_]/g, '')
        expect(bare(pressed(selected(doc, at), format).doc.toString())).toBe(bare(doc))
      }),
      { numRuns: 2_000 },
    )
  })

  it('of plain text: readers see the same words, those that are selected in it, and a second time takes it back', () => {
    fc.assert(
      fc.property(plainText, places, fc.constantFrom<InlineFormat>('bold', 'italic'), (doc, at, format) => {
        const state = selected(doc, at)
        if (state.selection.main.empty) return
        const next = pressed(state, format)
        const tag = new RegExp(`</?${tags[format]}>`, 'g')
        const html = markdown.render(next.doc.toString())
        expect(html.replace(tag, '')).toBe(markdown.render(doc))
        if (next.doc.eq(state.doc)) return
        const inside = [...html.matchAll(new RegExp(`<${tags[format]}>(.*?)</${tags[format]}>`, 'gs'))].map(([, text]) => text).join('')
        const { from, to } = next.selection.main
        const chosen = markdown.renderInline(
          next
            .sliceDoc(from, to)
            .replace(/^[ \t]*(?:-|>|##)[ \t]/gm, '')
            .replaceAll('**', ''),
        )
        if (format === 'bold') expect(inside.replace(/\s/g, '')).toBe(chosen.replace(/\s/g, ''))
        expect(pressed(next, format).doc.toString()).toBe(doc)
      }),
      { numRuns: 2_000 },
    )
  })

  it('what has all of a format in a text without signs has it once', () => {
    fc.assert(
      fc.property(plainText, anyFormat, (doc, format) => {
        const all = selected(doc, [0, doc.length])
        const next = pressed(all, format)
        expect(pressed(next, format).doc.toString()).toBe(doc)
      }),
      { numRuns: 500 },
    )
  })
})
