import { textOf } from '../../front-matter/find-field.ts'
import { sourceLimits } from '../../source-limits.ts'
import { type Flaw, isFlaw, type SkipReason, type SourceAuthor, type SourceItem, type SourcePost } from '../../source-post.ts'
import { type AuthorLookup, authorsOf } from './authors.ts'
import { quoted } from './clean-values.ts'
import { dateOf, isDraft, type SourceDate, updatedOf } from './date-and-status.ts'
import { openPost, type PostFile, type PostReading } from './parsed-post.ts'
import { excerptOf, seoOf } from './seo.ts'
import { reasonToSkip } from './skip-rules.ts'
import { addressOf, aliasesOf } from './slug-and-aliases.ts'
import { categoriesOf, tagsOf } from './tags-and-categories.ts'
import type { Timezone } from './timezone.ts'
import { titleOf } from './title.ts'

export interface PostSettings {
  /** For dates without an offset. */
  readonly timezone: Timezone
  readonly lookup: AuthorLookup
}

/** The post that a file holds, or why it holds none. */
export function toSourcePost(file: PostFile, { timezone, lookup }: PostSettings): SourceItem {
  const reading = openPost(file, timezone)
  const result = isFlaw(reading) ? reading : readPost(reading, lookup)
  if (typeof result === 'string') return { kind: 'skip', path: file.path, reason: result }
  return isFlaw(result) ? { kind: 'fault', path: file.path, line: result.line, message: result.flaw } : result
}

function readPost(reading: PostReading, lookup: AuthorLookup): SourcePost | SkipReason | Flaw {
  const date = dateOf(reading)
  if (isFlaw(date)) return date
  const reason = reasonToSkip(reading, date.date !== null)
  if (reason) return reason
  const title = titleOf(reading)
  if (isFlaw(title)) return title
  const updated = updatedOf(reading)
  if (isFlaw(updated)) return updated
  const bytes = Buffer.byteLength(reading.body)
  if (bytes > sourceLimits.contentBytes) {
    return { flaw: `the content has ${bytes} bytes, more than ${sourceLimits.contentBytes}`, line: null }
  }
  return assemble(reading, { title, date, updated, lookup })
}

interface Checked {
  readonly title: string
  readonly date: SourceDate
  readonly updated: SourcePost['updated']
  readonly lookup: AuthorLookup
}

function assemble(reading: PostReading, { title, date, updated, lookup }: Checked): SourcePost {
  const { file, fields, facts, note } = reading
  const address = addressOf(fields, facts.name, note)
  const authors = authorsOf(fields, lookup, note)
  const categories = categoriesOf(fields, note)
  noteTheRest(reading, authors, categories)
  return {
    kind: 'post',
    path: file.path,
    hash: file.hash,
    title,
    content: reading.body,
    excerpt: excerptOf(fields, note),
    slug: address.slug,
    date: date.date,
    updated,
    draft: isDraft(reading),
    authors,
    categories,
    tags: tagsOf(fields, file.folderFields, note),
    seo: seoOf(fields, note),
    aliases: aliasesOf(fields),
    origin: {
      format: reading.format,
      language: textOf(fields, ['lang', 'language', 'locale']) ?? facts.language,
      slug: address.written,
      slugFrom: address.from,
      dateFrom: date.from,
    },
    notes: reading.notes,
  }
}

function noteTheRest({ note }: PostReading, authors: readonly SourceAuthor[], categories: readonly string[]): void {
  const [, ...otherAuthors] = authors
  const [, ...otherCategories] = categories
  if (otherAuthors.length > 0) note(`a post keeps one author; left out: ${otherAuthors.map(({ name }) => quoted(name)).join(', ')}`)
  if (otherCategories.length > 0) note(`a post keeps one category; left out: ${otherCategories.map(quoted).join(', ')}`)
}
