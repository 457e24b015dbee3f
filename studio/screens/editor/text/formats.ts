import { type CompletionContext, type CompletionResult, snippet, snippetCompletion } from '@codemirror/autocomplete'
import { EditorSelection, type TransactionSpec } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import type { IconName } from '../../../ui/controls.tsx'

type Run = (view: EditorView) => boolean

/** What the toolbar, the slash menu and the keys do. */
export interface Format {
  readonly name: 'bold' | 'italic' | 'heading' | 'quote' | 'list' | 'numbered' | 'link' | 'image' | 'code' | 'rule'
  readonly icon?: IconName
  readonly keys?: string
  /** What stands in place of `/` and what was typed behind it; `#{}` is where one goes on. */
  readonly inserts?: string
  readonly run: Run
}

function write(view: EditorView, ...specs: readonly TransactionSpec[]): boolean {
  view.dispatch(...specs, { userEvent: 'input', scrollIntoView: true })
  view.focus()
  return true
}

/** Puts a sign around each selection, or takes it away. */
function around(sign: string): Run {
  const size = sign.length
  return (view) => {
    const change = view.state.changeByRange(({ from, to }) => {
      const isOn = view.state.sliceDoc(from - size, from) === sign && view.state.sliceDoc(to, to + size) === sign
      const [cut, insert] = isOn ? [size, ''] : [0, sign]
      const changes = [
        { from: from - cut, to: from, insert },
        { from: to, to: to + cut, insert },
      ]
      const by = isOn ? -size : size
      return { changes, range: EditorSelection.range(from + by, to + by) }
    })
    return write(view, change)
  }
}

/** Begins each selected line with a sign, or takes it away; one of the same kind is replaced. */
function before(sign: string, kind: RegExp): Run {
  return (view) => {
    const { doc, selection } = view.state
    const { from, to } = selection.main
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number]
    const between = Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i))
    const chosen = between.filter(({ text }) => first === last || text !== '')
    const isOn = chosen.every(({ text }) => text.startsWith(sign))
    const changes = chosen.map((line) => {
      const old = kind.exec(line.text)?.[0] ?? ''
      return { from: line.from, to: line.from + old.length, insert: isOn ? '' : sign }
    })
    return write(view, { changes })
  }
}

const link: Run = (view) => {
  const { from, to } = view.state.selection.main
  const text = view.state.sliceDoc(from, to)
  const isAddress = /^https?:\/\/\S+$/.test(text)
  const made = isAddress ? `[](${text})` : `[${text}](https://)`
  const anchor = isAddress ? from + 1 : from + made.length - 1
  return write(view, { changes: { from, to, insert: made }, selection: { anchor } })
}

const insert =
  (template: string): Run =>
  (view) => {
    const { from, to } = view.state.selection.main
    snippet(template)(view, null, from, to)
    view.focus()
    return true
  }

const [picture, rule] = ['![#{}](https://)', '---\n#{}']

export const formats: readonly Format[] = [
  { name: 'bold', icon: 'bold', keys: 'Mod-b', run: around('**') },
  { name: 'italic', icon: 'italic', keys: 'Mod-i', run: around('*') },
  { name: 'heading', icon: 'heading', inserts: '## #{}', run: before('## ', /^#{1,6} /) },
  { name: 'quote', icon: 'quote', inserts: '> #{}', run: before('> ', /^> ?/) },
  { name: 'list', icon: 'list', inserts: '- #{}', run: before('- ', /^[-*+] /) },
  { name: 'numbered', inserts: '1. #{}', run: before('1. ', /^\d+[.)] /) },
  { name: 'link', icon: 'link', keys: 'Mod-Shift-k', inserts: '[#{}](https://)', run: link },
  { name: 'image', icon: 'media', inserts: picture, run: insert(picture) },
  { name: 'code', icon: 'code', keys: 'Mod-e', inserts: '```\n#{}\n```', run: around('`') },
  { name: 'rule', inserts: rule, run: insert(rule) },
]

export const formatKeys: readonly KeyBinding[] = formats.flatMap(({ keys, run }) =>
  keys ? [{ key: keys, run, preventDefault: true }] : [],
)

/** `/` at the beginning of a line offers what can stand there. */
export function slashCommands(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/^\/\p{L}*/u)
  if (!typed) return null
  const options = formats.flatMap(({ name, inserts }, i) => {
    const displayLabel = t(`editor.format_${name}`)
    const detail = inserts?.replace('#{}', '').trim().split('\n')[0] ?? ''
    return inserts ? [snippetCompletion(inserts, { label: `/${displayLabel}`, displayLabel, detail, boost: -i })] : []
  })
  return { from: typed.from, options, validFor: /^\/\p{L}*$/u }
}
