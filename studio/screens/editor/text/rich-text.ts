interface RichText {
  readonly markdown: string
  /** Pictures that have no address that others can load, such as those that hold their own data. */
  readonly lost: number
}

const blocks = 'p, div, ul, ol, table, blockquote, pre, h1, h2, h3, h4, h5, h6'

/** How runs of text look, and what says so in HTML; the innermost element comes first. */
const looks = [
  ['del', /text-decoration(?:-line)?:[^:;]*line-through/i],
  ['em', /font-style:\s*(?:italic|oblique)/i],
  ['strong', /font-weight:\s*(?:bold|[6-9]00)/i],
] as const
const plainLook = /font-(?:weight:\s*(?:normal|[1-5]00)|style:\s*normal)/i
const styleOf = (element: Element) => element.getAttribute('data-style') ?? ''

/** Whether HTML says more than its text. Editors of code copy HTML, too, that is nothing but coloured text. */
export function isRich(html: string): boolean {
  const isStyled = !/<pre\b/i.test(html) && looks.some(([, look]) => look.test(html))
  const tags = /<(?:a|b|strong|em|i|h[1-6]|ul|ol|li|blockquote|table|img|code)\b/i
  return !/\bvscode\b/.test(html) && (isStyled || tags.test(html))
}

/** What is pasted, as Markdown. The libraries for it are loaded when something rich is pasted for the first time. */
export async function toMarkdown(html: string): Promise<RichText> {
  const [{ default: Turndown }, { gfm }] = await Promise.all([import('turndown'), import('@joplin/turndown-plugin-gfm')])
  // The policy of the page would refuse styles, one by one.
  const quiet = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, ' data-style='))
  const { body } = new DOMParser().parseFromString(quiet, 'text/html')
  settle(body)
  const lost = [...body.querySelectorAll('img')].filter((image) => !/^(?:https?:)?\/\//i.test(image.getAttribute('src') ?? ''))
  for (const image of lost) image.remove()
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' })
  turndown.use(gfm)
  turndown.remove(['script', 'style', 'meta', 'title'])
  turndown.addRule('item', { filter: 'li', replacement: (content, node) => itemOf(content, node as HTMLElement) })
  return { markdown: turndown.turndown(body).trim(), lost: lost.length }
}

/** As one types it: by itself the library indents by four. */
function itemOf(content: string, { parentElement, previousElementSibling }: HTMLElement): string {
  const isOrdered = parentElement instanceof HTMLOListElement
  const before = previousElementSibling ? [...(parentElement?.children ?? [])].indexOf(previousElementSibling) + 1 : 0
  const marker = isOrdered ? `${parentElement.start + before}. ` : '- '
  return `${marker}${content.trim().replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`)}\n`
}

/** Word processors say by styles what HTML says by elements, and wrap whole texts in elements that say nothing. */
function settle(body: HTMLElement): void {
  const each = (selector: string, work: (element: Element) => void) => body.querySelectorAll(selector).forEach(work)
  each('b, strong, i, em', (element) => {
    if (plainLook.test(styleOf(element)) || element.querySelector(blocks)) unwrap(element)
  })
  each('span', (run) => {
    for (const [tag, look] of looks) if (look.test(styleOf(run))) wrapContent(run, tag)
    unwrap(run)
  })
  // `**a****b**` would mean something else.
  each('strong, em, del', (element) => {
    for (let next = element.nextSibling; next instanceof Element && next.localName === element.localName; next = element.nextSibling) {
      element.append(...next.childNodes)
      next.remove()
    }
  })
  each('li > p:only-child, li > p:first-child:has(+ :is(ul, ol))', unwrap)
  // A list in a list belongs to the item before it.
  each(':is(ul, ol) > :is(ul, ol)', (list) => list.previousElementSibling?.append(list))
  each(`:is(${blocks}) + br`, (lineBreak) => lineBreak.remove())
}

const unwrap = (element: Element) => element.replaceWith(...element.childNodes)

function wrapContent(element: Element, tag: string): void {
  const made = element.ownerDocument.createElement(tag)
  made.append(...element.childNodes)
  element.append(made)
}
