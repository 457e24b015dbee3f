import { type CompletionContext, type CompletionResult, snippet, snippetCompletion } from '@codemirror/autocomplete'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import type { IconName } from '../../../ui/controls.tsx'
import { type InlineFormat, linked, toggled } from './inline-format.ts'
import { begun, type LineSign } from './line-format.ts'

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

/** Does what can be done. */
const apply =
  (make: (state: EditorState) => TransactionSpec | undefined): Run =>
  (view) =>
    write(view, make(view.state) ?? {})
const begin = (sign: LineSign) => apply((state) => begun(state, sign))
const toggle = (format: InlineFormat) => apply((state) => toggled(state, format))

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
  { name: 'bold', icon: 'bold', keys: 'Mod-b', run: toggle('bold') },
  { name: 'italic', icon: 'italic', keys: 'Mod-i', run: toggle('italic') },
  { name: 'heading', icon: 'heading', inserts: '## #{}', run: begin('## ') },
  { name: 'quote', icon: 'quote', inserts: '> #{}', run: begin('> ') },
  { name: 'list', icon: 'list', inserts: '- #{}', run: begin('- ') },
  { name: 'numbered', inserts: '1. #{}', run: begin('1. ') },
  { name: 'link', icon: 'link', keys: 'Mod-Shift-k', inserts: '[#{}](https://)', run: apply(linked) },
  { name: 'image', icon: 'media', inserts: picture, run: insert(picture) },
  { name: 'code', icon: 'code', keys: 'Mod-e', inserts: '```\n#{}\n```', run: toggle('code') },
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
