import type { Instant } from '../../../values/instant.ts'
import { type FieldMap, type FieldValue, type FrontMatterFormat, isFieldList, layered } from '../../front-matter/field-value.ts'
import { findField } from '../../front-matter/find-field.ts'
import { doubtAbout } from '../../front-matter/half-read.ts'
import { parseFrontMatter } from '../../front-matter/parse-front-matter.ts'
import { splitFrontMatter } from '../../front-matter/split-front-matter.ts'
import { quoted } from '../../source-limits.ts'
import { isTextFault, type Note, type TextFault } from '../../source-post.ts'
import { factsOf, type PathFacts } from '../file-path.ts'
import type { Site } from '../site/site-config.ts'
import { type Timezone, utc } from './timezone.ts'

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
  /** The language that its path names. */
  readonly language: string | null
  /** Whether that is another language than its site's. */
  readonly isTranslation: boolean
  /** A file that says more of this post alone and is not read, if there is one. */
  readonly program: string | undefined
  readonly site: Site | undefined
}

/** How posts are read. */
export interface ReadSettings {
  /** For dates without an offset. Where none is given, that of the site's configuration, else UTC. */
  readonly timezone?: Timezone | undefined
  readonly now: Instant
  /** Only posts of this language are read. */
  readonly language?: string | undefined
  /** Where the site is, for addresses of pictures. */
  readonly siteUrl?: string | undefined
  /** Fields of the source by the names that they are read as. */
  readonly renamed?: ReadonlyMap<string, string> | undefined
}

/** A parsed file, from which the fields of a post are read. */
export interface PostReading {
  readonly file: PostFile
  readonly facts: PathFacts
  readonly format: FrontMatterFormat
  /** Of the post alone. */
  readonly ownFields: FieldMap
  /** Of the post, then of its folders. */
  readonly fields: FieldMap
  /** The line of each field in the file. */
  readonly lines: ReadonlyMap<string, number>
  readonly body: string
  readonly settings: ReadSettings
  /** For dates without an offset. */
  readonly timezone: Timezone
  readonly note: Note
  readonly notes: readonly string[]
  /** Counts something that is not kept or understood. */
  readonly lose: (name: string, count?: number) => void
  readonly losses: ReadonlyMap<string, number>
  /** Why there may be metadata that were not read. */
  readonly doubt: string | undefined
}

export function openPost(file: PostFile, settings: ReadSettings): PostReading | TextFault {
  const matter = splitFrontMatter(file.text)
  if (isTextFault(matter)) return matter
  const parsed = parseFrontMatter(matter)
  if (isTextFault(parsed)) return parsed
  const notes: string[] = [...parsed.notes]
  const losses = new Map<string, number>()
  const ownFields = renamed(parsed.fields, settings.renamed)
  return {
    file,
    facts: factsOf(file.path, file.language),
    format: matter.format,
    ownFields,
    fields: layered(ownFields, file.folderFields),
    lines: parsed.lines,
    body: matter.body,
    settings,
    timezone: settings.timezone ?? file.site?.timezone ?? utc,
    note: (sentence) => notes.push(sentence),
    notes,
    lose: (name, count = 1) => void (count > 0 && losses.set(name, (losses.get(name) ?? 0) + count)),
    losses,
    doubt: doubtAbout(matter) ?? (file.program && `${quoted(file.program)} may say more of it, and is not read`),
  }
}

/** A fault of a field, with the line of the field. */
export function faultOf({ lines }: PostReading, fieldName: string, fault: string): TextFault {
  return { fault, line: lines.get(fieldName) ?? null }
}

/** Gives fields the names that they are to be read as. A field that is there under that name already comes first. */
function renamed(fields: FieldMap, names: ReadSettings['renamed']): FieldMap {
  if (!names || names.size === 0) return fields
  const after = new Map(fields)
  for (const [from, to] of names) {
    const found = findField(after, [from])
    if (!found || found.name === to) continue
    after.delete(found.name)
    const there = findField(after, [to])
    if (there) after.delete(there.name)
    after.set(to, there ? [...listOf(there.value), ...listOf(found.value)] : found.value)
  }
  return after
}

function listOf(value: FieldValue): readonly FieldValue[] {
  return isFieldList(value) ? value : [value]
}
