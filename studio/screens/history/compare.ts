import { diffArrays, diffWordsWithSpace } from 'diff'

/** Text that is in both versions, only in the newer, or only in the older. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Paragraphs that are the same, or a run of them that is not. */
export type Block =
  | { readonly kind: 'same'; readonly paragraphs: readonly string[] }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[] }

/** A comparison that takes longer shows one text in place of the other. */
const timeoutMs = 250
/** Texts that share less are easier to read one after the other than word by word. */
const leastShared = 0.35
const betweenParagraphs = '\n\n'

/** Two texts, paragraph by paragraph, and word by word where a paragraph has changed. */
export function compareTexts(before: string, after: string): readonly Block[] {
  const [old, young] = [paragraphsOf(before), paragraphsOf(after)]
  const runs = diffArrays([...old], [...young], { timeout: timeoutMs }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: young },
  ]
  return runs.flatMap(({ removed, added, value }, i): readonly Block[] => {
    if (!removed && !added) return [{ kind: 'same', paragraphs: value }]
    // What was removed comes before what was added in its place.
    const [before, after] = [runs[i - 1], runs[i + 1]]
    if (added && before?.removed) return []
    const [from, to] = removed ? [value, after?.added ? after.value : []] : [[], value]
    const pieces = compareWords(from.join(betweenParagraphs), to.join(betweenParagraphs))
    // One text in place of the other stands in a paragraph of its own.
    const isReplaced = pieces.every(({ kind }) => kind !== 'same')
    return isReplaced ? pieces.map((each) => ({ kind: 'changed', pieces: [each] })) : [{ kind: 'changed', pieces }]
  })
}

/** One value in place of another. */
export function replace(before: string, after: string): readonly Piece[] {
  return [piece('removed', before), piece('added', after)].filter(({ text }) => text !== '')
}

/** Two short texts, word by word. */
export function compareWords(before: string, after: string): readonly Piece[] {
  const replaced = replace(before, after)
  if (replaced.length < 2) return replaced
  const words = diffWordsWithSpace(before, after, { timeout: timeoutMs })
  const pieces = words?.map(({ added, removed, value }) => piece(added ? 'added' : removed ? 'removed' : 'same', value)) ?? []
  const shared = pieces.filter(({ kind }) => kind === 'same').reduce((sum, { text }) => sum + text.length, 0)
  return shared < leastShared * Math.max(before.length, after.length) ? replaced : pieces
}

const piece = (kind: Piece['kind'], text: string): Piece => ({ kind, text })

/** What stands between empty lines. */
function paragraphsOf(text: string): readonly string[] {
  const lines = text.replaceAll('\r\n', '\n').replace(/^\s*\n/, '')
  return lines
    .trimEnd()
    .split(/\n\s*\n/)
    .filter(Boolean)
}
