import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view'

type Node = ReturnType<ReturnType<typeof syntaxTree>['cursor']>['node']

const marks: Readonly<Record<string, Decoration>> = {
  StrongEmphasis: Decoration.mark({ class: 'md-strong' }),
  Emphasis: Decoration.mark({ class: 'md-emphasis' }),
  Strikethrough: Decoration.mark({ class: 'md-struck' }),
  InlineCode: Decoration.mark({ class: 'md-code' }),
  Autolink: Decoration.mark({ class: 'md-link' }),
  HeaderMark: Decoration.mark({ class: 'md-markup' }),
  ListMark: Decoration.mark({ class: 'md-markup' }),
  QuoteMark: Decoration.mark({ class: 'md-markup' }),
  HorizontalRule: Decoration.mark({ class: 'md-markup' }),
  CodeInfo: Decoration.mark({ class: 'md-markup' }),
}

const lines: Readonly<Record<string, Decoration>> = {
  ATXHeading1: Decoration.line({ class: 'md-h1' }),
  ATXHeading2: Decoration.line({ class: 'md-h2' }),
  ATXHeading3: Decoration.line({ class: 'md-h3' }),
  ATXHeading4: Decoration.line({ class: 'md-h4' }),
  SetextHeading1: Decoration.line({ class: 'md-h1' }),
  SetextHeading2: Decoration.line({ class: 'md-h2' }),
  Blockquote: Decoration.line({ class: 'md-quote' }),
  FencedCode: Decoration.line({ class: 'md-code-line' }),
  CodeBlock: Decoration.line({ class: 'md-code-line' }),
}

const markup = Decoration.mark({ class: 'md-markup' })
const url = Decoration.mark({ class: 'md-url' })
const linkText = Decoration.mark({ class: 'md-link' })
const hidden = Decoration.replace({})

/** Around these the signs of Markdown are shown only where one writes. */
const quietMarks = new Set(['EmphasisMark', 'StrikethroughMark', 'CodeMark'])

class Picture extends WidgetType {
  readonly #url: string

  constructor(address: string) {
    super()
    this.#url = address
  }

  override eq(other: Picture): boolean {
    return other.#url === this.#url
  }

  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('span')
    frame.className = 'md-image'
    frame.hidden = true
    const image = document.createElement('img')
    image.alt = ''
    image.referrerPolicy = 'no-referrer'
    image.src = this.#url
    // What cannot be loaded takes no place.
    image.addEventListener('load', () => {
      frame.hidden = false
      view.requestMeasure()
    })
    frame.append(image)
    return frame
  }
}

/** Shows headings, emphasis, links and pictures where they are written. The text stays as it is, and so do its bytes. */
export const decorations = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state)
      if (update.docChanged || update.viewportChanged || update.selectionSet || isParsed) this.decorations = decorate(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = []
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: ({ node, name }) => {
        const line = lines[name]
        if (line) found.push(...linesOf(state, node, { from, to }).map((at) => line.range(at)))
        const mark = marks[name]
        if (mark) found.push(mark.range(node.from, node.to))
        if (quietMarks.has(name)) found.push(...quietMark(state, node))
        if (name === 'Link' || name === 'Image') found.push(...linked(state, node))
      },
    })
  }
  return Decoration.set(found, true)
}

function linesOf(state: EditorState, node: Node, seen: { readonly from: number; readonly to: number }): readonly number[] {
  const starts: number[] = []
  const [first, last] = [Math.max(node.from, seen.from), Math.min(node.to, seen.to)]
  for (let at = state.doc.lineAt(first).from; at <= last; at = state.doc.lineAt(at).to + 1) starts.push(at)
  return starts
}

const isTouched = ({ selection }: EditorState, { from, to }: { readonly from: number; readonly to: number }) =>
  selection.ranges.some((range) => range.from <= to && range.to >= from)

function quietMark(state: EditorState, node: Node): readonly Range<Decoration>[] {
  const { parent } = node
  if (!parent || parent.name === 'FencedCode') return [markup.range(node.from, node.to)]
  return [(isTouched(state, parent) ? markup : hidden).range(node.from, node.to)]
}

/** `[text](url)`: the text alone, unless one writes there. A picture stands below its line. */
function linked(state: EditorState, node: Node): readonly Range<Decoration>[] {
  const [open, close, ...round] = node.getChildren('LinkMark')
  const address = node.getChild('URL')
  if (!open || !close || !address) return []
  const found: Range<Decoration>[] = []
  const isHidden = node.name === 'Link' && !isTouched(state, node) && close.from > open.to
  if (close.from > open.to) found.push(linkText.range(open.to, close.from))
  if (isHidden) found.push(hidden.range(open.from, open.to), hidden.range(close.from, node.to))
  else
    found.push(
      markup.range(open.from, open.to),
      ...[close, ...round].map(({ from, to }) => markup.range(from, to)),
      url.range(address.from, address.to),
    )
  const target = state.sliceDoc(address.from, address.to)
  if (node.name === 'Image' && /^https?:\/\//i.test(target))
    found.push(Decoration.widget({ widget: new Picture(target), side: 1 }).range(state.doc.lineAt(node.to).to))
  return found
}
