import { codePointLength } from '../../../values/code-points.ts'
import { fold } from '../../../values/letters/case-fold.ts'
import type { FieldMap, FieldValue } from '../../front-matter/field-value.ts'
import { type FieldNames, findField, textsOf } from '../../front-matter/find-field.ts'
import { quoted, sourceLimits } from '../../source-limits.ts'
import type { Note } from '../../source-post.ts'
import { folderLanguage } from '../file-path.ts'
import { pathInSite, type Site } from '../site/site-config.ts'
import type { PostReading } from './parsed-post.ts'

export const tagNames: FieldNames = ['tags', 'tag', 'taxonomies.tags', 'keywords', 'extra.tags', 'params.tags']
export const categoryNames: FieldNames = ['categories', 'category', 'taxonomies.categories', 'taxonomies.category', 'section']
/** Folders of a site that are no categories. */
const plainFolders = new Set(['source', 'src', 'site', 'docs', 'content', 'website', 'www'])

/** The tags of a folder and of its post, in this order, each in one spelling. A plain text is one tag, even with commas. */
export function tagsOf(reading: PostReading): readonly string[] {
  const { file, fields, note } = reading
  const texts = [file.folderFields, fields].flatMap((map) => termsIn(reading, map, tagNames))
  const more = termNames(file.site).flatMap((name) => textsOf(findField(fields, [name])?.value))
  const given = distinct([...texts, ...more]).filter((tag) => isShort('tag', tag, sourceLimits.tagLength, note))
  return firstOf('tags', given, sourceLimits.tags, note)
}

/** The categories of a post. The post keeps the first. */
export function categoriesOf(reading: PostReading): readonly string[] {
  const { fields, note } = reading
  const given = distinct([...foldersAbovePosts(reading), ...termsIn(reading, fields, categoryNames)])
  const kept = given.filter((category) => isShort('category', category, sourceLimits.categoryLength, note))
  return firstOf('categories', kept, sourceLimits.categories, note)
}

/** Names of fields that hold terms of a site's own taxonomies. */
export function termNames(site: Site | undefined): FieldNames {
  return (site?.taxonomies ?? []).flatMap((name) => [name, `taxonomies.${name}`])
}

/** In Jekyll a plain text in a field of several terms is separated by blanks. */
function termsIn(reading: PostReading, fields: FieldMap, names: FieldNames): readonly string[] {
  const found = findField(fields, names)
  const value: FieldValue | undefined = found?.value
  const isList = typeof value === 'string' && isOfJekyll(reading) && /^(?:categories|tags)$/i.test(found?.name ?? '')
  return isList ? value.split(/[\s,]+/).filter((term) => term !== '') : textsOf(value)
}

/** Jekyll takes the folders above `_posts` for categories. */
function foldersAbovePosts(reading: PostReading): readonly string[] {
  if (!isOfJekyll(reading)) return []
  const { file } = reading
  const [above = ''] = pathInSite(file.site, file.path).split(/(?:^|\/)_(?:posts|drafts)\//)
  const language = folderLanguage(file.path)
  return above.split('/').filter((folder) => folder !== '' && folder !== language && !plainFolders.has(folder) && !folder.startsWith('_'))
}

/** Hexo has `_posts` too, directly in `source`. */
function isOfJekyll({ file }: PostReading): boolean {
  if (!/(?:^|\/)_(?:posts|drafts)\//.test(file.path)) return false
  return file.site ? file.site.generator === 'jekyll' : !/(?:^|\/)source\/_(?:posts|drafts)\//.test(file.path)
}

function distinct(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => !seen.has(fold(text)) && seen.add(fold(text)))
}

function firstOf(what: string, texts: readonly string[], most: number, note: Note): readonly string[] {
  if (texts.length > most) note(`${texts.length} ${what}; only the first ${most} were kept`)
  return texts.slice(0, most)
}

function isShort(what: string, text: string, maxLength: number, note: Note): boolean {
  const length = codePointLength(text)
  if (length > maxLength) note(`the ${what} ${quoted(text)} has ${length} characters, more than ${maxLength}; left out`)
  return length <= maxLength
}
