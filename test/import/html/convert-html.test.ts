import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHtmlConverter } from '../../../src/import/html/convert-html.ts'
import { factsOf, sameFacts } from '../../../src/import/html/html-facts.ts'
import { parseHtml } from '../../../src/import/html/html-nodes.ts'
import { withCode } from '../../../src/import/wordpress/shortcodes.ts'
import { createMarkdownParser } from '../../../src/resources/posts/rendering/markdown-parser.ts'
import { soakSize } from '../../harness/soak.ts'

const convert = createHtmlConverter()
const parse = createMarkdownParser()
const markdownOf = (html: string) => convert([{ html, form: 'html' }]).markdown
const classic = (html: string) => convert([{ html, form: 'classic' }]).markdown

describe('HTML as Markdown', () => {
  it.each([
    ['<p>a <em>b</em> <strong>c</strong> <code>d`e</code></p>', 'a *b* **c** ``d`e``\n'],
    ['<h2>A<br>b #</h2>', '## A b \\#\n'],
    ['<h2 id="x">A</h2><p><a href="#x">to A</a></p><h2 id="y">B</h2>', '## A {#x}\n\n[to A](#x)\n\n## B\n'],
    [
      '<p>a<sup id="r"><a href="#n">1</a></sup></p><ol><li id="n">Note <a href="#r">back</a></li><li id="m">b</li></ol>',
      'a<sup id="r">[1](#n)</sup>\n\n1. <a id="n"></a>Note [back](#r)\n2. b\n',
    ],
    [
      '<p><a href="#n">1</a> <a href="#l">2</a> <a href="#t">3</a> <a href="#d">4</a> <a href="#c">5</a></p><div id="d"><p id="n">N</p></div><ul id="l"><li>L</li></ul><table id="t"><tr><th>T</th></tr><tr><td>x</td></tr></table><pre id="c">C</pre>',
      '[1](#n) [2](#l) [3](#t) [4](#d) [5](#c)\n\n<a id="n"></a><a id="d"></a>N\n\n- <a id="l"></a>L\n\n| <a id="t"></a>T |\n| --- |\n| x   |\n\n```\nC\n```\n',
    ],
    ['<ul><li>a<ol start="3"><li>b</li><li>c</li></ol></li><li><p>d</p><p>e</p></li></ul>', '- a\n\n  3. b\n  4. c\n- d\n\n  e\n'],
    ['<ol reversed start="3"><li>c</li><li>b</li></ol>', '<ol reversed="" start="3"><li>c</li><li>b</li></ol>\n'],
    ['<ol><li>a</li><li value="9">b</li></ol>', '<ol><li>a</li><li value="9">b</li></ol>\n'],
    ['<ol type="a"><li>a</li></ol>', '<ol type="a"><li>a</li></ol>\n'],
    ['<ol type="1" start="4"><li value="4">a</li></ol>', '4. a\n'],
    ['<ol><li>a</li></ol><ol><li>b</li></ol>', '1. a\n\n<!-- -->\n\n1. b\n'],
    ['<h2>A</h2><p>x</p><ol><li>a<p>b</p></li></ol><ol><li>c</li></ol><p>y</p>', '## A\n\nx\n\n1. a\n\n   b\n\n<!-- -->\n\n1. c\n\ny\n'],
    ['<ul><li><input type="checkbox" checked disabled> done</li></ul>', '- [x] done\n'],
    ['<blockquote><p>a</p><ul><li>b</li></ul></blockquote>', '> a\n> \n> - b\n'],
    ['<pre class="brush: php; x"><code>a &lt;b&gt;\n\n```\nc</code></pre>', '````php\na <b>\n\n```\nc\n````\n'],
    ['<pre>a<br>b</pre>', '```\na\nb\n```\n'],
    [
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td><td>x<br>y</td></tr></tbody></table>',
      '| A   | B   |\n| --- | --- |\n| 1\\|2 | x<br>y |\n',
    ],
    ['<p>&lt;div&gt; &amp;copy; 1) ~~x~~ [y] *z* <del>gone</del></p>', '\\<div> \\&copy; 1) \\~\\~x\\~\\~ \\[y\\] \\*z\\* ~~gone~~\n'],
    ['<p><strong>a<br></strong>b <b>c</b><strong>d</strong><em><br>e</em></p>', '**a**\\\nb **cd**\\\n*e*\n'],
    ['<p>1) one</p>', '1\\) one\n'],
    ['<p><a href="https://a.example/x (y)" title="T &quot;q&quot;">l</a></p>', '[l](https://a.example/x%20\\(y\\) "T \\"q\\"")\n'],
    ['<a href="/x"><h3>Title</h3><p>Text</p></a>', '[**Title** Text](/x)\n'],
    ['<figure><img src="a.png" alt="A [x]"><figcaption>Below <b>it</b></figcaption></figure>', '![A \\[x\\]](a.png)\n\nBelow **it**\n'],
    ['<p>H<sub>2</sub>O <mark>m</mark> <kbd title="k">K</kbd></p>', 'H<sub>2</sub>O <mark>m</mark> <kbd title="k">K</kbd>\n'],
    ['<p>a</p><p>&nbsp;</p><p></p><hr><p>b<br></p>', 'a\n\n---\n\nb\n'],
    ['<div><div>a</div>b<section><p>c</p></section></div>', 'a\n\nb\n\nc\n'],
    ['<iframe src="https://v.example/1"></iframe>', '<iframe src="https://v.example/1"></iframe>\n'],
    ['<thead></thead>!<td>a</td><em><th><em>!</em></th></em>', '!\n\n|     |     |\n| --- | --- |\n| a   | *!* |\n'],
    ['<tr><td>a</td></tr>\n<tr><td>b</td></tr>', '|     |\n| --- |\n| a   |\n| b   |\n'],
    ['<pre><pre>a</pre>b\n*c*</pre>', '<div><pre><pre>a</pre>b\n*c*</pre></div>\n'],
    ['<em><h3><table><h3></h3></table>a</h3>b</em>', '<p><em> <h3> <h3></h3>  <table></table> a</h3> b</em></p>\n'],
    ['<table>x<tr>y<td>a</td></tr> z</table>', 'xy z\n\n<table><tbody><tr><td>a</td></tr></tbody></table>\n'],
    ['<dl><dt>a\n\nb</dt><dd>c</dd></dl>', '<dl><dt>a&#10;\nb</dt><dd>c</dd></dl>\n'],
    [
      '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
      '<table><tbody><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>\n',
    ],
    ['<p><a href="javascript:x">a</a></p>', '<p><a href="javascript:x">a</a></p>\n'],
    ['<p>text<!-- note --></p><!--more--><script>x</script>', 'text\n\n<!--more-->\n'],
    ['', ''],
  ])('%s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })

  it.each([
    ['a\nb\n\nc', 'a\\\nb\n\nc\n'],
    ['a<em> b</em>c', 'a *b*c\n'],
    ['a<br />\nb', 'a\\\nb\n'],
    ['<strong>x\ny</strong>\n<ul>\n<li>one\ntwo</li>\n</ul>\nz', '**x\\\ny**\n\n- one\\\n  two\n\nz\n'],
    ['<blockquote>a\n\nb</blockquote>', '> a\n> \n> b\n'],
    ['<pre>\na\n\n  b\n</pre>', '```\na\n\n  b\n```\n'],
    ['<h2>A</h2>\nb', '## A\n\nb\n'],
  ])('line breaks as WordPress reads them: %j', (html, markdown) => {
    expect(classic(html)).toBe(markdown)
  })

  it('counts blocks, those that stay HTML, what is dropped, and pictures', () => {
    const { blocks, keptBlocks, dropped, images } = convert([
      { html: '<p>a</p><dl><dt>b</dt></dl><style>c</style><img src="d.png" alt="D">', form: 'html' },
    ])
    expect({ blocks, keptBlocks, dropped: [...dropped], images }).toEqual({
      blocks: 3,
      keptBlocks: 1,
      dropped: [['style', 1]],
      images: [{ url: 'd.png', alt: 'D' }],
    })
  })

  it('loses no word, link, picture, code or cell of any HTML', () => {
    const text = fc.oneof(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '*',
        '_',
        '`',
        '~~',
        '[x]',
        '(y)',
        '#',
        '1.',
        '1)',
        '-',
        '+',
        '>',
        '|',
        '\\',
        '&lt;b&gt;',
        '&amp;copy;',
        '!',
        '<br>',
        'www.a.example',
        '&nbsp;',
        '$',
        '^',
        '{#id}',
        'http://a.example/_x_',
      ),
      fc.string({ maxLength: 3 }).map((raw) => raw.replace(/[<&\0\r]/g, '')),
    )
    const inlineTags = [
      'em',
      'strong',
      'b',
      'i',
      'code',
      'a href="/x_y(z)"',
      'a href="https://a.example/?a=1&amp;b=2" title="t"',
      'span',
      'sub',
      'del',
      'u',
      'q',
      'img src="i.png" alt="x*y"',
      'kbd',
    ]
    const blockTags = [
      'p',
      'div',
      'h1',
      'h3',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'table',
      'tr',
      'td',
      'th',
      'thead',
      'figure',
      'figcaption',
      'dl',
      'dt',
      'section',
      'hr',
      'iframe src="f"',
      'details',
    ]
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        text,
        fc
          .tuple(fc.constantFrom(...inlineTags, ...blockTags), fc.array(tie('node'), { maxLength: 4 }))
          .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag.split(' ')[0]}>`),
      ),
    }))
    fc.assert(
      fc.property(fc.array(node as fc.Arbitrary<string>, { maxLength: 6 }), fc.boolean(), (nodes, isClassic) => {
        const html = nodes.join('')
        const { markdown } = convert([{ html, form: isClassic ? 'classic' : 'html' }])
        const [before, after] = [factsOf(parseHtml(html)), factsOf(parseHtml(parse(markdown).html))]
        expect(after.words).toEqual(before.words)
        expect(after.images.length).toBe(before.images.length)
        expect(after.code.join('').length).toBeGreaterThanOrEqual(before.code.join('').trim() === '' ? 0 : 1)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['nested tags', '<div>'.repeat(100_000)],
    ['nested formatting', '<b>'.repeat(100_000)],
    ['nested lists', '<ul><li>'.repeat(100_000)],
    ['nested quotes', `${'<blockquote>'.repeat(50_000)}x`],
  ])('%s are refused', (_, html) => {
    expect(() => markdownOf(html)).toThrow('nested')
  })

  const many = (text: string, full: number) => text.repeat(soakSize(full))

  it.each([
    ['a long attribute', `<p title="${many('x', 10_000_000)}">a</p>`, 'a\n'],
    ['elements in a paragraph', `<p>${many('<i>x</i> ', 200_000)}</p>`, undefined],
    ['items', `<ul>${many('<li>x</li>', 200_000)}</ul>`, undefined],
    ['a long run of spaces', `<p>a${many('&nbsp;', 400_000)}b</p>`, undefined],
    ['rows', `<table>${many(`<tr>${'<td>a</td>'.repeat(8)}</tr>`, 8_000)}</table>`, undefined],
    ['tables that stay HTML', many('<table><tr><td colspan="2">x</td></tr></table>', 3_000), undefined],
    ['open captions', many('[caption ', 400_000), undefined],
    ['open comments', many('<!-- wp:x ', 400_000), ''],
    ['brackets', many('[', 400_000), undefined],
    ['backticks', many('`a', 200_000), undefined],
    ['emphasis', many('<p>*a_</p>', 40_000), undefined],
  ])('takes linear time for %s', { tags: ['soak'] }, (_, html, markdown) => {
    const made = markdownOf(html)
    if (markdown === undefined) expect(made.length).toBeGreaterThan(0)
    else expect(made).toBe(markdown)
  })

  it('takes linear time for shortcodes that never end', { tags: ['soak'] }, () => {
    const text = many('[code ', 5_000_000)
    expect(withCode(text)).toBe(text)
  })

  it('facts that differ are seen', () => {
    const facts = (html: string) => factsOf(parseHtml(html))
    expect(sameFacts(facts('<p>a b</p>'), facts('<p>a</p> b'))).toBe(true)
    for (const other of [
      '<p>ab</p>',
      '<p>a <a href="/">b</a></p>',
      '<p>a b<img src="x"></p>',
      '<p>a <code>b</code></p>',
      '<h1>a b</h1>',
      '<ul><li>a b</li></ul>',
    ])
      expect(sameFacts(facts('<p>a b</p>'), facts(other))).toBe(false)
  })
})
