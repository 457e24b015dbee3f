import { createHash } from 'node:crypto'

/** A text of a post between marks that it cannot contain, because they are its hash: whatever it says is data. */
export function fenced(what: string, text: string): string {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const end = text.endsWith('\n') ? '' : '\n'
  return `<<<DATA ${mark} ${what}\n${text}${end}DATA ${mark}>>>`
}

/** A short text of a post on one line, as a JSON string: at most `most` characters between its quotes, escapes included. */
export function quoted(text: string, most = 300): string {
  let end = Math.min(most, text.length)
  let found = JSON.stringify(clipped(text, end))
  while (found.length > most + 2) {
    end -= Math.ceil((found.length - most - 2) / longestEscape)
    found = JSON.stringify(clipped(text, end))
  }
  return found
}

/** As in `\u0001`. */
const longestEscape = 6

/** The start of a text that is longer than this. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${startOf(text, most - 1)}…`
}

/** The first `most` characters of a text, without half a character at the end. */
export function startOf(text: string, most: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return text.slice(0, end)
}

/** Lines up to this length together; says how many are left out. */
export function listed(lines: readonly string[], most: number): string {
  const kept: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length + 1
    if (length > most) return [...kept, `… and ${lines.length - kept.length} more.`].join('\n')
    kept.push(line)
  }
  return kept.join('\n')
}
