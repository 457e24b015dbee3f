import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'

type Node = ReturnType<ReturnType<typeof syntaxTree>['cursor']>['node']

/** A stretch of the text. */
interface Stretch {
  readonly from: number
  readonly to: number
}

export type InlineFormat = 'bold' | 'italic' | 'code'

/** How Markdown calls what stands in a format. */
const kinds = { bold: 'StrongEmphasis', italic: 'Emphasis', code: 'InlineCode' } as const
const signs = { bold: '**', italic: '*' } as const

/** What holds running text. Formats do not reach from one into another. */
const isBlock = (name: string) => /^(?:Paragraph|ATXHeading\d|SetextHeading\d|TableCell|Task)$/.test(name)
/** Of a block, but not of its running text. */
const isMargin = (name: string) => /^(?:HeaderMark|QuoteMark|TaskMarker|HardBreak)$/.test(name)
const isNested = (name: string) => /^(?:StrongEmphasis|Emphasis|Strikethrough|Subscript|Superscript)$/.test(name)
/** Has a format as a whole or not at all. */
const isWhole = (name: string) => /^(?:InlineCode|Link|Image|Autolink|URL|HTMLTag|Escape|Entity)$/.test(name)

/** Long enough for any text that one writes by hand. */
const parseMs = 500

/** A block with what is chosen of it, and the nodes in it. */
interface Chosen {
  readonly piece: Stretch
  readonly nodes: readonly Node[]
}

const overlaps = (a: Stretch, b: Stretch) => a.from < b.to && b.from < a.to
const touches = (a: Stretch, b: Stretch) => a.from <= b.to && b.from <= a.to
const contains = (a: Stretch, b: Stretch) => a.from <= b.from && b.to <= a.to
const hull = (all: readonly Stretch[]): Stretch => ({
  from: Math.min(...all.map(({ from }) => from)),
  to: Math.max(...all.map(({ to }) => to)),
})

function nodesIn(state: EditorState, { from, to }: Stretch, isWanted: (name: string) => boolean): readonly Node[] {
  const found: Node[] = []
  const tree = ensureSyntaxTree(state, to, parseMs) ?? syntaxTree(state)
  tree.iterate({ from, to, enter: ({ name, node }) => void (isWanted(name) && found.push(node)) })
  return found
}

/** Without the blanks and margins at its ends; nothing where that is all. */
function trimmed(state: EditorState, { from, to }: Stretch, nodes: readonly Node[]): Stretch | undefined {
  const margins = nodes.filter(({ name }) => isMargin(name))
  const at = (place: number) => margins.find((margin) => margin.from <= place && place < margin.to)
  const isBlank = (place: number) => /\s/.test(state.sliceDoc(place, place + 1))
  while (from < to && (at(from) || isBlank(from))) from = at(from)?.to ?? from + 1
  while (from < to && (at(to - 1) || isBlank(to - 1))) to = at(to - 1)?.from ?? to - 1
  return from < to ? { from, to } : undefined
}

/** What stands between the signs of a node. Code that begins or ends with a sign of its own has a blank there. */
function contentOf(state: EditorState, node: Node): Stretch {
  const [from, to] = [node.firstChild?.to ?? node.from, node.lastChild?.from ?? node.to]
  return node.name === 'InlineCode' && isPadded(state.sliceDoc(from, to)) ? { from: from + 1, to: to - 1 } : { from, to }
}

const isPadded = (code: string) => code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''

/** With all of what it covers a part of, where that has a format as a whole. */
function widened(state: EditorState, piece: Stretch, whole: readonly Node[]): Stretch {
  const cut = whole.find(
    (node) => overlaps(piece, node) && !contains(piece, node) && !(node.name === 'Link' && contains(textOf(node), piece)),
  )
  return cut ? widened(state, hull([piece, cut]), whole) : piece
}

function textOf(link: Node): Stretch {
  const [open, close] = link.getChildren('LinkMark')
  return { from: open?.to ?? link.from, to: close?.from ?? link.from }
}

/** What is chosen, block by block. */
function choose(state: EditorState, chosen: Stretch, isWholeFor: (name: string) => boolean): readonly Chosen[] {
  return nodesIn(state, chosen, isBlock).flatMap((block) => {
    const nodes = nodesIn(state, block, () => true).filter((node) => contains(block, node))
    const within = { from: Math.max(block.from, chosen.from), to: Math.min(block.to, chosen.to) }
    const piece = trimmed(state, within, nodes)
    if (!piece) return []
    const whole = nodes.filter(({ name }) => isWholeFor(name))
    return [{ piece: widened(state, piece, whole), nodes }]
  })
}

/** What is left of a stretch without others. */
function without(stretch: Stretch, others: readonly Stretch[]): readonly Stretch[] {
  return others.reduce<readonly Stretch[]>(
    (left, other) =>
      left.flatMap((each) => {
        const before = { from: each.from, to: Math.max(each.from, other.from) }
        const after = { from: Math.min(each.to, other.to), to: each.to }
        return overlaps(each, other) ? [before, after] : [each]
      }),
    [stretch],
  )
}

const isOfKind = (format: InlineFormat) => (node: Node) => node.name === kinds[format]

/** Whether all of a piece that can be read has the format. */
function isFormatted(state: EditorState, { piece, nodes }: Chosen, format: InlineFormat): boolean {
  const signsOfOthers = nodes.filter(({ name }) => name.endsWith('Mark'))
  return without(piece, [...nodes.filter(isOfKind(format)), ...signsOfOthers]).every((gap) => !trimmed(state, gap, nodes))
}

/** Parts a stretch where it reaches into another format or out of it: formats stand side by side or in each other. */
function parted(state: EditorState, stretch: Stretch, others: readonly Node[]): readonly Stretch[] {
  for (const other of others) {
    const content = contentOf(state, other)
    if (!overlaps(stretch, other) || contains(stretch, other) || contains(content, stretch)) continue
    if (contains(stretch, content)) return parted(state, hull([stretch, other]), others)
    const parts = [
      { from: stretch.from, to: other.from },
      { from: Math.max(stretch.from, content.from), to: Math.min(stretch.to, content.to) },
      { from: other.to, to: stretch.to },
    ]
    return parts.filter(({ from, to }) => from < to).flatMap((part) => parted(state, part, others))
  }
  return [stretch]
}

/** Stretches that overlap, as one. */
function united(stretches: readonly Stretch[]): readonly Stretch[] {
  const done: Stretch[] = []
  for (const next of stretches.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = done.at(-1)
    if (last && overlaps(last, next)) done[done.length - 1] = hull([last, next])
    else done.push(next)
  }
  return done
}

/** The signs around a text: of code more than it has itself. */
function signsAround(format: InlineFormat, text: string): readonly [string, string] {
  if (format !== 'code') return [signs[format], signs[format]]
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const [sign, blank] = ['`'.repeat(longest + 1), /^`|`$/.test(text) ? ' ' : '']
  return [sign + blank, blank + sign]
}

interface Change extends Stretch {
  readonly insert?: string
}

/** Puts a format around a piece, or takes it from there. */
function changesOf(state: EditorState, { piece, nodes }: Chosen, format: InlineFormat, isOn: boolean): readonly Change[] {
  const spans = nodes.filter((node) => isOfKind(format)(node) && touches(node, piece))
  const contents = spans.map((span) => contentOf(state, span))
  const removed = spans.flatMap((span, i) => without(span, contents.slice(i, i + 1)))
  const others = nodes.filter(({ name }) => isNested(name) && name !== kinds[format])
  const wanted = isOn ? contents.flatMap((content) => without(content, [piece])) : [hull([piece, ...contents])]
  const stretches = united(wanted).flatMap((stretch) => parted(state, stretch, others))
  const added = stretches.flatMap((stretch) => {
    const { from, to } = trimmed(state, stretch, nodes) ?? stretch
    const text = without({ from, to }, removed).map((part) => state.sliceDoc(part.from, part.to))
    const [before, after] = signsAround(format, text.join(''))
    return [
      { from, to: from, insert: before },
      { from: to, to, insert: after },
    ]
  })
  return [...removed, ...added]
}

/** How many nodes there are that the format must leave as they are. */
function othersOf(chosen: readonly Chosen[], format: InlineFormat): number {
  const isOther = ({ name }: Node) => (isNested(name) || isWhole(name)) && name !== kinds[format]
  return format === 'code' ? 0 : chosen.flatMap(({ nodes }) => nodes.filter(isOther)).length
}

/** A change that gives all of what is chosen a format, or takes it away. Nothing where Markdown has no way to say that. */
function changed(state: EditorState, stretch: Stretch, format: InlineFormat) {
  const isWholeHere = (name: string) => isWhole(name) && name !== kinds[format]
  const chosen = choose(state, stretch, isWholeHere)
  if (chosen.length === 0) return
  const isOn = chosen.every((each) => isFormatted(state, each, format))
  const changes = state.changes(chosen.flatMap((each) => changesOf(state, each, format, isOn)))
  const { from, to } = hull(chosen.map(({ piece }) => piece))
  const selection = EditorSelection.range(changes.mapPos(from, 1), changes.mapPos(to, -1))
  const after = state.update({ changes }).state
  const result = choose(after, selection, isWholeHere)
  const isDone = ({ piece, nodes }: Chosen) =>
    isOn ? !nodes.some((node) => isOfKind(format)(node) && overlaps(node, piece)) : isFormatted(after, { piece, nodes }, format)
  const isKept = result.length === chosen.length && othersOf(result, format) >= othersOf(chosen, format)
  return isKept && result.every(isDone) ? { changes, selection } : undefined
}

/** With the whole words at its ends. */
function wordsAround(state: EditorState, { from, to }: Stretch): Stretch {
  const [before = ''] = state.sliceDoc(state.doc.lineAt(from).from, from).split(/\s/).slice(-1)
  const [after = ''] = state.sliceDoc(to, state.doc.lineAt(to).to).split(/\s/, 1)
  return { from: from - before.length, to: to + after.length }
}

/** Where nothing is selected: the word, the end of what has the format, or an empty pair of signs. */
function changedAt(state: EditorState, at: number, format: InlineFormat): TransactionSpec | undefined {
  const [sign] = signsAround(format, '')
  const [before, after] = [Math.max(0, at - sign.length), at + sign.length]
  if (state.sliceDoc(before, at) === sign && state.sliceDoc(at, after) === sign) return { changes: { from: before, to: after } }
  const around = nodesIn(state, { from: at, to: at }, () => true).filter((node) => node.from < at && at < node.to)
  const span = around.find(isOfKind(format))
  const content = span && contentOf(state, span)
  if (span && content?.to === at) return { selection: { anchor: span.to } }
  const word = state.wordAt(at)
  const stretch = content ?? (word && word.from < at && at < word.to ? word : undefined)
  const spec = stretch && changed(state, stretch, format)
  if (spec) return { changes: spec.changes, selection: { anchor: spec.changes.mapPos(at, 1) } }
  const isCode = around.some(({ name }) => /^(?:FencedCode|CodeBlock|InlineCode|HTMLBlock|CommentBlock)$/.test(name))
  return isCode || stretch ? undefined : { changes: { from: at, insert: sign + sign }, selection: { anchor: after } }
}

/** Gives what is selected a format, or takes it away where all of it has it. Nothing where that cannot be. */
export function toggled(state: EditorState, format: InlineFormat): TransactionSpec | undefined {
  const { main } = state.selection
  if (main.empty) return changedAt(state, main.head, format)
  if (!/\S/.test(state.sliceDoc(main.from, main.to))) return
  return changed(state, main, format) ?? changed(state, wordsAround(state, main), format)
}

const isLink = (state: EditorState, stretch: Stretch) =>
  nodesIn(state, stretch, (name) => name === 'Link').some(({ from, to }) => from === stretch.from && to === stretch.to)

/** Makes what is selected a link whose address one types next, or leads to the address of the link that it is in. */
export function linked(state: EditorState): TransactionSpec | undefined {
  const { main } = state.selection
  const link = nodesIn(state, main, (name) => name === 'Link').find((node) => touches(node, main))
  const url = link?.getChild('URL')
  if (url) return { selection: EditorSelection.range(url.from, url.to) }
  const [chosen] = choose(state, main, (name) => isWhole(name) || isNested(name))
  if (!chosen && !main.empty) return
  const { from, to } = chosen?.piece ?? main
  const text = state.sliceDoc(from, to)
  if (/^https?:\/\/\S+$/.test(text)) return { changes: { from, to, insert: `[](${text})` }, selection: { anchor: from + 1 } }
  const made = [text, text.replace(/[[\]\\]/g, '\\$&')].map((name) => {
    const insert = `[${name}](https://)`
    return { changes: { from, to, insert }, selection: { anchor: from + insert.length - 1 } }
  })
  return main.empty ? made[0] : made.find((spec) => isLink(state.update(spec).state, { from, to: from + spec.changes.insert.length }))
}
