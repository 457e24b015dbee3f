import type { Schema } from 'hast-util-sanitize'

const webUrls = ['http', 'https']

/** The elements whose text is of no use without them. Of others that are not allowed, what they contain stays. */
const dropped = [
  ...['script', 'style', 'template', 'noscript', 'title', 'textarea', 'select', 'object', 'applet', 'canvas'],
  ...['iframe', 'noembed', 'noframes', 'frameset', 'xmp', 'plaintext', 'svg', 'math'],
]

/** All HTML that a rendered post can have. No element that runs, embeds, styles or submits anything; no attribute that does. */
export const allowedHtml: Schema = {
  allowComments: false,
  allowDoctypes: false,
  strip: dropped,
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'div', 'section', 'article', 'aside', 'header', 'footer'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary', 'figure', 'figcaption', 'address', 'center'],
    ...[
      'a',
      'abbr',
      'b',
      'bdi',
      'bdo',
      'br',
      'cite',
      'code',
      'data',
      'del',
      'dfn',
      'em',
      'i',
      'ins',
      'kbd',
      'mark',
      'q',
      'rp',
      'rt',
      'ruby',
    ],
    ...['s', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['img', 'picture', 'source', 'audio', 'video', 'track', 'input'],
  ],
  /** Outside a table, the parser of a browser would drop them. */
  ancestors: Object.fromEntries(
    ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [name, ['table']]),
  ),
  attributes: {
    '*': ['id', 'title', 'lang', 'dir', 'align', 'ariaLabel'],
    a: ['href', 'hrefLang', ['className', 'footnote-backref']],
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'dateTime'],
    ins: ['cite', 'dateTime'],
    time: ['dateTime'],
    data: ['value'],
    pre: [['className', /^language-./]],
    code: [['className', /^language-./]],
    details: ['open'],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I'], ['className', 'footnotes-list']],
    li: ['value', ['className', 'task-list-item', 'footnote-item']],
    hr: [['className', 'footnotes-sep']],
    section: [['className', 'footnotes']],
    sup: [['className', 'footnote-ref']],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
    col: ['span', 'width'],
    colgroup: ['span'],
    th: ['colSpan', 'rowSpan', 'scope', 'abbr', 'vAlign', 'width'],
    td: ['colSpan', 'rowSpan', 'vAlign', 'width'],
    table: ['width'],
    img: ['src', 'srcSet', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    source: ['src', 'srcSet', 'sizes', 'media', 'type', 'width', 'height'],
    video: ['src', 'poster', 'width', 'height', 'controls', 'loop', 'muted', 'playsInline', 'preload'],
    audio: ['src', 'controls', 'loop', 'muted', 'preload'],
    track: ['src', 'kind', 'label', 'srcLang', 'default'],
  },
  required: { input: { type: 'checkbox', disabled: true } },
  protocols: {
    href: [...webUrls, 'mailto'],
    src: webUrls,
    poster: webUrls,
    cite: webUrls,
  },
  /** Ids get their prefix in `anchors.ts`, which also knows the links to them. */
  clobber: [],
}
