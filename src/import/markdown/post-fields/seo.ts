import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from '../../front-matter/field-value.ts'
import { type FieldNames, findField, textOf } from '../../front-matter/find-field.ts'
import { fitText, fitUrl, sourceLimits } from '../../source-limits.ts'
import type { Note, SourceSeo } from '../../source-post.ts'

const excerptNames: FieldNames = ['excerpt', 'description', 'summary', 'teaser']
const titleNames: FieldNames = ['seo.title', 'seoTitle', 'metaTitle', 'ogTitle']
const descriptionNames: FieldNames = ['seo.description', 'seoDescription', 'metaDescription', 'ogDescription']
const canonicalNames: FieldNames = ['canonicalUrl', 'canonical', 'seo.canonicalUrl', 'seo.canonical']
const imageNames: FieldNames = [
  'seo.ogImage',
  'seo.image',
  'ogImage',
  'image',
  'cover',
  'coverImage',
  'heroImage',
  'featuredImage',
  'featureImage',
  'thumbnail',
  'banner',
  'images',
  'extra.image',
  'params.image',
  'params.images',
]
const addressNames: FieldNames = ['url', 'src', 'path', 'image', 'href']

export function excerptOf(fields: FieldMap, note: Note): string | null {
  const text = textOf(fields, excerptNames)
  return text === null ? null : fitText('excerpt', text, sourceLimits.excerptLength, note)
}

/** Fields for search engines and social cards. A `description` that is not used as the excerpt is kept here. */
export function seoOf(fields: FieldMap, note: Note): SourceSeo {
  const title = textOf(fields, titleNames)
  const plain = textOf(fields, ['excerpt']) === null ? null : textOf(fields, ['description'])
  const description = textOf(fields, descriptionNames) ?? plain
  return {
    title: title === null ? null : fitText('SEO title', title, sourceLimits.seoTitleLength, note),
    description: description === null ? null : fitText('SEO description', description, sourceLimits.seoDescriptionLength, note),
    canonicalUrl: fitUrl('canonical address', textOf(fields, canonicalNames), note),
    ogImage: fitUrl('image', addressIn(findField(fields, imageNames)?.value), note),
  }
}

function addressIn(value: FieldValue | undefined): string | null {
  if (isFieldMap(value)) return textOf(value, addressNames)
  if (isFieldList(value)) return addressIn(value[0])
  return value?.trim() ?? null
}
