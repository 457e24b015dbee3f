import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { itemOf, postOf } from '../post-fixture.ts'

const read = (text: string, path?: string) => {
  const { title, status, content, notes } = postOf(text, path)
  return { title, status, content, notes }
}

describe('front matter is read as its generators read it', () => {
  it.each([
    ['behind blank lines', '\n \r\n\n---\ntitle: T\ndraft: true\n---\nbody\n'],
    ['behind a byte order mark and a blank line', '\uFEFF\n---\ntitle: T\ndraft: true\n---\nbody\n'],
    ['indented', '  ---\n  title: T\n  draft: true\n  ---\nbody\n'],
    ['between longer fences', '-----\ntitle: T\ndraft: true\n-----\nbody\n'],
    ['behind a fence with a space before its language', '--- yaml\ntitle: T\ndraft: true\n---\nbody\n'],
    ['in TOML behind blank lines', '\n\n+++\ntitle = "T"\ndraft = true\n+++\nbody\n'],
    ['in JSON behind blank lines', '\n{"title": "T", "draft": true}\nbody\n'],
    ['of Hexo, without an opening fence', 'title: T\ntags:\n- a\ndraft: true\n---\nbody\n'],
    ['of Hexo, with a longer fence alone', 'title: T\r\ndraft: true\r\n-----\r\nbody\n'],
    ['of Hexo, in JSON', '"title": "T",\n"draft": true\n;;;\nbody\n'],
    ['of Hexo, in JSON between fences', ';;;\n"title": "T",\n"draft": true\n;;;\nbody\n'],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ title: 'T', status: 'draft', content: 'body\n', notes: [] })
    expect(postOf(text.replace(/(draft"?[:=]? *=?) ?true/, '$1 false')).status).toBe('published')
  })

  it.each([
    ['a thematic break of many dashes', '-----\n\nA text\n'],
    ['a heading underlined with dashes', 'A heading\n---\n\ntext\n'],
    ['a paragraph with a colon inside', 'We have seen this in practice: it works.\n\n---\n\nmore\n'],
    ['a link', 'https://example.org is the site.\n'],
  ])('%s is text', (_, text) => {
    expect(read(text)).toMatchObject({ status: 'published', content: text })
  })
})

describe('a text that was only half read is a draft', () => {
  it.each([
    ['Pelican', 'Title: T\nDate: 2020-01-02\nTags: a, b\nStatus: published\n\nbody\n', 'T', 'body\n'],
    ['MultiMarkdown, with a value over two lines', 'Title:  T\nAuthor: Ada\n    Lovelace\n\nbody\n', 'T', 'body\n'],
    ['Franklin', '@def title = "T"\n@def tags = ["a", "b"]\n\nbody\n', 'T', 'body\n'],
  ])('in the form of %s: its fields are read', (_, text, title, content) => {
    expect(read(text)).toMatchObject({
      title,
      status: 'draft',
      content,
      notes: [expect.stringMatching(/without a line "---".*as a draft/)],
    })
  })

  it('with the tags and authors of such a head', () => {
    expect(postOf('Title: T\nTags: a b, c\nAuthors: Ada; Bob\nSlug: the-slug\n\nx\n')).toMatchObject({
      tags: ['a b', 'c'],
      authors: [{ name: 'Ada' }, { name: 'Bob' }],
      slug: 'the-slug',
    })
  })

  it.each([
    ['lines that nothing knows', 'Headline: T\nVisibility: nobody\n\nbody\n'],
    ['a title block of Pandoc', '% T\n% Ada\n\nbody\n'],
    ['fields of Nikola', '<!--\n.. title: T\n.. status: draft\n-->\nbody\n'],
    ['front matter behind a remark', '<!-- a remark -->\n---\ntitle: T\ndraft: true\n---\nbody\n'],
    ['front matter behind a heading', '# T\n\n---\ndraft: true\n---\nbody\n'],
    ['a second front matter', '---\n---\n---\ndraft: true\n---\nbody\n'],
    ['line ends of old Macs', '---\rdraft: true\r---\rbody\r'],
    ['metadata of a module', "export const meta = {\n  title: 'T',\n}\n\nbody\n"],
    ['a field in the text', '# T\n\ndraft: true\n\nbody\n'],
  ])('with %s', (_, text) => {
    expect(postOf(text)).toMatchObject({ status: 'draft', notes: expect.arrayContaining([expect.stringMatching(/; taken as a draft$/)]) })
  })

  it('whatever stands around its front matter', () => {
    const before = fc.array(
      fc.constantFrom('\n', ' \n', '\t\n', '\r\n', '\uFEFF', '\u200B', '<!-- a -->\n', '# T\n', 'A text.\n', '> quote\n'),
      {
        maxLength: 4,
      },
    )
    const fence = fc.constantFrom('---', '----', '------', ' ---', '--- ', '+++', ';;;', '--- yaml', '---json', '***', '```', '===')
    const draft = fc.constantFrom('draft: true', 'draft = true', 'published: false', '"draft": true', 'Draft: true', '\tdraft: true')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(before, fence, fc.option(fence), draft, end, (noise, open, close, field, eol) => {
        const text = `${noise.join('')}${[open, 'title: T', field, close ?? open, 'body', ''].join(eol)}`
        const item = itemOf(text, 'a.md')
        expect(item.kind === 'post' ? item.status : 'draft', text).toBe('draft')
      }),
      { numRuns: 2000 },
    )
  })
})
