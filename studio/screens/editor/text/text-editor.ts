import { autocompletion, closeCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from '@codemirror/lang-markdown'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec, Text, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder, tooltips } from '@codemirror/view'
import { t } from '../../../i18n/catalogue.ts'
import { decorations } from './decorations.ts'
import { formatKeys, slashCommands } from './formats.ts'
import { lineSeparatorOf } from './line-separator.ts'
import { pasting } from './pasting.ts'
import { theme } from './theme.ts'

interface TextEditorOptions {
  readonly parent: ShadowRoot
  readonly text: string
  /** At every key: what the text is costs more to know, the longer it is. */
  onChange(): void
}

const separator = new Compartment()
const separatorOf = (text: string) => EditorState.lineSeparator.of(lineSeparatorOf(text))

/** The text of a post in CodeMirror. It stands in a shadow root, where its styles need no exception from the content security policy. */
export function makeEditor({ parent, text, onChange }: TextEditorOptions): EditorView {
  const changed = EditorView.updateListener.of(({ docChanged, transactions }) => {
    if (docChanged && !transactions.some((each) => each.annotation(Transaction.remote))) onChange()
  })
  const state = EditorState.create({ doc: text, extensions: [separator.of(separatorOf(text)), ...extensions(), changed] })
  return new EditorView({ state, parent, root: parent })
}

/** Shows what came from elsewhere, by the one stretch in which it differs: the cursor and the history stay. */
export function showText(view: EditorView, text: string): void {
  if (text === view.state.sliceDoc()) return
  const [before, after] = [view.state.doc.toString(), text.split(lineSeparatorOf(text)).join('\n')]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const insert = Text.of(after.slice(start, after.length - end).split('\n'))
  view.dispatch({
    changes: { from: start, to: before.length - end, insert },
    effects: separator.reconfigure(separatorOf(text)),
    annotations: Transaction.remote.of(true),
  })
}

/** How much of the window the bars above and below the text take. */
function bars() {
  const [top = 0, bottom = 0] = ['.desk-bar', '.desk-tools'].map((name) => document.querySelector(name)?.clientHeight)
  return { top, bottom }
}

/** Menus stand between the bars, and so does the line that one writes. */
const betweenBars = [
  tooltips({ tooltipSpace: () => ({ top: bars().top, bottom: innerHeight - bars().bottom, left: 0, right: innerWidth }) }),
  EditorView.scrollMargins.of(bars),
]

/** The words of CodeMirror's search panel. */
const words = ['Find', 'Replace', 'next', 'previous', 'all', 'match case', 'by word', 'regexp', 'replace', 'replace all', 'close'] as const

function extensions(): readonly Extension[] {
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({ 'aria-label': t('editor.text'), spellcheck: 'true', autocorrect: 'on', autocapitalize: 'sentences' }),
    EditorState.phrases.of(Object.fromEntries(words.map((word) => [word, t(`phrases.${word}`)]))),
    placeholder(t('editor.placeholder')),
    markdownLanguage,
    markdownLanguage.data.of({ autocomplete: slashCommands }),
    // Who types `/link` and Enter at once means it.
    autocompletion({ icons: false, interactionDelay: 0 }),
    betweenBars,
    search({ top: true }),
    decorations,
    pasting,
    theme,
    Prec.high(
      keymap.of([
        { key: 'Enter', run: insertNewlineContinueMarkup },
        { key: 'Backspace', run: deleteMarkupBackward },
      ]),
    ),
    keymap.of([
      ...formatKeys,
      ...searchKeymap,
      ...historyKeymap,
      // `Mod-Enter` publishes.
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      { key: 'Escape', run: closeCompletion },
      indentOnlyInLists,
    ]),
  ]
}

/** Elsewhere Tab leaves the text, so that the keyboard alone can. */
const indentOnlyInLists = {
  key: 'Tab',
  run: (view: EditorView) => {
    const line = view.state.doc.lineAt(view.state.selection.main.head)
    return /^\s*(?:[-*+]|\d+[.)])\s/.test(line.text) && (indentWithTab.run?.(view) ?? false)
  },
}
