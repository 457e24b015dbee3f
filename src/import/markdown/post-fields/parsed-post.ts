import { type FieldMap, layered } from '../../front-matter/field-value.ts'
import { parseFrontMatter } from '../../front-matter/parse-front-matter.ts'
import { type FrontMatterFormat, splitFrontMatter } from '../../front-matter/split-front-matter.ts'
import { isTextFault, type Note, type TextFault } from '../../source-post.ts'
import { factsOf, type PathFacts } from '../file-path.ts'
import type { Timezone } from './timezone.ts'

/** A file that may be a post, and what lies around it. */
export interface PostFile {
  readonly path: string
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string
  readonly text: string
  /** What the data files of its folders say of every post in them. */
  readonly folderFields: FieldMap
  /** Whether other posts lie beside or below it. */
  readonly isAmongPosts: boolean
  /** Whether an `index` beside it is the post that this file belongs to. */
  readonly isInBundle: boolean
}

/** What the answers about a post are read from. */
export interface PostReading {
  readonly file: PostFile
  readonly facts: PathFacts
  readonly format: FrontMatterFormat
  /** Of the post, then of its folders. */
  readonly fields: FieldMap
  /** On which line of the file a field stands. */
  readonly lines: ReadonlyMap<string, number>
  readonly body: string
  /** For dates without an offset. */
  readonly timezone: Timezone
  readonly note: Note
  readonly notes: readonly string[]
}

export function openPost(file: PostFile, timezone: Timezone): PostReading | TextFault {
  const matter = splitFrontMatter(file.text)
  if (isTextFault(matter)) return matter
  const parsed = parseFrontMatter(matter)
  if (isTextFault(parsed)) return parsed
  const notes: string[] = []
  return {
    file,
    facts: factsOf(file.path),
    format: matter.format,
    fields: layered(parsed.fields, file.folderFields),
    lines: parsed.lines,
    body: matter.body,
    timezone,
    note: (sentence) => notes.push(sentence),
    notes,
  }
}

/** A fault of one field, on the field's line. */
export function faultOf({ lines }: PostReading, fieldName: string, fault: string): TextFault {
  return { fault, line: lines.get(fieldName) ?? null }
}
