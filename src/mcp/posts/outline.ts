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

/** The sections of a Markdown text, in their order. A text that begins with a heading has no section 0. */
export function outlineOf(text: string): readonly Section[] {
  const headings = headingsIn(text)
  const first = headings[0]?.start ?? text.length
  const intro: readonly Section[] = text.slice(0, first).trim() === '' ? [] : [{ number: 0, level: 0, title: '', start: 0, end: first }]
  const sections = headings.map((heading, i) => {
    const next = headings.slice(i + 1).find(({ level }) => level <= heading.level)
    return { number: i + 1, ...heading, end: next?.start ?? text.length }
  })
  return [...intro, ...sections]
}

/** Headings of `#` (ATX) and underlined ones (setext), but not those in code. Reads each line once. */
function headingsIn(text: string): readonly Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  let before = { line: '', start: 0 }
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + longestLine))
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else {
      const atx = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)
      if (atx?.[1]) headings.push({ level: atx[1].length, title: line.slice(atx[0].length).trim(), start })
      else if (before.line.trim() !== '' && /^(?:=+|-+)$/.test(line.trim()) && !/^ {0,3}(?:[-*+>#|]|\d)/.test(before.line))
        headings.push({ level: line.includes('=') ? 1 : 2, title: before.line.trim(), start: before.start })
    }
    before = { line: mark === undefined && fence === undefined && !/^ {0,3}#/.test(line) ? line : '', start }
    start = end + 1
  }
  return headings
}

/** Longer lines are no headings that anybody reads. */
const longestLine = 500

/** The section with this number or title. */
export function findSection(sections: readonly Section[], asked: string): Section | undefined {
  const wanted = asked.replace(/^#+/, '').trim().toLowerCase()
  return sections.find(({ number }) => String(number) === wanted) ?? sections.find(({ title }) => title.toLowerCase() === wanted)
}
