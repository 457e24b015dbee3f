import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../../src/import/front-matter/split-front-matter.ts'

const split = splitFrontMatter

describe('front matter is parted from the body', () => {
  it.each([
    ['---\ntitle: a\n---\nbody\n', 'yaml', 'title: a\n', 'body\n'],
    ['---  \r\ntitle: a\r\n---\t\r\n\r\nbody\r\n', 'yaml', 'title: a\r\n', '\r\nbody\r\n'],
    ['---\ntitle: a\n...\nbody', 'yaml', 'title: a\n', 'body'],
    ['---yaml\ntitle: a\n---\nbody', 'yaml', 'title: a\n', 'body'],
    ['+++\ntitle = "a"\n+++\nbody', 'toml', 'title = "a"\n', 'body'],
    ['---toml\ntitle = "a"\n---\nbody', 'toml', 'title = "a"\n', 'body'],
    ['---json\n{"title": "a"}\n---\n\n  body', 'json', '{"title": "a"}\n', '\n  body'],
    ['{\n"title": "}\\"{"\n}\n\nbody', 'json', '{\n"title": "}\\"{"\n}', '\nbody'],
    ['---\n---\n', 'yaml', '', ''],
    ['---\ntitle: a\n---', 'yaml', 'title: a\n', ''],
    ['# No front matter\n---\n', 'none', '', '# No front matter\n---\n'],
    ['{{< note >}}\n', 'none', '', '{{< note >}}\n'],
    ['{% include a %}\n', 'none', '', '{% include a %}\n'],
    ['', 'none', '', ''],
  ])('%j', (text, format, source, body) => {
    expect(split(text)).toMatchObject({ format, source, body })
    expect(split(`\uFEFF${text}`)).toMatchObject({ format, source, body })
  })

  it('a thematic break, a longer line of dashes and an indented fence close nothing', () => {
    expect(split('---\na: |\n  ---\n  x\nb: 1\n----\n---\nbody\n---\n')).toMatchObject({
      source: 'a: |\n  ---\n  x\nb: 1\n----\n',
      body: 'body\n---\n',
    })
  })

  it.each([
    ['---\ntitle: a\n', 1, 'never closed'],
    ['+++\ntitle = 1\n---\n', 1, 'never closed'],
    ['---js\n{ title: run() }\n---\n', 1, 'cannot be read'],
    ['{\n"title": "a",\n}\nbody', 3, 'not valid JSON'],
    ['{\n"title": "a"\n} body', 3, 'text follows'],
  ])('%j is at fault on line %i', (text, line, message) => {
    expect(split(text)).toEqual({ line, fault: expect.stringContaining(message) })
  })

  const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\n\uFEFF]/g, ' '))
  const ending = fc.constantFrom('\n', '\r\n')
  const fences = fc.constantFrom(['---', '---', 'yaml'], ['+++', '+++', 'toml'], ['---json', '---', 'json'])

  it('whatever is put between and behind two fences comes back as it was', () => {
    const isFence = (text: string) => /^(?:---|\+\+\+|\.\.\.)\s*$/.test(text)
    const lines = fc.array(line.filter((text) => !isFence(text)))
    fc.assert(
      fc.property(
        fences,
        lines,
        ending,
        fc.string({ unit: 'binary' }),
        fc.boolean(),
        ([open, close, format], inner, end, body, hasMark) => {
          const source = inner.map((text) => text + end).join('')
          const text = `${hasMark ? '\uFEFF' : ''}${open}${end}${source}${close}${end}${body}`
          expect(split(text)).toEqual({ format, source, firstLine: 2, body })
        },
      ),
    )
  })

  it('any JSON object in front comes back as it was, and the body behind it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), fc.string(), (object, indent, body) => {
        const source = JSON.stringify(object, null, indent)
        expect(split(`${source}\n${body}`)).toEqual({ format: 'json', source, firstLine: 1, body })
      }),
    )
  })

  it('no text at all makes it throw, and a body is always the end of the text', () => {
    const start = fc.constantFrom('', '---\n', '+++\n', '---json\n', '{"', '\uFEFF---\n')
    fc.assert(
      fc.property(
        start,
        fc.string({ unit: fc.constantFrom('-', '+', '.', '\n', '\r', '{', '}', '"', '\\', ':', 'a', ' ') }),
        (head, rest) => {
          const result = split(head + rest)
          if ('body' in result) expect((head + rest).endsWith(result.body)).toBe(true)
        },
      ),
    )
  })
})
