import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { createRenderer } from '../../../../src/resources/posts/rendering/render-markdown.ts'
import { toSafeHtml } from '../../../../src/resources/posts/rendering/safe-html/safe-html.ts'
import { parseUrl } from '../../../../src/values/parse-url.ts'
import { attacks } from './attacks.ts'

const render = createRenderer()
const seed = Number(process.env.VERSO_TEST_SEED) || Date.now() % 1_000_000_000

/** What a page may get. This list is not made from that of the sanitizer. */
const elements = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p blockquote pre hr div section article aside header footer ul ol li dl dt dd details summary figure figcaption address center ' +
    'a abbr b bdi bdo br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr ' +
    'table caption colgroup col thead tbody tfoot tr th td img picture source audio video track input'
  ).split(' '),
)
const urls = new Set(['href', 'src', 'poster', 'cite'])
const plain = new Set(
  (
    'id title lang dir align aria-label hreflang class datetime value open start reversed type checked disabled span width height colspan rowspan scope abbr ' +
    'valign srcset sizes alt loading decoding media controls loop muted playsinline preload kind label srclang default'
  ).split(' '),
)
const classes =
  /^(?:language-\S+|footnote-(?:ref|backref|item)|footnotes(?:-list|-sep)?|task-list-item)(?: (?:language-\S+|task-list-item|footnote-item))*$/

/** Everything in a tree that a post must not bring into a page. */
function dangersIn(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.nodeName === '#text') return []
    if (!('tagName' in node)) return [node.nodeName]
    const { tagName, attrs, namespaceURI, childNodes } = node
    return [
      ...(elements.has(tagName) && namespaceURI === 'http://www.w3.org/1999/xhtml' ? [] : [`<${tagName}>`]),
      ...attrs.filter((attribute) => !isHarmless(tagName, attribute)).map(({ name, value }) => `${name}="${value}"`),
      ...(tagName === 'input' && !attrs.some(({ name }) => name === 'disabled') ? ['<input> that can be used'] : []),
      ...dangersIn(childNodes),
    ]
  })
}

function isHarmless(tagName: string, { name, value }: { readonly name: string; readonly value: string }): boolean {
  if (urls.has(name)) return isHarmlessUrl(value)
  if (name === 'srcset') return value.split(/[\s,]+/).every(isHarmlessUrl)
  if (name === 'id') return value.startsWith('user-content-')
  if (name === 'class') return classes.test(value)
  if (name === 'type' && tagName === 'input') return value === 'checkbox'
  return plain.has(name)
}

/** As a browser reads it: without white space and control characters at its ends, and without tabs and line breaks. */
function isHarmlessUrl(value: string): boolean {
  const base = 'https://site.test/'
  return ['http:', 'https:', 'mailto:', undefined].includes(parseUrl(value, base)?.protocol)
}

function expectSafe(html: string, source: string): void {
  expect(dangersIn(parseFragment(html).childNodes), source).toEqual([])
  // In a page, and with scripts off, where `noscript` is read otherwise.
  for (const scriptingEnabled of [true, false]) {
    const page = parse(`<!doctype html><body><main>${html}</main></body>`, { scriptingEnabled })
    const [, document] = page.childNodes
    const body = document && 'childNodes' in document ? document.childNodes.find(({ nodeName }) => nodeName === 'body') : undefined
    const [main] = body && 'childNodes' in body ? body.childNodes : []
    expect(main && 'childNodes' in main ? dangersIn(main.childNodes) : ['no page'], source).toEqual([])
    expect(body && 'childNodes' in body ? body.childNodes.length : 0, `it stays where it is put: ${source}`).toBe(1)
  }
  // Parsed and sanitized again, it is the same.
  expect(toSafeHtml(html, { isWellFormed: false }).html, source).toBe(html)
}

describe.each(Object.entries(attacks))('%s', (_, sources) => {
  it.each(sources.map((source) => [source]))('%s', (source) => {
    expectSafe(render(source).html, source)
    expectSafe(render(`Text before ${source} and after\n\n* in a list: ${source}\n\n> ${source}\n\n| ${source} |\n|-|`).html, source)
    expectSafe(render(source, 'https://site.test/post').html, source)
  })
})

it('every attack after every other', () => {
  const all = Object.values(attacks).flat()
  for (const source of all) expectSafe(render(`${source}\n\n${all.join('\n\n')}`).html, source)
})

const tags = (
  'a b i p div span table tbody tr td th caption colgroup col ul ol li dl dt dd h1 h2 pre code svg math mi mtext mglyph annotation-xml foreignObject title ' +
  'desc style script noscript template select option optgroup button form input textarea iframe xmp plaintext ruby rt rp img video source details summary ' +
  'marquee object font nobr center listing frameset body html head br hr'
).split(' ')
const attributes = [
  'href="javascript:alert(1)"',
  'href=" https://x.test "',
  'src=x onerror=alert(1)',
  'id=x',
  'id="user-content-x"',
  'name=y',
  'class="language-js evil"',
  'style="x"',
  'title="</style><img src=x onerror=alert(1)>"',
  'title="-->"',
  'encoding="text/html"',
  'srcset="a 1x, javascript:b 2x"',
  'srcset="a 1x,javascript:b 2x,"',
  'type=checkbox checked',
  'href="#x"',
]
const texts = [
  'x',
  ' ',
  '\n',
  '\r',
  '\0',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '&amp;lt;',
  '"',
  '\u00a0',
  '# h\n',
  '\n\n',
  '> ',
  '- [ ] ',
  '|a|\n|-|\n',
  '`',
  '~~',
  '[^1]',
  '\n[^1]: n\n',
  '[a](#x)',
  '![a](b)',
  '*',
]
const piece = fc.oneof(
  fc.tuple(fc.constantFrom(...tags), fc.subarray(attributes, { maxLength: 3 })).map(([tag, some]) => `<${[tag, ...some].join(' ')}>`),
  fc.constantFrom(...tags).map((tag) => `</${tag}>`),
  fc.constantFrom(...texts),
  fc.constantFrom(...Object.values(attacks).flat()),
)
const markup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

it(`whatever HTML and Markdown is mixed, nothing that is not allowed comes through, and it is stable (seed ${seed})`, () => {
  fc.assert(
    fc.property(markup, (source) => expectSafe(render(source).html, source)),
    { seed, numRuns: 1_000 },
  )
})

it(`Markdown without HTML is stable at once (seed ${seed})`, () => {
  const markdown = fc.array(fc.constantFrom(...texts, '1. ', '  ', '    ', '```js\n', '===\n', '[', ']', '(', ')', '_', '**', '\\'), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(
      markdown.map((pieces) => pieces.join('').replaceAll('<', '')),
      (source) => expectSafe(render(source).html, source),
    ),
    { seed, numRuns: 1_000 },
  )
})
