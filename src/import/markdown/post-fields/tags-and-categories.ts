import { fold } from '../../../values/case-fold.ts'
import { codePointLength } from '../../../values/code-points.ts'
import type { FieldMap } from '../../front-matter/field-value.ts'
import { type FieldNames, findField, textsOf } from '../../front-matter/find-field.ts'
import { quoted, sourceLimits } from '../../source-limits.ts'
import type { Note } from '../../source-post.ts'

const tagNames: FieldNames = ['tags', 'tag', 'taxonomies.tags', 'keywords']
const categoryNames: FieldNames = ['categories', 'category', 'taxonomies.categories', 'taxonomies.category', 'section']

/** The tags of a folder and of its post, in this order, each in one spelling. A plain text is one tag, even with commas. */
export function tagsOf(fields: FieldMap, folderFields: FieldMap, note: Note): readonly string[] {
  const texts = [folderFields, fields].flatMap((map) => textsOf(findField(map, tagNames)?.value))
  const given = distinct(texts).filter((tag) => isShort('tag', tag, sourceLimits.tagLength, note))
  return firstOf('tags', given, sourceLimits.tags, note)
}

/** The categories of a post. The post keeps the first. */
export function categoriesOf(fields: FieldMap, note: Note): readonly string[] {
  const given = distinct(textsOf(findField(fields, categoryNames)?.value))
  const kept = given.filter((category) => isShort('category', category, sourceLimits.categoryLength, note))
  return firstOf('categories', kept, sourceLimits.categories, note)
}

function distinct(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return texts.filter((text) => !seen.has(fold(text)) && seen.add(fold(text)))
}

function firstOf(what: string, texts: readonly string[], most: number, note: Note): readonly string[] {
  if (texts.length > most) note(`${texts.length} ${what}; the last ${texts.length - most} were left out`)
  return texts.slice(0, most)
}

function isShort(what: string, text: string, maxLength: number, note: Note): boolean {
  const length = codePointLength(text)
  if (length > maxLength) note(`the ${what} ${quoted(text)} has ${length} characters, more than ${maxLength}; left out`)
  return length <= maxLength
}
