import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../../../src/import/front-matter/field-value.ts'
import { parseText } from '../../../src/import/front-matter/parse-front-matter.ts'
import { isTextFault } from '../../../src/import/source-post.ts'

function read(format: 'yaml' | 'toml' | 'json', source: string): unknown {
  const parsed = parseText(format, source, 2)
  return isTextFault(parsed) ? parsed : plain(parsed.value)
}

function plain(value: FieldValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
  return Array.isArray(value) ? value.map(plain) : value
}

describe('YAML is read', () => {
  it.each([
    ['title: 2024', '2024'],
    ['title: no', 'no'],
    ['title: 1.0', '1.0'],
    ['title: 0x1F', '0x1F'],
    ['title: 2014-12-12', '2014-12-12'],
    ['title: "null"', 'null'],
    ['title: null', null],
    ['title:', null],
    ["title: 'It''s'", "It's"],
    ['title: "\\u00e9"', 'é'],
    ['title: >-\n  two\n  lines', 'two lines'],
    ['title: !!js/function "run()"', 'run()'],
    ['# a remark\ntitle: a # and another', 'a'],
    ['title: [a, [b]]', ['a', ['b']]],
    ['a: &x {n: 1}\ntitle: *x', { n: '1' }],
  ])('%j keeps its spelling', (source, title) => {
    expect(read('yaml', source)).toMatchObject({ title })
  })

  it.each([
    ['title: "two\nlines"\nx: 1', { title: 'two lines', x: '1' }],
    ['title: "two\n\nlines: ["\r\nx: 1', { title: 'two\nlines: [', x: '1' }],
    ["title: 'two\nlines''s'\nx: 1", { title: "two lines's", x: '1' }],
    ['tags: [a,\nb,\n"c]"\n]\nx: 1', { tags: ['a', 'b', 'c]'], x: '1' }],
    ['title: a\t\nx: 1\t\n\t\n', { title: 'a', x: '1' }],
    ['tags:\n\t- a\n\t- b\t\nx: 1', { tags: ['a', 'b'], x: '1' }],
    ['a: 1\nb: 2\na: 3\n', { a: '3', b: '2' }],
  ])('%j as site generators accept it', (source, fields) => {
    expect(read('yaml', source)).toEqual(fields)
  })

  it('with a note on keys that are there more than once', () => {
    expect(parseText('yaml', 'a: 1\nb: {c: 1, c: 2}\na: 3\n', 2)).toMatchObject({
      notes: ['the field "c" is there more than once; the last counts', 'the field "a" is there more than once; the last counts'],
    })
  })

  it.each([
    ['a: b: c', 'a text with ": " in it needs quotes around it'],
    ['a: @b', 'needs quotes around it'],
    ['a: *b', 'needs quotes around it'],
    ['a: "b" c', 'put the whole text in quotes'],
    ['a: "b\\c"', 'in single quotes'],
    ['a: "b', 'close the quote'],
    ['a: b\nc\n', 'write "name: value"'],
  ])('%j with the mend in the message', (source, mend) => {
    expect(read('yaml', source)).toEqual({ line: expect.any(Number), fault: expect.stringContaining(mend) })
  })

  it.each([
    ['a: 1\nb: c: d\n', 3, 'YAML'],
    ['a: 1\nb: "x\n', 4, 'Missing closing'],
    ['a: 1\n\tb: 2\n', 3, 'YAML'],
    ['a: *b\n', 2, 'stands for nothing'],
    ['a: 1\n? [x]\n: 1\n', 3, 'plain text'],
    ['a: 1\nb: "\\0"\n', 3, 'NUL'],
    ['a: "\\ud800"\n', 2, 'surrogate'],
  ])('%j is at fault on line %i', (source, line, fault) => {
    expect(read('yaml', source)).toEqual({ line, fault: expect.stringContaining(fault) })
  })

  const bomb = [...'bcdefghi'].reduce((text, name, index) => {
    const inner = `*${'abcdefgh'[index]}`
    return `${text}\n${name}: &${name} [${Array(10).fill(inner).join(', ')}]`
  }, 'a: &a [1, 2, 3]')

  it.each([
    ['an alias bomb', bomb],
    ['an alias to what it stands in', 'a: &a [*a]'],
    ['deep brackets', 'a: '.concat('['.repeat(100_000))],
    ['deep lists', '- '.repeat(100_000)],
    ['deep indents', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['deep keys', '? '.repeat(100_000)],
    ['deep braces', '{a: '.repeat(50_000)],
    ['great length', 'a: 1\n'.repeat(100_000)],
  ])('%s end in a fault', (_, source) => {
    expect(read('yaml', source)).toHaveProperty('fault')
  })
})

describe('TOML is read', () => {
  it.each([
    ['date = 2019-06-01T15:40:00+02:00', { date: '2019-06-01T15:40:00.000+02:00' }],
    ['date = 2019-06-01 15:40:00', { date: '2019-06-01T15:40:00.000' }],
    ['date = 2019-06-01', { date: '2019-06-01' }],
    ['draft = true\nweight = 12345678901234567890', { draft: 'true', weight: '12345678901234567890' }],
    ['tags = ["a"]\n[extra]\nx = {y = "z"}', { tags: ['a'], extra: { x: { y: 'z' } } }],
  ])('%j', (source, fields) => {
    expect(read('toml', source)).toEqual(fields)
  })

  it.each([
    ['a = 1\nb = \n', 3, 'TOML'],
    ['a = 1\na = 2\n', 3, 'a key may be there only once: remove one of the two'],
    ['a = 1\ndate = 2019-02-30\n', 3, 'no day 2019-02-30'],
    [`a${'.a'.repeat(50_000)} = 1`, 2, 'too deeply'],
    [`a = ${'['.repeat(100_000)}`, 2, 'nested'],
  ])('%.40j is at fault on line %i', (source, line, fault) => {
    expect(read('toml', source)).toEqual({ line, fault: expect.stringContaining(fault) })
  })
})

describe('JSON is read', () => {
  it('with numbers as they are spelled', () => {
    expect(read('json', '{"title": 1.0, "n": -1e3, "yes": true, "none": null, "list": [1, "a"]}')).toEqual({
      title: '1.0',
      n: '-1e3',
      yes: 'true',
      none: null,
      list: ['1', 'a'],
    })
  })

  it.each([
    ['{"a": 1,\n"b": }', 3, 'value'],
    ['{"a": 1\n"b": 2}', 3, 'comma'],
    ['{"a": 01}', 2, 'comma'],
    ["{'a': 1}", 2, 'double quotes'],
    ['{"a": "\\x"}', 2, 'JSON'],
    ['{"a": "x\ny"}', 3, 'JSON'],
    ['{"a": 1} 2', 2, 'nothing may follow'],
    ['{"a": "\\u0000"}', 2, 'NUL'],
    ['['.repeat(100_000), 2, 'too deeply'],
  ])('%.40j is at fault on line %i', (source, line, fault) => {
    expect(read('json', source)).toEqual({ line, fault: expect.stringContaining(fault) })
  })

  it('with repeated keys, of which the last counts, with a note', () => {
    const parsed = parseText('json', '{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}', 1)
    expect(parsed).toMatchObject({
      notes: ['the field "c" is there more than once; the last counts', 'the field "a" is there more than once; the last counts'],
    })
    expect(isTextFault(parsed) ? undefined : plain(parsed.value)).toEqual({ a: '3', b: { c: '2' } })
  })

  it('as JSON.parse reads it, or refused where that refuses', () => {
    const texts = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value, null, 1)),
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'a', '1', '0', '-', '.', 'e', ' ', '\n', '\\', 'n') }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseText('json', text, 1)
        const reference = referenceRead(text)
        if (isTextFault(parsed) && /surrogate/.test(parsed.fault)) return
        expect(isTextFault(parsed) ? undefined : plain(parsed.value)).toEqual(reference)
      }),
      { numRuns: 1000, examples: [['1e0'], ['[10, 1.0]']] },
    )
  })
})

/** Numbers and booleans become texts, numbers as they were spelled: another spelling than that of JavaScript, perhaps, of the same number. */
function referenceRead(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => {
      if (typeof value === 'number') return expect.toSatisfy((spelled: unknown) => typeof spelled === 'string' && Number(spelled) === value)
      return typeof value === 'boolean' ? String(value) : value
    })
  } catch {
    return undefined
  }
}
