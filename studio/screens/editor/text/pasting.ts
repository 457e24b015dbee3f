import { EditorView } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import { say } from '../../../ui/layers.tsx'
import { askForPicture, put } from './picture-dialog.tsx'
import { isRich, toMarkdown } from './rich-text.ts'

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
  if (event instanceof DragEvent) view.dispatch({ selection: { anchor: view.posAtCoords(event, false) } })
  // Programs that copy text add a picture of it.
  const isPicture = plain === '' && [...(data?.files ?? [])].some(({ type }) => type.startsWith('image/'))
  if (anyAddress.test(plain) && picture.test(plain)) put(view, `![](${plain})`)
  else if (/^data:image\//i.test(plain)) askForPicture(view)
  else if (isRich(html) && (plain !== '' || /<img\b/i.test(html))) void putRich(view, html, plain)
  else if (isPicture) askForPicture(view)
  else return false
  event.preventDefault()
  return true
}

async function putRich(view: EditorView, html: string, plain: string): Promise<void> {
  const { markdown, lost } = await toMarkdown(html)
  if (markdown !== '' || plain !== '') put(view, markdown || plain)
  else if (lost > 0) return askForPicture(view)
  if (lost > 0) say(t('editor.picturesLost'))
}
