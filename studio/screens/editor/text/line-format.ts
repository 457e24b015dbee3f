import type { EditorState, TransactionSpec } from '@codemirror/state'

/** The signs that a line begins with, and those that each takes the place of. */
const replaced = {
  '## ': /^#{1,6} /,
  '> ': /^> ?/,
  '- ': /^(?:[-*+]|\d+[.)]) /,
  '1. ': /^(?:[-*+]|\d+[.)]) /,
} as const

export type LineSign = keyof typeof replaced

/** Begins each selected line with a sign, behind its indent; or takes it away, where all have it. */
export function begun(state: EditorState, sign: LineSign): TransactionSpec {
  const { doc, selection } = state
  const { main } = selection
  const [first, last] = [doc.lineAt(main.from).number, doc.lineAt(main.to).number]
  const lines = Array.from({ length: last - first + 1 }, (_, i) => doc.line(first + i))
  const chosen = lines
    .filter(({ text }) => first === last || text.trim() !== '')
    .map(({ from, text }) => ({ from: from + text.length - text.trimStart().length, text: text.trimStart() }))
  const isOn = chosen.every(({ text }) => text.startsWith(sign))
  const edits = chosen.map(({ from, text }) => {
    const old = replaced[sign].exec(text)?.[0] ?? ''
    return { from, to: from + old.length, insert: isOn ? '' : sign }
  })
  const changes = state.changes(edits)
  // One goes on behind the sign.
  return { changes, selection: selection.map(changes, 1) }
}
