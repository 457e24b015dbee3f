import { type FieldMap, type FieldValue, isFieldList, isFieldMap } from '../../front-matter/field-value.ts'
import { type FieldNames, findField, textOf } from '../../front-matter/find-field.ts'
import { fitText, fitUrl, sourceLimits } from '../../source-limits.ts'
import type { Note, SourceSeo } from '../../source-post.ts'
import type { PostReading } from './parsed-post.ts'

export const excerptNames: FieldNames = ['excerpt', 'description', 'summary', 'teaser']
export const seoTitleNames: FieldNames = ['seo.title', 'seoTitle', 'metaTitle', 'ogTitle']
export const seoDescriptionNames: FieldNames = ['seo.description', 'seoDescription', 'metaDescription', 'ogDescription']
export const canonicalNames: FieldNames = ['canonicalUrl', 'canonical', 'seo.canonicalUrl', 'seo.canonical']
/** The target of a link post. */
export const linkNames: FieldNames = [
  'externalLink',
  'externalUrl',
  'sourceUrl',
  'linkUrl',
  'originalUrl',
  'link',
  'crosspostUrl',
  'extra.externalLink',
]
export const imageNames: FieldNames = [
  'seo.ogImage',
  'seo.image',
  'ogImage',
  'image',
  'cover',
  'coverImage',
  'hero',
  'heroImage',
  'header.image',
  'header.ogImage',
  'header.overlayImage',
  'headerImage',
  'featuredImage',
  'featureImage',
  'featured',
  'socialImage',
  'thumbnail',
  'thumb',
  'banner',
  'preview',
  'img',
  'images',
  'extra.image',
  'params.image',
  'params.images',
]
const addressNames: FieldNames = ['url', 'src', 'path', 'image', 'href', 'feature', 'relative']

export function excerptOf(fields: FieldMap, note: Note): string | null {
  const text = textOf(fields, excerptNames)
  return text === null ? null : fitText('excerpt', text, sourceLimits.excerptLength, note)
}

/** Fields for search engines and social cards. A `description` that is not used as the excerpt is kept here. */
export function seoOf({ fields, body, note }: PostReading, toAbsolute: (address: string) => string): SourceSeo {
  const title = textOf(fields, seoTitleNames)
  const plain = textOf(fields, ['excerpt']) === null ? null : textOf(fields, ['description'])
  const description = textOf(fields, seoDescriptionNames) ?? plain
  const canonical = textOf(fields, canonicalNames)
  const link = linkOf(fields)
  if (link !== null && body.trim() === '') note('it is a link alone: its target is in seo.canonicalUrl, and its text is empty')
  const image = addressIn(findField(fields, imageNames)?.value)
  return {
    title: title === null ? null : fitText('SEO title', title, sourceLimits.seoTitleLength, note),
    description: description === null ? null : fitText('SEO description', description, sourceLimits.seoDescriptionLength, note),
    canonicalUrl: fitUrl('canonical address', canonical ?? link, note),
    ogImage: fitUrl('image', image === null ? null : toAbsolute(image), note),
  }
}

/** The target of a link post. A path of the site is none. */
export function linkOf(fields: FieldMap): string | null {
  const link = textOf(fields, linkNames)
  return link !== null && /^https?:\/\//i.test(link) ? link : null
}

function addressIn(value: FieldValue | undefined): string | null {
  if (isFieldMap(value)) return textOf(value, addressNames)
  if (isFieldList(value)) return addressIn(value[0])
  return value?.trim() ?? null
}
