import { autocompletion, closeCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from '@codemirror/lang-markdown'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view'
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

/** The text of a post in CodeMirror. It stands in a shadow root, where its styles need no exception from the content security policy. */
export class TextEditor {
  readonly view: EditorView
  readonly #options: TextEditorOptions
  #isQuiet = false

  constructor(options: TextEditorOptions) {
    this.#options = options
    this.view = new EditorView({ state: this.#stateOf(options.text), parent: options.parent, root: options.parent })
  }

  get text(): string {
    return this.view.state.sliceDoc()
  }

  /** Shows what came from elsewhere. The cursor and the history stay, where the line endings do. */
  show(text: string): void {
    const before = this.text
    if (text === before) return
    this.#isQuiet = true
    if (lineSeparatorOf(text) !== this.view.state.lineBreak) this.view.setState(this.#stateOf(text))
    else this.view.dispatch({ changes: differenceOf(this.view.state, text) })
    this.#isQuiet = false
  }

  find(): void {
    openSearchPanel(this.view)
  }

  destroy(): void {
    this.view.destroy()
  }

  #stateOf(text: string): EditorState {
    const changed = EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged && !this.#isQuiet) this.#options.onChange()
    })
    return EditorState.create({ doc: text, extensions: [EditorState.lineSeparator.of(lineSeparatorOf(text)), ...extensions(), changed] })
  }
}

function extensions(): readonly Extension[] {
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': t('editor.text'), spellcheck: 'true', autocorrect: 'on', autocapitalize: 'sentences' }),
    EditorState.phrases.of(phrases()),
    placeholder(t('editor.placeholder')),
    markdownLanguage,
    markdownLanguage.data.of({ autocomplete: slashCommands }),
    autocompletion({ icons: false, defaultKeymap: true }),
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

/** The one stretch in which two texts differ. */
function differenceOf(state: EditorState, text: string) {
  const [before, after] = [state.sliceDoc().split(state.lineBreak).join('\n'), text.split(state.lineBreak).join('\n')]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return {
    from: start,
    to: before.length - end,
    insert: state.toText(
      after
        .slice(start, after.length - end)
        .split('\n')
        .join(state.lineBreak),
    ),
  }
}

function phrases(): Readonly<Record<string, string>> {
  return {
    Find: t('editor.find'),
    Replace: t('editor.replaceWith'),
    next: t('editor.findNext'),
    previous: t('editor.findPrevious'),
    all: t('editor.findAll'),
    'match case': t('editor.matchCase'),
    'by word': t('editor.byWord'),
    regexp: t('editor.regexp'),
    replace: t('editor.replace'),
    'replace all': t('editor.replaceAll'),
    close: t('common.close'),
  }
}
