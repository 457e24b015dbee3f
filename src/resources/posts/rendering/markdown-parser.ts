import createParser, { type MarkdownIt, type StateCore, type Token } from 'markdown-it'
import footnotes from 'markdown-it-footnote'

/** Markdown as HTML that is not safe yet. */
interface ParsedMarkdown {
  readonly html: string
  /** Whether the Markdown has HTML of its own. What the parser itself writes is well-formed. */
  readonly hasRawHtml: boolean
}

/** CommonMark with raw HTML, and GFM's tables, strikethrough, task lists and footnotes. */
export function createMarkdownParser(): (markdown: string) => ParsedMarkdown {
  const parser = configured()
  return (markdown) => {
    const env = {}
    const tokens = parser.parse(markdown, env)
    const html = parser.renderer.render(tokens, parser.options, env)
    return { html, hasRawHtml: tokens.some(isRawHtml) }
  }
}

function isRawHtml({ type, children }: Token): boolean {
  return type === 'html_block' || (children?.some((child) => child.type === 'html_inline') ?? false)
}

function configured(): MarkdownIt {
  const parser = createParser({ html: true }).use(footnotes)
  parser.renderer.rules.task_box = (tokens, i) => `<input type="checkbox" disabled${tokens[i]?.info}> `
  parser.core.ruler.push('task_lists', markTasks)
  parser.core.ruler.push('heading_ids', ({ tokens }) => takeIds(tokens))
  parser.core.ruler.push('cell_alignment', ({ tokens }) => tokens.forEach(alignWithoutStyle))
  return parser
}

const task = /^\[([ xX])\][ \t]+/

/** A list item whose text begins with `[ ]` or `[x]` is a task (https://github.github.com/gfm/#task-list-items-extension-). */
function markTasks(state: StateCore): void {
  for (const [i, { type, children }] of state.tokens.entries()) {
    const item = state.tokens[i - 2]
    const first = children?.[0]
    if (type !== 'inline' || state.tokens[i - 1]?.type !== 'paragraph_open' || item?.type !== 'list_item_open') continue
    const found = first?.type === 'text' && task.exec(first.content)
    if (!first || !found || (found[0] === first.content && children?.length === 1)) continue
    first.content = first.content.slice(found[0].length)
    const box = new state.Token('task_box', 'input', 0)
    box.info = found[1] === ' ' ? '' : ' checked'
    children?.unshift(box)
    item.attrJoin('class', 'task-list-item')
  }
}

const customId = /(?<!\s)\s*\{#([^\s{}#]+)\}\s*$/

/** `## Heading {#id}`, as Hugo, Docusaurus and kramdown read it. */
function takeIds(tokens: readonly Token[]): void {
  for (const [i, { type, children }] of tokens.entries()) {
    const last = children?.at(-1)
    const found = tokens[i - 1]?.type === 'heading_open' && type === 'inline' && last?.type === 'text' && customId.exec(last.content)
    if (!last || !found) continue
    last.content = last.content.slice(0, found.index)
    tokens[i - 1]?.attrSet('id', found[1] ?? '')
  }
}

const alignment = /^text-align:(left|center|right)$/

/** Tables are aligned by `align`, since no `style` is allowed. */
function alignWithoutStyle(token: Token): void {
  const found = alignment.exec(String(token.attrGet('style')))
  if (found?.[1]) token.attrs = [['align', found[1]]]
}
