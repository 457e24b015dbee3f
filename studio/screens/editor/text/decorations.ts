import { syntaxTree } from '@codemirror/language'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view'

type Node = ReturnType<ReturnType<typeof syntaxTree>['cursor']>['node']

type Make = (spec: { readonly class: string }) => Decoration

/** What makes each kind of node look as its class says. */
const byNode = (make: Make, classes: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(classes).flatMap(([name, nodes]) => nodes.map((node) => [node, make({ class: name })] as const)))

const marks = byNode(Decoration.mark, {
  'md-strong': ['StrongEmphasis'],
  'md-emphasis': ['Emphasis'],
  'md-struck': ['Strikethrough'],
  'md-code': ['InlineCode'],
  'md-link': ['Autolink'],
  'md-markup': ['HeaderMark', 'ListMark', 'QuoteMark', 'HorizontalRule', 'CodeInfo'],
})
const lines = byNode(Decoration.line, {
  'md-h1': ['ATXHeading1', 'SetextHeading1'],
  'md-h2': ['ATXHeading2', 'SetextHeading2'],
  'md-h3': ['ATXHeading3'],
  'md-h4': ['ATXHeading4'],
  'md-quote': ['Blockquote'],
  'md-code-line': ['FencedCode', 'CodeBlock'],
})
const markup = Decoration.mark({ class: 'md-markup' })
const url = Decoration.mark({ class: 'md-url' })
const linkText = Decoration.mark({ class: 'md-link' })
const hidden = Decoration.replace({})
/** Each line runs as what is written in it. */
const ownDirection = Decoration.line({ attributes: { dir: 'auto' } })

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
    const frame = Object.assign(document.createElement('span'), { className: 'md-image', hidden: true })
    const image = Object.assign(new Image(), { alt: '', referrerPolicy: 'no-referrer', src: this.#url })
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
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) found.push(ownDirection.range(state.doc.lineAt(at).from))
    syntaxTree(state).iterate({
      from,
      to,
      enter: ({ node, name }) => {
        const line = lines.get(name)
        if (line) found.push(...linesOf(state, node, { from, to }).map((at) => line.range(at)))
        const mark = marks.get(name)
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
  const signs = [open, close, ...round].map(({ from, to }) => markup.range(from, to))
  if (isHidden) found.push(hidden.range(open.from, open.to), hidden.range(close.from, node.to))
  else found.push(...signs, url.range(address.from, address.to))
  const target = state.sliceDoc(address.from, address.to)
  if (node.name === 'Image' && /^https?:\/\//i.test(target))
    found.push(Decoration.widget({ widget: new Picture(target), side: 1 }).range(state.doc.lineAt(node.to).to))
  return found
}
