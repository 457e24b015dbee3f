import type { FrontMatterFormat } from '../../front-matter/field-value.ts'
import { booleanOf, findField, textOf } from '../../front-matter/find-field.ts'
import { quoted, sourceLimits } from '../../source-limits.ts'
import { isTextFault, type SourceAuthor, type SourceItem, type SourcePost, type TextFault } from '../../source-post.ts'
import { nameOf } from '../file-path.ts'
import { type Addressed, oldPath } from '../site/old-path.ts'
import type { SkipReason } from '../site/site-layouts.ts'
import { type AuthorLookup, authorsOf } from './authors.ts'
import { dateOf, type SourceDate, statusOf, updatedOf } from './date-and-status.ts'
import { countLosses } from './losses.ts'
import { openPost, type PostFile, type PostReading, type ReadSettings } from './parsed-post.ts'
import { resolvePictures } from './pictures.ts'
import { excerptOf, seoOf } from './seo.ts'
import { addressOf, aliasesOf, aliasNames, ownAddress, type SourceAddress, slugInLanguage } from './slug-and-aliases.ts'
import { categoriesOf, tagsOf } from './tags-and-categories.ts'
import { titleOf } from './title.ts'

/** Pages about a repository, such as `README` and `CODE_OF_CONDUCT`. */
const repositoryName = /^[A-Z][A-Z_-]+\.[a-z]+$/

/** A post, and where its slug and date came from. */
export interface MarkdownPost extends SourcePost {
  readonly origin: {
    readonly format: FrontMatterFormat
    /** The language that the path or the front matter names. */
    readonly language: string | null
    /** The slug before it was made well-formed. */
    readonly slug: string
    readonly slugFrom: SourceAddress['from']
    readonly dateFrom: SourceDate['from']
    /** Whether the post names old addresses itself. */
    readonly hasAliases: boolean
  }
}

/** The post of a file, or why it has none. */
export function toSourcePost(file: PostFile, settings: ReadSettings, lookup: AuthorLookup): SourceItem<MarkdownPost> {
  const reading = openPost(file, settings)
  const result = isTextFault(reading) ? reading : readPost(reading, lookup)
  if (typeof result === 'string') return { kind: 'skip', path: file.path, reason: result }
  return isTextFault(result) ? { kind: 'fault', path: file.path, line: result.line, message: result.fault } : result
}

function readPost(reading: PostReading, lookup: AuthorLookup): MarkdownPost | SkipReason | TextFault {
  const date = dateOf(reading)
  if (isTextFault(date)) return date
  const reason = reasonToSkip(reading, date.date !== null)
  if (reason) return reason
  const title = titleOf(reading)
  if (isTextFault(title)) return title
  const bytes = Buffer.byteLength(reading.body)
  if (bytes > sourceLimits.contentBytes) {
    return { fault: `the content has ${bytes} bytes, more than ${sourceLimits.contentBytes}`, line: null }
  }
  return assemble(reading, { title, date, lookup })
}

interface Checked {
  readonly title: string
  readonly date: SourceDate
  readonly lookup: AuthorLookup
}

function assemble(reading: PostReading, { title, date, lookup }: Checked): MarkdownPost {
  const { file, fields, note } = reading
  const address = addressOf(reading)
  const authors = authorsOf(fields, lookup, note)
  const categories = categoriesOf(reading)
  noteTheRest(reading, authors, categories)
  const lastUrl = lastUrlOf(reading, { title, date: date.date, categories, slug: address.written })
  const { content, toAbsolute } = resolvePictures(reading, lastUrl)
  countLosses(reading, { authors, categories, content })
  return {
    kind: 'post',
    path: file.path,
    hash: file.hash,
    title,
    content,
    excerpt: excerptOf(fields, note),
    slug: slugInLanguage(address.slug, reading, title),
    date: date.date,
    updated: updatedOf(reading),
    status: statusOf(reading),
    authors,
    categories,
    tags: tagsOf(reading),
    seo: seoOf(reading, toAbsolute),
    aliases: aliasesOf(reading, lastUrl),
    media: [],
    origin: {
      format: reading.format,
      language: languageOf(reading),
      slug: address.written,
      slugFrom: address.from,
      dateFrom: date.from,
      hasAliases: findField(fields, aliasNames) !== undefined,
    },
    notes: reading.notes,
    losses: Object.fromEntries(reading.losses),
  }
}

function languageOf({ fields, file }: PostReading): string | null {
  return textOf(fields, ['lang', 'language', 'locale']) ?? file.language
}

/** The path of the post on its site: as it says itself, else by the site's pattern. */
function lastUrlOf(reading: PostReading, post: Pick<Addressed, 'title' | 'date' | 'categories' | 'slug'>): string | undefined {
  const { file, facts, fields, timezone } = reading
  const own = ownAddress(fields)
  if (own !== null) return `/${own}`.replace(/^\/+/, '/')
  return oldPath(file.site, { ...post, path: file.path, language: file.language, name: facts.name, timezone })
}

function noteTheRest({ note }: PostReading, authors: readonly SourceAuthor[], categories: readonly string[]): void {
  const [, ...otherAuthors] = authors
  const [, ...otherCategories] = categories
  if (otherAuthors.length > 0) note(`a post keeps one author; left out: ${otherAuthors.map(({ name }) => quoted(name)).join(', ')}`)
  if (otherCategories.length > 0) note(`a post keeps one category; left out: ${otherCategories.map(quoted).join(', ')}`)
}

/** Why a text is no post, by its front matter and the files around it; undefined for a post. */
function reasonToSkip(reading: PostReading, hasDate: boolean): SkipReason | undefined {
  const { file, facts, format, settings } = reading
  if (settings.language !== undefined && languageOf(reading)?.toLowerCase() !== settings.language.toLowerCase()) return 'language'
  if (isRedirect(reading)) return 'redirect'
  // Pages of template engines are HTML and may have front matter. Unlike posts they have no date.
  if (/\.html?$/i.test(file.path) && (format === 'none' || !hasDate)) return 'page'
  if (facts.isIndex) return file.isAmongPosts && !hasDate ? 'section' : undefined
  // Hugo and Zola make no page of a text beside the `index.md` of its bundle, whatever its front matter says.
  if (file.isInBundle && ['hugo', 'zola'].includes(file.site?.generator ?? '')) return 'partial'
  if (format !== 'none') return undefined
  if (repositoryName.test(nameOf(file.path))) return 'page'
  return file.isInBundle ? 'partial' : undefined
}

function isRedirect({ fields, body }: PostReading): boolean {
  if (textOf(fields, ['redirectTo']) !== null || textOf(fields, ['layout', 'type']) === 'redirect') return true
  const target = textOf(fields, ['redirect'])
  return target !== null && booleanOf(target) === undefined && body.trim() === ''
}
