import { describe, expect, it } from 'vitest'
import { createRenderer } from '../../../../src/resources/posts/rendering/render-markdown.ts'

const render = createRenderer()

describe('Markdown as HTML', () => {
  it.each([
    ['CommonMark', 'Some *emphasis* & `code`.', '<p>Some <em>emphasis</em> &amp; <code>code</code>.</p>\n'],
    ['raw HTML', 'H<sub>2</sub>O', '<p>H<sub>2</sub>O</p>\n'],
    ['strikethrough', '~~gone~~', '<p><s>gone</s></p>\n'],
    ['code with a language', '```js {1}\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>\n'],
    ['code that begins with empty lines', '<pre>\n\n\na</pre>', '<pre>\n\n\na</pre>'],
    ['text as it is written, without typography', '"a" -- b...', '<p>"a" -- b...</p>\n'],
    ['URLs without a link', 'See https://example.org', '<p>See https://example.org</p>\n'],
    ['nothing', '', ''],
  ])('%s', (_, markdown, html) => {
    expect(render(markdown).html).toBe(html)
  })

  it('tables are aligned without styles', () => {
    const { html } = render('| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |')
    expect(html).toContain('<th align="left">a</th>\n<th align="center">b</th>\n<th align="right">c</th>\n<th>d</th>')
    expect(html).toContain('<td align="left">1</td>\n<td align="center">2</td>\n<td align="right">3</td>\n<td>4</td>')
  })

  it('a list item that begins with a box is a task', () => {
    expect(render('- [ ] **open**\n- [x] done\n- [ ]\n- [y] no').html).toBe(
      '<ul>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled> <strong>open</strong></li>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled checked> done</li>\n' +
        '<li>[ ]</li>\n<li>[y] no</li>\n</ul>\n',
    )
  })

  it('footnotes and their marks lead to each other', () => {
    const { html } = render('A[^1]\n\n[^1]: Note')
    expect(html).toContain('<sup class="footnote-ref"><a href="#user-content-fn1" id="user-content-fnref1">[1]</a></sup>')
    expect(html).toContain(
      '<li id="user-content-fn1" class="footnote-item"><p>Note <a href="#user-content-fnref1" class="footnote-backref">',
    )
  })

  it('HTML that is nested deeper than any browser reads is shown as text', () => {
    const { html, toc, mediaUrls } = render(`# A\n\n${'<div>'.repeat(1_000)}`)
    expect(html).toBe(`<pre>\n# A\n\n${'&lt;div&gt;'.repeat(1_000)}</pre>`)
    expect({ toc, mediaUrls }).toEqual({ toc: [], mediaUrls: [] })
  })
})

describe('headings', () => {
  it('each has an id of its own, which starts with a prefix', () => {
    expect(render('# Über *uns*\n\n## Über uns\n\n### Use {#custom}\n\n#### ![Logo](a.png)\n\n# 你好\n\n# \n').toc).toEqual([
      { id: 'user-content-über-uns', text: 'Über uns', level: 1 },
      { id: 'user-content-über-uns-1', text: 'Über uns', level: 2 },
      { id: 'user-content-custom', text: 'Use', level: 3 },
      { id: 'user-content-logo', text: 'Logo', level: 4 },
      { id: 'user-content-你好', text: '你好', level: 1 },
      { id: 'user-content-section', text: '', level: 1 },
    ])
  })

  it('an id that is written in the post keeps its place, and headings go around it', () => {
    const { html } = render('# A\n\n<p id="a">x</p><p id="user-content-a">y</p><a name="b c">z</a>')
    expect(html).toBe('<h1 id="user-content-a-1">A</h1>\n<p id="user-content-a">x</p><p>y</p><a id="user-content-b-c">z</a>')
  })

  it('links within the post lead to its ids, and other fragments are left alone', () => {
    const { html } = render('# Été\n\n[a](#été) [b](#comments) [c](#user-content-été) <a href="#%E0">d</a>')
    expect(html).toContain('<a href="#user-content-%C3%A9t%C3%A9">a</a> <a href="#comments">b</a>')
    expect(html).toContain('<a href="#user-content-%C3%A9t%C3%A9">c</a> <a href="#%E0">d</a>')
  })
})

describe('what a post has', () => {
  it.each([
    ['', 0, 0],
    ["It's one-off: 3 **words**", 4, 1],
    ['日本語のテスト and more', 9, 1],
    ['𠮷野家。吉 x', 5, 1],
    ['word '.repeat(239), 239, 2],
  ])('%#: words and minutes', (markdown, wordCount, readingTimeMinutes) => {
    expect(render(markdown)).toMatchObject({ wordCount, readingTimeMinutes })
  })

  it('the URLs of its pictures, videos and sounds, each once', () => {
    const { mediaUrls } = render(
      '![a](/a.png) ![a](/a.png)\n\n<picture><source srcset="b.webp 1x,c.webp?w=1,h=2 2x, javascript:x 3x"><img src=" HTTPS://x.org/d.png "></picture>\n\n<video src="e.mp4" poster="f.jpg"></video>',
    )
    expect(mediaUrls).toEqual(['/a.png', 'b.webp', 'c.webp?w=1,h=2', 'https://x.org/d.png', 'e.mp4', 'f.jpg'])
  })
})
