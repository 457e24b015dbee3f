import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff'
import { ownTurn } from '../../../values/event-loop.ts'

/** The difference between two texts, line by line. */
interface LineDiff {
  readonly added: number
  readonly removed: number
  /** Hunks in the unified format, with three lines around each change. */
  readonly diff: string
}

const context = 3
/** Up to this many changed lines, the shortest diff is searched. The time grows with the square: 1,000 in 300,000 lines took 0.6 s. */
const maxEdits = 500
/** The shortest diff is only searched where the differing parts have this many lines together. */
const maxSearchedLines = 10_000
const newline = 0x0a

/**
 * The diff of two texts, if they differ. Texts with little in common are shown as one replaced by the other, between what they share. Other
 * requests have their turns meanwhile.
 */
export async function lineDiff(before: string, after: string): Promise<LineDiff | undefined> {
  if (before === after) return undefined
  await ownTurn()
  const start = commonStart(before, after)
  const end = commonEnd(before, after, start)
  const shortest = await searched(before, after, { start, end })
  await ownTurn()
  return shortest ? ofWhole(before, shortest) : replaced(before, after, { start, end })
}

/** How many characters of whole lines two texts share at their start and at their end. */
interface Common {
  readonly start: number
  readonly end: number
}

interface Shortest extends StructuredPatch {
  /** Where in the first text the search began. */
  readonly from: number
}

/** The shortest diff; undefined if it would take too long to find. */
async function searched(before: string, after: string, { start, end }: Common): Promise<Shortest | undefined> {
  const from = linesBefore(before, start)
  const shared = end - linesAfter(before, before.length - end)
  const [old, young] = [before.slice(from, before.length - shared), after.slice(from, after.length - shared)]
  if (countLines(old) + countLines(young) > maxSearchedLines) return undefined
  // With a callback, each step of the search has a turn of its own in the event loop.
  const shortest = await new Promise<StructuredPatch | undefined>((callback) =>
    structuredPatch('', '', old, young, '', '', { context, maxEditLength: maxEdits, callback }),
  )
  return shortest && { ...shortest, from }
}

/** The shortest diff of the parts that were searched as one of the whole texts. */
function ofWhole(before: string, shortest: Shortest): LineDiff {
  const skipped = countLines(before.slice(0, shortest.from))
  const hunks = shortest.hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + skipped, newStart: hunk.newStart + skipped }))
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length
  const names = { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '' }
  return { added: count('+'), removed: count('-'), diff: formatPatch({ ...names, hunks }, OMIT_HEADERS) }
}

/** One hunk that replaces everything between what the texts share. Written without arrays of lines: a text can have a million. */
async function replaced(before: string, after: string, { start, end }: Common): Promise<LineDiff> {
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const [removed, added] = [countLines(old), countLines(young)]
  const first = countLines(before.slice(0, start)) + 1
  const range = (lines: number) => `${lines === 0 ? first - 1 : first}${lines === 1 ? '' : `,${lines}`}`
  const oldLines = signed('-', old)
  await ownTurn()
  return { added, removed, diff: `@@ -${range(removed)} +${range(added)} @@\n${oldLines}${signed('+', young)}` }
}

/** The length of the lines that both texts begin with. */
function commonStart(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at++
  return at === 0 ? 0 : before.lastIndexOf('\n', at - 1) + 1
}

/** The length of the lines that both texts end with, after their common start. */
function commonEnd(before: string, after: string, start: number): number {
  const shorter = Math.min(before.length, after.length) - start
  let length = 0
  while (length < shorter && before.charCodeAt(before.length - 1 - length) === after.charCodeAt(after.length - 1 - length)) length++
  const isLineStart = (text: string) => text.length === length || text.charCodeAt(text.length - 1 - length) === newline
  if (isLineStart(before) && isLineStart(after)) return length
  // The first of these lines differs before what is shared of it.
  const lineEnd = before.indexOf('\n', before.length - length)
  return lineEnd < 0 || length === 0 ? 0 : before.length - lineEnd - 1
}

/** Where the lines of context before a place begin. */
function linesBefore(text: string, place: number): number {
  let from = place
  for (let line = 0; line < context && from > 0; line++) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1
  return from
}

/** The length of the lines of context after a place. */
function linesAfter(text: string, place: number): number {
  let to = place
  for (let line = 0; line < context && to < text.length; line++) to = text.indexOf('\n', to) < 0 ? text.length : text.indexOf('\n', to) + 1
  return to - place
}

/** A line without a line end, which only the last one of a text can be, counts too. */
function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text === '' || text.endsWith('\n') ? lines : lines + 1
}

/** The lines of a text, each after a sign. */
function signed(sign: '-' | '+', text: string): string {
  if (text === '') return ''
  const bytes = Buffer.from(text)
  const out = Buffer.allocUnsafe(bytes.length * 2)
  const code = sign.charCodeAt(0)
  let length = 0
  let isLineStart = true
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (isLineStart) out[length++] = code
    out[length++] = byte
    isLineStart = byte === newline
  }
  const lines = out.toString('utf8', 0, length)
  return isLineStart ? lines : `${lines}\n\\ No newline at end of file\n`
}
