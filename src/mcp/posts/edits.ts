import { shortTurns } from '../../values/event-loop.ts'
import { quoted } from '../data-text.ts'

/** An exact text that an edit replaces. */
interface TextEdit {
  readonly old: string
  readonly new: string
}

/** A text with its edits, or why each that does not fit does not. */
type Edited = { readonly text: string } | { readonly faults: readonly string[] }

interface Placed extends TextEdit {
  readonly at: number
}

/**
 * Replaces each old text by its new one, all at once. Each must occur exactly once in the text as it was read; plain line breaks also stand for
 * those of Windows, since that is how agents write them.
 */
export async function applyEdits(text: string, edits: readonly TextEdit[]): Promise<Edited> {
  const giveWay = shortTurns()
  const placed: Placed[] = []
  const faults: string[] = []
  for (const [i, asked] of edits.entries()) {
    await giveWay()
    const edit = withLineBreaksOf(text, asked)
    const places = firstTwo(text, edit.old)
    const fault = faultOf(text, edit, places.length)
    if (fault !== undefined) faults.push(`Edit ${i + 1}, old ${quoted(asked.old, 80)}: ${fault}`)
    placed.push({ ...edit, at: places[0] ?? 0 })
  }
  placed.sort((a, b) => a.at - b.at)
  const overlap = placed.find(({ at }, i) => i > 0 && at < endOf(placed[i - 1]))
  if (faults.length === 0 && overlap) return { faults: [`The edits overlap at ${quoted(overlap.old, 80)}: make one of them.`] }
  return faults.length > 0 ? { faults } : { text: replaced(text, placed) }
}

/** The edit as it is, if its old text occurs so or if the text has no line breaks of Windows. */
function withLineBreaksOf(text: string, edit: TextEdit): TextEdit {
  if (!text.includes('\r\n') || firstTwo(text, edit.old).length > 0) return edit
  return { old: edit.old.replace(/\r?\n/g, '\r\n'), new: edit.new.replace(/\r?\n/g, '\r\n') }
}

function replaced(text: string, placed: readonly Placed[]): string {
  let done = ''
  let from = 0
  for (const { at, old, new: young } of placed) {
    done += text.slice(from, at) + young
    from = at + old.length
  }
  return done + text.slice(from)
}

function endOf(edit: Placed | undefined): number {
  return edit ? edit.at + edit.old.length : 0
}

function faultOf(text: string, { old, new: young }: TextEdit, places: number): string | undefined {
  if (old === '') return text === '' ? undefined : 'an empty text fits only where the post has no text yet.'
  if (places === 0) return 'it does not occur. Copy it exactly from read_post, with its spaces and line breaks.'
  if (places > 1) return 'it occurs more than once. Take in more of the text around it.'
  return old === young ? 'old and new are the same.' : undefined
}

/**
 * The first two places of a text in another, which may overlap, after Knuth, Morris and Pratt: in time that grows with both lengths. `indexOf`
 * took two minutes for half a million equal letters with another in their middle.
 */
export function firstTwo(text: string, sought: string): readonly number[] {
  if (sought === '' || sought.length > text.length) return []
  const borders = bordersOf(sought)
  const places: number[] = []
  for (let at = 0, matched = 0; at < text.length && places.length < 2; at++) {
    while (matched > 0 && text.charCodeAt(at) !== sought.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (text.charCodeAt(at) === sought.charCodeAt(matched)) matched++
    if (matched < sought.length) continue
    places.push(at - matched + 1)
    matched = borders[matched - 1] ?? 0
  }
  return places
}

/** For each beginning of a text, the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}
