import { diffArrays } from 'diff'
import { changedFields, type Edited, type EditFields, type FieldName, fieldNames, isSame } from '../../../api/edits.ts'
import type { KeptEdit } from '../../../api/kept.ts'

/** A stretch of text: either settled, or changed by both so that somebody has to choose. */
export type Part = { readonly text: string } | { readonly mine: string; readonly theirs: string }

/** A field that both have changed. */
export interface Conflict {
  readonly field: FieldName
  readonly mine: unknown
  readonly theirs: unknown
  /** Of the text, paragraph by paragraph. */
  readonly parts?: readonly Part[]
}

/** What two have changed, waiting for a choice. */
export interface Dispute {
  readonly conflicts: readonly Conflict[]
  readonly theirs: Edited
  /** The post itself was changed, not its pending edit. */
  readonly isPost: boolean
}

export interface Merged {
  readonly fields: EditFields
  readonly conflicts: readonly Conflict[]
}

/** Takes over what only one side has changed, field by field and, in the text, paragraph by paragraph. */
export function mergeFields(base: EditFields, mine: EditFields, theirs: EditFields): Merged {
  const conflicts: Conflict[] = []
  const merged = fieldNames.map((field) => {
    if (isSame(mine[field], theirs[field]) || isSame(theirs[field], base[field])) return [field, mine[field]]
    if (isSame(mine[field], base[field])) return [field, theirs[field]]
    if (field !== 'content') {
      conflicts.push({ field, mine: mine[field], theirs: theirs[field] })
      return [field, mine[field]]
    }
    const parts = mergeText(base.content, mine.content, theirs.content)
    if (parts.some((part) => !('text' in part))) conflicts.push({ field, mine: mine.content, theirs: theirs.content, parts })
    return [field, parts.map((part) => ('text' in part ? part.text : part.mine)).join('')]
  })
  return { fields: Object.fromEntries(merged) as EditFields, conflicts }
}

/** What was written here and not saved, with what Verso has by now. */
export function mergeKept({ fields, saved, sent, version }: KeptEdit, now: EditFields, nowVersion: number | undefined): Merged {
  const isOurs = version === nowVersion || (sent !== undefined && Object.keys(changedFields(sent, now)).length === 0)
  return mergeFields(isOurs ? now : saved, fields, now)
}

/** Paragraphs with the blank lines after them, so that together they are the text, byte for byte. */
export function paragraphsOf(text: string): readonly string[] {
  return text.match(/[\s\S]*?\n(?:[ \t]*\r?\n)+|[\s\S]+$/g) ?? []
}

/** What stands in place of the base's paragraphs `from` to `to`. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function editsOf(base: readonly string[], changed: readonly string[]): readonly Edit[] {
  const edits: Edit[] = []
  let at = 0
  let open: Edit | undefined
  for (const { added, removed, value } of diffArrays([...base], [...changed])) {
    if (!added && !removed) {
      if (open) edits.push(open)
      open = undefined
      at += value.length
      continue
    }
    open ??= { from: at, to: at, text: '' }
    if (removed) {
      at += value.length
      open = { ...open, to: at }
    } else open = { ...open, text: open.text + value.join('') }
  }
  return open ? [...edits, open] : edits
}

/** A merge of two texts that come from one. Stretches that both changed differently are left to choose. */
export function mergeText(base: string, mine: string, theirs: string): readonly Part[] {
  const paragraphs = paragraphsOf(base)
  const [ours, others] = [editsOf(paragraphs, paragraphsOf(mine)), editsOf(paragraphs, paragraphsOf(theirs))]
  const parts: Part[] = []
  const settle = (text: string) => {
    const last = parts.at(-1)
    if (last && 'text' in last) parts[parts.length - 1] = { text: last.text + text }
    else if (text !== '') parts.push({ text })
  }
  let at = 0
  while (at <= paragraphs.length) {
    const starts = [...ours, ...others].filter(({ from }) => from >= at).map(({ from }) => from)
    if (starts.length === 0) break
    const from = Math.min(...starts)
    settle(paragraphs.slice(at, from).join(''))
    const to = reach(from, ours, others)
    const within = ({ from: start, to: end }: Edit) => start >= from && end <= to && (start < to || start === from)
    const replaced = (edits: readonly Edit[]) => replace(paragraphs, { from, to }, edits.filter(within))
    const [left, right, before] = [replaced(ours), replaced(others), paragraphs.slice(from, to).join('')]
    if (left === right || right === before) settle(left)
    else if (left === before) settle(right)
    else parts.push({ mine: left, theirs: right })
    at = Math.max(to, from)
    if (to === from) {
      // Something was put in between: go on behind it.
      settle(paragraphs.slice(at, at + 1).join(''))
      at += 1
    }
  }
  settle(paragraphs.slice(at).join(''))
  return parts
}

/** How far the edits that touch each other reach, beginning with those at `from`. */
function reach(from: number, ours: readonly Edit[], others: readonly Edit[]): number {
  let to = from
  for (;;) {
    const further = [...ours, ...others].filter((edit) => edit.from >= from && (edit.from < to || edit.from === from) && edit.to > to)
    if (further.length === 0) return to
    to = Math.max(...further.map((edit) => edit.to))
  }
}

function replace(
  paragraphs: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  edits: readonly Edit[],
): string {
  let text = ''
  let at = from
  for (const edit of edits) {
    text += paragraphs.slice(at, edit.from).join('') + edit.text
    at = edit.to
  }
  return text + paragraphs.slice(at, to).join('')
}
