import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff'

/** The difference between two texts, line by line. */
interface LineDiff {
  readonly added: number
  readonly removed: number
  /** Hunks in the unified format, with three lines around each change. */
  readonly diff: string
}

interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: string[]
}

const context = 3
/** Up to this many changed lines, the shortest diff is searched. The time grows with the square: 1,000 in 300,000 lines took 0.6 s. */
const maxEdits = 500

/** The diff of two texts, if they differ. Texts with little in common are shown as one replaced by the other. */
export function lineDiff(before: string, after: string): LineDiff | undefined {
  if (before === after) return undefined
  const shortest = structuredPatch('', '', before, after, '', '', { context, maxEditLength: maxEdits })
  const hunks: Hunk[] = shortest?.hunks ?? [replacement(linesOf(before), linesOf(after))]
  const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length
  const names = { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '' }
  return { added: count('+'), removed: count('-'), diff: formatPatch({ ...names, hunks }, OMIT_HEADERS) }
}

/** One hunk that replaces everything between the common first lines and the common last lines. */
function replacement(before: readonly string[], after: readonly string[]): Hunk {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const removed = before.slice(start, before.length - end)
  const added = after.slice(start, after.length - end)
  const lines = [...signed('-', removed), ...signed('+', added)]
  return { oldStart: start + 1, oldLines: removed.length, newStart: start + 1, newLines: added.length, lines }
}

/** Only the last line of a text can lack a line end. */
function signed(sign: string, lines: readonly string[]): string[] {
  const unended = lines.at(-1)?.endsWith('\n') === false
  const marked = lines.map((line) => sign + line.replace(/\n$/, ''))
  return unended ? [...marked, '\\ No newline at end of file'] : marked
}

/** Lines with their line ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
