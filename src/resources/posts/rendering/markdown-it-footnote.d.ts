declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  function footnotes(parser: MarkdownIt): void
  export = footnotes
}
