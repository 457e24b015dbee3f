import { clipped, quoted } from '../data-text.ts'

/** An exact text that an edit replaces. */
export interface TextEdit {
  readonly old: string
  readonly new: string
}

/** A text with its edits, or why each that does not fit does not. */
export type Edited = { readonly text: string } | { readonly faults: readonly string[] }

interface Placed extends TextEdit {
  readonly at: number
}

/** Replaces each old text by its new one, all at once. Each must occur exactly once in the text as it was read. */
export function applyEdits(text: string, edits: readonly TextEdit[]): Edited {
  const placed = edits.map((edit): Placed => ({ ...edit, at: text.indexOf(edit.old) })).sort((a, b) => a.at - b.at)
  const faults = edits.flatMap((edit, i) => {
    const fault = faultOf(text, edit)
    return fault === undefined ? [] : [`Edit ${i + 1}, old ${quoted(edit.old, 80)}: ${fault}`]
  })
  const overlap = placed.find(({ at }, i) => i > 0 && at < endOf(placed[i - 1]))
  if (faults.length === 0 && overlap) return { faults: [`The edits overlap at ${quoted(clipped(overlap.old, 80))}: make one of them.`] }
  if (faults.length > 0) return { faults }
  let done = ''
  let from = 0
  for (const { at, old, new: young } of placed) {
    done += text.slice(from, at) + young
    from = at + old.length
  }
  return { text: done + text.slice(from) }
}

function endOf(edit: Placed | undefined): number {
  return edit ? edit.at + edit.old.length : 0
}

function faultOf(text: string, { old, new: young }: TextEdit): string | undefined {
  if (old === '' && text !== '') return 'an empty text fits only where the post has no text yet.'
  const at = text.indexOf(old)
  if (at < 0) return 'it does not occur. Copy it exactly from read_post, with its spaces and line breaks.'
  if (old !== '' && text.indexOf(old, at + 1) >= 0) return 'it occurs more than once. Take in more of the text around it.'
  return old === young ? 'old and new are the same.' : undefined
}
