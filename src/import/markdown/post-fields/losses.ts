import { type FieldMap, isFieldMap } from '../../front-matter/field-value.ts'
import { type FieldNames, findField } from '../../front-matter/find-field.ts'
import type { SourcePost } from '../../source-post.ts'
import { authorNames, besideNames } from './authors.ts'
import { dateNames, expiryNames, notBeforeNames, updatedNames } from './date-and-status.ts'
import type { PostReading } from './parsed-post.ts'
import { canonicalNames, excerptNames, imageNames, linkNames, seoDescriptionNames, seoTitleNames } from './seo.ts'
import { addressNames, aliasNames } from './slug-and-aliases.ts'
import { categoryNames, tagNames, termNames } from './tags-and-categories.ts'
import { visibilityNames } from './visibility-names.ts'

/** Fields of which the first that is there is read. Another is lost. */
const firstOnly: readonly FieldNames[] = [
  ['title'],
  dateNames,
  updatedNames,
  authorNames,
  categoryNames,
  tagNames,
  excerptNames,
  seoTitleNames,
  seoDescriptionNames,
  imageNames,
]
/** Fields of which each is read. */
const every: FieldNames = [
  ...[visibilityNames, expiryNames, notBeforeNames, aliasNames, addressNames, linkNames, canonicalNames].flat(),
  ...Object.values(besideNames).flat(),
  'slug',
  'description',
  'lang',
  'language',
  'locale',
]
/** Maps whose fields are read, and counted, one by one. */
const containers = new Set(['extra', 'params', 'taxonomies', 'seo', 'header'])
/** What a service of content has no use for: words of the generator about the page. */
const markup: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Hugo or Zola shortcodes', /\{\{[<%]|\{\{\s?[a-z_]+\([^{}]*\}\}/g],
  ['Liquid or Nunjucks tags', /(?<!\{)\{%-?\s*[a-z]/gi],
  ['Liquid or Nunjucks expressions', /\{\{-?\s*(?:["']|[a-z_][\w.-]*\s*(?:\||-?\}\}|\[))/gi],
]
const mdxMarkup: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['MDX imports and exports', /^(?:import [^;\r\n\u2028\u2029]* from |export (?:const|default|function) )/gm],
  ['MDX components', /^[ \t]*<[A-Z][\w.]*[\s/>]/gm],
]

/** Counts what of a post is not kept or not understood. */
export function countLosses(
  reading: PostReading,
  { authors, categories, content }: Pick<SourcePost, 'authors' | 'categories' | 'content'>,
): void {
  const { lose, file } = reading
  for (const name of unreadFields(reading)) lose(`field ${name}`)
  lose('further authors of a post', Math.max(0, authors.length - 1))
  lose('further categories of a post', Math.max(0, categories.length - 1))
  lose('posts without text', content.trim() === '' ? 1 : 0)
  const kinds = /\.mdx$/i.test(file.path) ? [...markup, ...mdxMarkup] : markup
  for (const [name, pattern] of kinds) lose(name, content.match(pattern)?.length ?? 0)
}

/** The fields of the post's own front matter that nothing reads, by name; `outer.inner` for those in maps. */
function unreadFields({ ownFields, file }: PostReading): readonly string[] {
  const read = new Set<string>()
  for (const names of firstOnly) {
    const found = findField(ownFields, names)
    if (found) read.add(found.name)
  }
  const known = new Set([...every, ...termNames(file.site)].map(plain))
  const isRead = (name: string) => read.has(name) || known.has(plain(name))
  return [...filled(ownFields)].flatMap(([name, value]) => {
    if (isRead(name)) return []
    if (!isFieldMap(value) || !containers.has(plain(name))) return [name]
    return [...filled(value)].map(([inner]) => `${name}.${inner}`).filter((inner) => !isRead(inner))
  })
}

function filled(fields: FieldMap): FieldMap {
  return new Map([...fields].filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}
