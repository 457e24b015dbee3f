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
  const slice = (from: number, to?: number) => paragraphs.slice(from, to).join('')
  const [ours, others] = [editsOf(paragraphs, paragraphsOf(mine)), editsOf(paragraphs, paragraphsOf(theirs))]
  const parts: Part[] = []
  const settle = (text: string) => {
    const last = parts.at(-1)
    if (last && 'text' in last) parts[parts.length - 1] = { text: last.text + text }
    else if (text !== '') parts.push({ text })
  }
  let at = 0
  for (const { from, to } of touching([...ours, ...others])) {
    const edited = (edits: readonly Edit[]) => {
      let [text, next] = ['', from]
      for (const edit of edits.filter((each) => each.from === from || (each.from > from && each.from < to))) {
        text += slice(next, edit.from) + edit.text
        next = edit.to
      }
      return text + slice(next, to)
    }
    const [left, right, before] = [edited(ours), edited(others), slice(from, to)]
    settle(slice(at, from))
    if (left === right || right === before) settle(left)
    else if (left === before) settle(right)
    else parts.push({ mine: left, theirs: right })
    at = to
  }
  settle(slice(at))
  return parts
}

/** The stretches that edits cover which begin at one place or reach into each other. */
function touching(edits: readonly Edit[]): readonly Pick<Edit, 'from' | 'to'>[] {
  const stretches: { from: number; to: number }[] = []
  for (const { from, to } of edits.toSorted((a, b) => a.from - b.from)) {
    const last = stretches.at(-1)
    if (last && (from < last.to || from === last.from)) last.to = Math.max(last.to, to)
    else stretches.push({ from, to })
  }
  return stretches
}
