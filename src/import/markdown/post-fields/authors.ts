import { type FieldMap, type FieldValue, isFieldList, isFieldMap, layered, noFields } from '../../front-matter/field-value.ts'
import { type FieldNames, findField, textOf } from '../../front-matter/find-field.ts'
import { fitEmail, fitText, fitUrl, sourceLimits } from '../../source-limits.ts'
import type { Note, SourceAuthor } from '../../source-post.ts'

/** Finds an author by key in the author files of the blog. */
export type AuthorLookup = (key: string) => FieldMap | undefined

export const authorNames: FieldNames = [
  'authors',
  'author',
  'taxonomies.authors',
  'extra.authors',
  'extra.author',
  'params.author',
  'byline',
]
const keyNames: FieldNames = ['key', 'username', 'id', 'slug', 'login', 'handle']
const bioNames: FieldNames = ['bio', 'description', 'about', 'title']
const avatarNames: FieldNames = ['avatarUrl', 'imageUrl', 'avatar', 'picture', 'image', 'photo']
const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' }
/** An older convention of Docusaurus: one author in several fields of the post. */
export const besideNames: Readonly<Record<string, FieldNames>> = { title: ['authorTitle'], imageUrl: ['authorImageUrl', 'authorImage'] }

/** The authors of a post, in order, with the data of the author files. */
export function authorsOf(fields: FieldMap, lookup: AuthorLookup, note: Note): readonly SourceAuthor[] {
  const value = findField(fields, authorNames)?.value
  const given = (isFieldList(value) ? value : [value]).flatMap((one) => describe(one) ?? [])
  const beside = given.length === 1 ? fieldsBeside(fields) : noFields
  if (given.length > sourceLimits.authors) note(`${given.length} authors; only the first ${sourceLimits.authors} were kept`)
  return given
    .slice(0, sourceLimits.authors)
    .map((one) => toAuthor(one.key, layered(one.fields, layered(lookup(one.key) ?? noFields, beside)), note))
}

/** The key of an author that is given as a map. */
export function authorKey(fields: FieldMap): string | null {
  return textOf(fields, keyNames) ?? textOf(fields, ['name'])
}

function describe(value: FieldValue | undefined): { readonly key: string; readonly fields: FieldMap } | undefined {
  if (isFieldMap(value)) {
    const key = authorKey(value)
    return key === null ? undefined : { key, fields: value }
  }
  const key = typeof value === 'string' ? value.trim() : ''
  return key === '' ? undefined : { key, fields: noFields }
}

function fieldsBeside(fields: FieldMap): FieldMap {
  return new Map(Object.entries(besideNames).map(([name, names]) => [name, textOf(fields, names)]))
}

function toAuthor(key: string, fields: FieldMap, note: Note): SourceAuthor {
  const name = plainName(textOf(fields, ['name', 'fullName', 'displayName']) ?? key)
  const bio = textOf(fields, bioNames)
  return {
    key,
    name: fitText("author's name", name, sourceLimits.authorNameLength, note),
    email: fitEmail("author's address", textOf(fields, ['email', 'mail']), note),
    bio: bio === null ? null : fitText("author's bio", bio, sourceLimits.authorBioLength, note),
    avatarUrl: fitUrl("author's picture", textOf(fields, avatarNames), note),
  }
}

/** `[Ada](https://example.org/ada) (Engines)` and `<a href="…">Ada</a> (Engines)` are `Ada (Engines)`. */
function plainName(text: string): string {
  const plain = text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? text : plain
}
