import { diffArrays } from 'diff'
import { type Edited, type EditFields, type FieldName, fieldNames, isSame } from '../../../api/edits.ts'

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

/** What both sides come to: that of the side that has changed it. Nothing where each has changed it in its own way. */
function agreed<T>(base: T | undefined, mine: T, theirs: T): { readonly value: T } | undefined {
  if (isSame(mine, theirs) || isSame(theirs, base)) return { value: mine }
  return isSame(mine, base) ? { value: theirs } : undefined
}

/** Takes over what only one side has changed, field by field and, in the text, paragraph by paragraph. What both have changed stays mine. */
export function mergeFields(base: EditFields, mine: EditFields, theirs: EditFields) {
  const conflicts: Conflict[] = []
  const merged = fieldNames.map((field) => {
    const result = agreed<unknown>(base[field], mine[field], theirs[field])
    if (result) return [field, result.value]
    const conflict = { field, mine: mine[field], theirs: theirs[field] }
    const parts = field === 'content' ? mergeText(base.content, mine.content, theirs.content) : undefined
    if (!parts) conflicts.push(conflict)
    else if (parts.some((part) => !('text' in part))) conflicts.push({ ...conflict, parts })
    return [field, parts ? parts.map((part) => ('text' in part ? part.text : part.mine)).join('') : mine[field]]
  })
  return { fields: Object.fromEntries(merged) as EditFields, conflicts }
}

/** Paragraphs with the blank lines after them, so that together they are the text, byte for byte. */
export function paragraphsOf(text: string): readonly string[] {
  return text.match(/[\s\S]*?\n(?:[ \t]*\r?\n)+|[\s\S]+$/g) ?? []
}

/** What a changed text has before each paragraph, in its place, and at the end: `['', 'A.', '', 'B.', '']` where nothing has changed. */
function placesIn(changed: string, paragraphs: readonly string[]): readonly string[] {
  const places = [...paragraphs.flatMap((paragraph) => ['', paragraph]), '']
  let at = 0
  let isReplacing = false
  for (const { added, removed, value } of diffArrays([...paragraphs], [...paragraphsOf(changed)])) {
    const next = added ? at : at + 2 * value.length
    if (removed) places.fill('', at, next)
    if (added) places[isReplacing ? at - 1 : at] = value.join('')
    isReplacing = removed
    at = next
  }
  return places
}

/** A merge of two texts that come from one. Places that both changed differently are left to choose. */
export function mergeText(base: string, mine: string, theirs: string): readonly Part[] {
  const paragraphs = paragraphsOf(base)
  const [before, others] = [placesIn(base, paragraphs), placesIn(theirs, paragraphs)]
  const parts: Part[] = []
  for (const [i, ours] of placesIn(mine, paragraphs).entries()) {
    const other = others[i] ?? ''
    const result = agreed(before[i], ours, other)
    const last = parts.at(-1)
    if (!result) parts.push({ mine: ours, theirs: other })
    else if (last && 'text' in last) parts[parts.length - 1] = { text: last.text + result.value }
    else if (result.value !== '') parts.push({ text: result.value })
  }
  return parts
}
