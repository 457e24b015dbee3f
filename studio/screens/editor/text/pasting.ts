import { Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const anyAddress = /^https?:\/\/\S+$/i
const picture = /.\.(?:jpe?g|png|gif|webp|svg|avif)(?:\?|$)/i

/** Rich text comes in as Markdown, the address of a picture as that picture. */
export const pasting = [
  EditorView.clipboardInputFilter.of((text, state) => text.replace(/\r\n?|\n/g, state.lineBreak)),
  EditorView.domEventHandlers({
    paste: (event, view) => take(event, event.clipboardData, view),
    drop: (event, view) => take(event, event.dataTransfer, view),
  }),
]

function take(event: Event, data: DataTransfer | null, view: EditorView): boolean {
  const plain = data?.getData('text/plain').trim() ?? ''
  const html = data?.getData('text/html') ?? ''
  const address = anyAddress.test(plain) && picture.test(plain) ? plain : ''
  if (address === '' && !isRich(html, plain)) return false
  event.preventDefault()
  if (address !== '') put(view, `![](${address})`)
  else void toMarkdown(html).then((markdown) => put(view, markdown === '' ? plain : markdown))
  return true
}

/** Editors of code copy HTML, too, that is nothing but coloured text. */
function isRich(html: string, plain: string): boolean {
  return plain !== '' && /<(?:a|b|strong|em|i|h[1-6]|ul|ol|li|blockquote|table|img|code)\b/i.test(html) && !/\bvscode\b/.test(html)
}

function put(view: EditorView, text: string): void {
  const change = view.state.replaceSelection(Text.of(text.split(/\r\n?|\n/)))
  view.dispatch(change, { userEvent: 'input.paste', scrollIntoView: true })
}

/** Loaded when something rich is pasted for the first time. */
async function toMarkdown(html: string): Promise<string> {
  const [{ default: Turndown }, { gfm }] = await Promise.all([import('turndown'), import('@joplin/turndown-plugin-gfm')])
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' })
  turndown.use(gfm)
  turndown.remove(['script', 'style', 'meta', 'title'])
  return turndown.turndown(new DOMParser().parseFromString(html, 'text/html').body).trim()
}
