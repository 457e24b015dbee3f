import { shortTurns } from '../../values/event-loop.ts'

/** A part of a text under a heading, with the parts of its deeper headings. */
export interface Section {
  /** Its number in the outline: `0` for what is before the first heading. */
  readonly number: number
  readonly level: number
  readonly title: string
  /** Where it begins and ends in the text. */
  readonly start: number
  readonly end: number
}

interface Heading {
  readonly level: number
  readonly title: string
  readonly start: number
}

/** The most headings of an outline; the rest belongs to the last of them. */
const mostHeadings = 1_000

/** The sections of a Markdown text, in their order. A text that begins with a heading has no section 0. */
export async function outlineOf(text: string): Promise<readonly Section[]> {
  const headings = await headingsIn(text)
  const first = headings[0]?.start ?? text.length
  const intro: readonly Section[] = text.slice(0, first).trim() === '' ? [] : [{ number: 0, level: 0, title: '', start: 0, end: first }]
  const sections = headings.map((heading, i) => ({ number: i + 1, ...heading, end: endOf(headings, i, text) }))
  return [...intro, ...sections]
}

function endOf(headings: readonly Heading[], i: number, text: string): number {
  const level = headings[i]?.level ?? 0
  for (let next = i + 1; next < headings.length; next++) {
    const heading = headings[next]
    if (heading && heading.level <= level) return heading.start
  }
  return text.length
}

/** Longer lines are no headings that anybody reads. */
const longestLine = 500

/** Headings of `#` (ATX) and underlined ones (setext), but not those in code. Reads each line once, and lets others in between. */
async function headingsIn(text: string): Promise<readonly Heading[]> {
  const giveWay = shortTurns()
  const headings: Heading[] = []
  let fence: string | undefined
  /** Where the line before begins, if it can be a heading that is underlined. */
  let before = -1
  for (let start = 0, lines = 0; start < text.length && headings.length < mostHeadings; lines++) {
    if (lines % 1_000 === 999) await giveWay()
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + longestLine)).trimEnd()
    // What follows three backticks has none, or it is code within a line.
    const mark = /^ {0,3}(`{3,}(?![^`]*`)|~{3,}|#{1,6}(?=[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/.exec(line)?.[1] ?? ''
    const isCode = /^[`~]/.test(mark)
    if (fence !== undefined) {
      if (isCode && mark.startsWith(fence) && line.trim() === mark) fence = undefined
    } else if (isCode) fence = mark
    else if (mark.startsWith('#')) headings.push({ level: mark.length, title: opened(line.slice(line.indexOf(mark) + mark.length)), start })
    else if (mark !== '' && before >= 0) {
      const title = text.slice(before, Math.min(start - 1, before + longestLine)).trim()
      headings.push({ level: mark.startsWith('=') ? 1 : 2, title, start: before })
    }
    before = mark === '' && fence === undefined && /^ {0,3}[^\s\d*+>#|-]/.test(line) ? start : -1
    start = end + 1
  }
  return headings
}

/** What stands in a heading of `#`, without the `#` that may close it. */
function opened(text: string): string {
  return text
    .trim()
    .replace(/(?<![^ \t])#+$/, '')
    .trim()
}

/** The section with this number or title. */
export function findSection(sections: readonly Section[], asked: string): Section | undefined {
  const wanted = opened(asked.replace(/^#{1,6}/, '')).toLowerCase()
  return sections.find(({ number }) => String(number) === wanted) ?? sections.find(({ title }) => opened(title).toLowerCase() === wanted)
}
