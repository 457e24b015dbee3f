import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFormOf } from '../../src/import/choose-slugs.ts'
import { importChecker } from '../../src/import/import-post.ts'
import { groupNotes } from '../../src/import/import-report.ts'
import { itemOf, postOf } from './post-fixture.ts'

describe('what is read', () => {
  const names =
    'title slug permalink date draft author authors author_title tags keywords categories excerpt description seo image canonical'.split(
      ' ',
    )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'https://a.example',
      `https://a.example/${'a'.repeat(2_048)}`,
      'x '.repeat(700),
      'é'.repeat(400),
      `${'a'.repeat(300)}@b`,
      ' \t',
      '#',
    ),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie('value')),
      fc.dictionary(fc.constantFrom('name', 'key', 'email', 'bio', 'avatar'), tie('value')),
    ),
  }))

  it('is what everybody may write', () => {
    const check = importChecker()
    let posts = 0
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), fc.string(), (fields, body) => {
        const item = itemOf(`---json\n${JSON.stringify(fields)}\n---\n${body}`)
        if (item.kind !== 'post') return
        posts += 1
        expect(check(item)).toMatchObject({ kind: 'post' })
      }),
      { numRuns: 2_000 },
    )
    expect(posts).toBeGreaterThan(500)
  })

  it('is at fault, and named, where it is not', () => {
    const post = { ...postOf('# A\n'), excerpt: 'x'.repeat(1_001), tags: [''] }
    expect(importChecker()(post)).toEqual({
      kind: 'fault',
      path: 'a-post.md',
      line: null,
      message: expect.stringMatching(/^excerpt .*\. tags\/0 .*\.$/),
    })
  })
})

describe('a slug', () => {
  it.each([
    ['news', 'news', true],
    ['news-2', 'news', true],
    ['news-10', 'news', true],
    ['news-02', 'news', false],
    ['newsletter', 'news', false],
    ['news', 'news-2', false],
    [`${'a'.repeat(78)}-2`, 'a'.repeat(80), true],
    [`${'a'.repeat(77)}-10`, 'a'.repeat(80), true],
  ])('%s is a form of %s: %s', (slug, base, expected) => {
    expect(isFormOf(slug, base)).toBe(expected)
  })
})

describe('notes', () => {
  it('that differ in names and numbers alone are of one kind, the most frequent kind first', () => {
    const notes = [
      { path: 'a', note: 'the slug "A" became "a"' },
      { path: 'b', note: 'left out: "x", "y"' },
      { path: 'c', note: 'left out: "z"' },
      { path: 'd', note: 'the excerpt of 1200 characters was cut to 1000' },
    ]
    expect(groupNotes(notes)).toEqual([
      { count: 2, example: notes[1] },
      { count: 1, example: notes[0] },
      { count: 1, example: notes[3] },
    ])
    expect(groupNotes([])).toEqual([])
  })
})
