import { type FieldMap, type FrontMatterFormat, layered } from '../../front-matter/field-value.ts'
import { doubtAbout } from '../../front-matter/half-read.ts'
import { parseFrontMatter } from '../../front-matter/parse-front-matter.ts'
import { splitFrontMatter } from '../../front-matter/split-front-matter.ts'
import { isTextFault, type Note, type TextFault } from '../../source-post.ts'
import { factsOf, type PathFacts } from '../file-path.ts'
import type { Timezone } from './timezone.ts'

/** A file that may be a post, and its surroundings. */
export interface PostFile {
  readonly path: string
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly hash: string
  readonly text: string
  /** Defaults from the data files of its folders. */
  readonly folderFields: FieldMap
  /** Whether there are other posts beside or below it. */
  readonly isAmongPosts: boolean
  /** Whether it belongs to the post of an `index` file beside it. */
  readonly isInBundle: boolean
}

/** A parsed file, from which the fields of a post are read. */
export interface PostReading {
  readonly file: PostFile
  readonly facts: PathFacts
  readonly format: FrontMatterFormat
  /** Of the post, then of its folders. */
  readonly fields: FieldMap
  /** The line of each field in the file. */
  readonly lines: ReadonlyMap<string, number>
  readonly body: string
  /** For dates without an offset. */
  readonly timezone: Timezone
  readonly note: Note
  readonly notes: readonly string[]
  /** Why there may be metadata that were not read. */
  readonly doubt: string | undefined
}

export function openPost(file: PostFile, timezone: Timezone): PostReading | TextFault {
  const matter = splitFrontMatter(file.text)
  if (isTextFault(matter)) return matter
  const parsed = parseFrontMatter(matter)
  if (isTextFault(parsed)) return parsed
  const notes: string[] = [...parsed.notes]
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
    doubt: doubtAbout(matter),
  }
}

/** A fault of a field, with the line of the field. */
export function faultOf({ lines }: PostReading, fieldName: string, fault: string): TextFault {
  return { fault, line: lines.get(fieldName) ?? null }
}
