import { type CompletionContext, type CompletionResult, pickedCompletion } from '@codemirror/autocomplete'
import { EditorSelection } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import type { IconName } from '../../../ui/controls.tsx'

type Run = (view: EditorView) => boolean

/** What the toolbar, the slash menu and the keys do. */
export interface Format {
  readonly name: 'bold' | 'italic' | 'heading' | 'quote' | 'list' | 'numbered' | 'link' | 'image' | 'code' | 'rule'
  readonly icon?: IconName
  readonly keys?: string
  /** What stands in place of `/` and what was typed behind it. */
  readonly inserts?: string
  readonly run: Run
}

/** Puts a sign around each selection, or takes it away. */
function around(sign: string): Run {
  return (view) => {
    const change = view.state.changeByRange(({ from, to }) => {
      const [before, after] = [view.state.sliceDoc(from - sign.length, from), view.state.sliceDoc(to, to + sign.length)]
      if (before === sign && after === sign)
        return {
          changes: [
            { from: from - sign.length, to: from },
            { from: to, to: to + sign.length },
          ],
          range: EditorSelection.range(from - sign.length, to - sign.length),
        }
      return {
        changes: [
          { from, insert: sign },
          { from: to, insert: sign },
        ],
        range: EditorSelection.range(from + sign.length, to + sign.length),
      }
    })
    view.dispatch(change, { userEvent: 'input', scrollIntoView: true })
    view.focus()
    return true
  }
}

/** Begins each selected line with a sign, or takes it away; one of the same kind is replaced. */
function before(sign: string, kind: RegExp): Run {
  return (view) => {
    const { doc, selection } = view.state
    const { from, to } = selection.main
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number]
    const chosen = Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i)).filter(
      ({ text }) => first === last || text !== '',
    )
    const isOn = chosen.every(({ text }) => text.startsWith(sign))
    const changes = chosen.map((line) => {
      const old = kind.exec(line.text)?.[0] ?? ''
      return { from: line.from, to: line.from + old.length, insert: isOn ? '' : sign }
    })
    view.dispatch({ changes, userEvent: 'input', scrollIntoView: true })
    view.focus()
    return true
  }
}

const link: Run = (view) => {
  const { from, to } = view.state.selection.main
  const text = view.state.sliceDoc(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(text)
  const insert = isAddress ? `[](${text})` : `[${text}](https://)`
  const at = isAddress ? from + 1 : from + insert.length - 1
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: at }, userEvent: 'input', scrollIntoView: true })
  view.focus()
  return true
}

const insert =
  (text: string, cursor: number): Run =>
  (view) => {
    const { from, to } = view.state.selection.main
    const made = view.state.toText(text.split('\n').join(view.state.lineBreak))
    view.dispatch({ changes: { from, to, insert: made }, selection: { anchor: from + cursor }, userEvent: 'input', scrollIntoView: true })
    view.focus()
    return true
  }

const heading = /^#{1,6} /

export const formats: readonly Format[] = [
  { name: 'bold', icon: 'bold', keys: 'Mod-b', run: around('**') },
  { name: 'italic', icon: 'italic', keys: 'Mod-i', run: around('*') },
  { name: 'heading', icon: 'heading', inserts: '## ', run: before('## ', heading) },
  { name: 'quote', icon: 'quote', inserts: '> ', run: before('> ', /^> ?/) },
  { name: 'list', icon: 'list', inserts: '- ', run: before('- ', /^[-*+] /) },
  { name: 'numbered', inserts: '1. ', run: before('1. ', /^\d+[.)] /) },
  { name: 'link', icon: 'link', keys: 'Mod-Shift-k', inserts: '[](https://)', run: link },
  { name: 'image', icon: 'media', inserts: '![](https://)', run: insert('![](https://)', 2) },
  { name: 'code', icon: 'code', keys: 'Mod-e', inserts: '```\n\n```', run: around('`') },
  { name: 'rule', inserts: '---\n', run: insert('---\n', 4) },
]

export const formatKeys: readonly KeyBinding[] = formats.flatMap(({ keys, run }) =>
  keys ? [{ key: keys, run, preventDefault: true }] : [],
)

/** Where the cursor stands in what was inserted: within the brackets, or on the line between. */
const cursorIn = (text: string) => (text.includes('[](') ? text.indexOf('[') + 1 : text.startsWith('`') ? 4 : text.length)

/** `/` at the beginning of a line offers what can stand there. */
export function slashCommands(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/^\/\p{L}*/u)
  if (!typed) return null
  const options = formats.flatMap(({ name, inserts }, i) => {
    if (inserts === undefined) return []
    const apply = (view: EditorView, completion: Parameters<typeof pickedCompletion.of>[0], from: number, to: number) =>
      view.dispatch({
        changes: { from, to, insert: view.state.toText(inserts.split('\n').join(view.state.lineBreak)) },
        selection: { anchor: from + cursorIn(inserts) },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      })
    return [
      {
        label: `/${t(`editor.format_${name}`)}`,
        displayLabel: t(`editor.format_${name}`),
        detail: inserts.trim().split('\n')[0] ?? '',
        boost: -i,
        apply,
      },
    ]
  })
  return { from: typed.from, options, validFor: /^\/\p{L}*$/u }
}
