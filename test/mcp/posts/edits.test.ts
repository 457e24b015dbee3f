import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits, firstTwo } from '../../../src/mcp/posts/edits.ts'
import { linksIn, picturesIn } from '../../../src/mcp/posts/links.ts'
import { findSection, outlineOf } from '../../../src/mcp/posts/outline.ts'

const few = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 })

describe('exact edits', () => {
  it('finds the first two places of a text, as indexOf does', () => {
    fc.assert(
      fc.property(few, fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 4 }), (text, sought) => {
        const first = text.indexOf(sought)
        const second = first < 0 ? -1 : text.indexOf(sought, first + 1)
        expect(firstTwo(text, sought)).toEqual([first, second].filter((place) => place >= 0))
      }),
    )
  })

  it('replaces a text that occurs once, and takes it back by the opposite edit', async () => {
    await fc.assert(
      fc.asyncProperty(few, few, fc.string({ minLength: 1 }), async (before, after, young) => {
        const edited = await applyEdits(`${before}OLD${after}`, [{ old: 'OLD', new: young }])
        expect(edited).toEqual({ text: before + young + after })
      }),
    )
  })

  it.each([
    ['plain line breaks stand for those of Windows, in the new text, too', 'a\r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc'],
    ['those of Windows are taken as they are', 'a\r\nb\r\nc', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\nc'],
    ['a text that occurs as it is written is found so', 'a\nb\r\na\r\nb', 'a\nb', 'x', 'x\r\na\r\nb'],
  ])('%s', async (_, text, old, young, edited) => {
    expect(await applyEdits(text, [{ old, new: young }])).toEqual({ text: edited })
  })

  it('is not held up by texts that repeat themselves', async () => {
    const sought = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`
    expect(await applyEdits('a'.repeat(1_000_000), [{ old: sought, new: 'x' }])).toHaveProperty('faults')
    const sections = await outlineOf('#\n'.repeat(500_000))
    expect(sections.length).toBe(1_000)
    expect((await outlineOf('\n'.repeat(1_000_000))).length).toBe(0)
    expect(linksIn('](a'.repeat(300_000)).length).toBe(0)
  })
})

it('an outline has headings of both kinds, and none of code, lists or rules', async () => {
  const text =
    'Intro\n\nTitle\n=====\n\n```\n# code\n```\n\n## Inner ##\n\n- item\n---\n\n~~~\n```\n# code\n~~~\n\nUnder\n---\n\n    # code\n#tag\n'
  const titles = (await outlineOf(text)).map(({ number, level, title }) => [number, level, title])
  expect(titles).toEqual([
    [0, 0, ''],
    [1, 1, 'Title'],
    [2, 2, 'Inner'],
    [3, 2, 'Under'],
  ])
})

it('an outline has no # that closes a heading, and finds a section with it and without', async () => {
  const sections = await outlineOf('## Moon ##\n\n# C#\n\n### ###\n\nTides #\n===\n')
  expect(sections.map(({ title }) => title)).toEqual(['Moon', 'C#', '', 'Tides #'])
  for (const [asked, number] of [
    ['Moon', 1],
    ['## Moon ##', 1],
    ['c#', 2],
    ['Tides #', 4],
  ] as const)
    expect([asked, findSection(sections, asked)?.number]).toEqual([asked, number])
})

it('an outline goes on after a line that begins with code, and does not end a block of code where another seems to begin', async () => {
  const text = '```npm ci``` installs.\n\n# One\n\n```\n```js\n# code\n``` \n\n# Two\n\n~~~ a`b\n# code\n~~~~\n\n# Three\n'
  expect((await outlineOf(text)).map(({ title }) => title)).toEqual(['', 'One', 'Two', 'Three'])
})

it('an outline is the same whether lines end as on Unix or as on Windows', async () => {
  const text = '# One\n\nTwo\n---\n\n```js\n# code\n```\n\nThree\n=== \n'
  const titles = async (given: string) => (await outlineOf(given)).map(({ level, title }) => [level, title])
  expect(await titles(text.replaceAll('\n', '\r\n'))).toEqual(await titles(text))
  expect(await titles(text)).toHaveLength(3)
})

it('links and pictures are told apart', () => {
  const text = '[a](/b "t") ![c](</d>) ![](e) [![f](g)](h)'
  expect(linksIn(text)).toEqual(['/b', 'h'])
  expect(picturesIn(text)).toEqual([
    { url: '/d', alt: 'c' },
    { url: 'e', alt: '' },
    { url: 'g', alt: 'f' },
  ])
})
