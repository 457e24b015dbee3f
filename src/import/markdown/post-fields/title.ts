import { codePointLength } from '../../../values/code-points.ts'
import { findField } from '../../front-matter/find-field.ts'
import { sourceLimits } from '../../source-limits.ts'
import type { TextFault } from '../../source-post.ts'
import { faultOf, type PostReading } from './parsed-post.ts'

const codeFence = /^ {0,3}(`{3,}|~{3,})/
const underline = /^ {0,3}=+$/
const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/s

/** The title of front matter, else the first heading, else the name of the file. */
export function titleOf(reading: PostReading): string | TextFault {
  const field = findField(reading.fields, ['title'])
  const given = field?.value ?? ''
  if (typeof given !== 'string') return faultOf(reading, field?.name ?? '', 'the title is no text')
  const title = oneLine(given) || firstHeading(reading.body) || titleFrom(reading.facts.name)
  if (title === '') return { fault: 'there is no title, no heading and no file name to take one from', line: null }
  const length = codePointLength(title)
  if (length > sourceLimits.titleLength) {
    return faultOf(reading, field?.name ?? '', `the title has ${length} characters, more than ${sourceLimits.titleLength}`)
  }
  if (!field) reading.note('no title is given; it was taken from the first heading or the file name')
  return title
}

/** The first heading outside code, `# …` or underlined with `===`; empty if there is none. */
function firstHeading(body: string): string {
  let fence = ''
  let previous = ''
  for (const line of body.split('\n').map((text) => text.trimEnd())) {
    const mark = codeFence.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    if (fence !== '') continue
    const text = underline.test(line) ? previous.trim() : withoutMarks(heading.exec(line)?.[1] ?? '')
    if (text !== '') return text
    previous = line
  }
  return ''
}

/** Removes a closing `##` and `{#name}` from a heading. */
function withoutMarks(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  const closed = end === 0 || text[end - 1] === ' ' ? text.slice(0, end) : text
  return closed.replace(/\{#[^{}]*\}$/, '').trim()
}

function oneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

function titleFrom(fileName: string): string {
  const words = fileName.replace(/[-_\s]+/g, ' ').trim()
  return words.replace(/^./u, (letter) => letter.toUpperCase())
}
