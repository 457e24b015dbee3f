import { posix } from 'node:path'
import { parseUrl } from '../../../values/parse-url.ts'
import { isSlug, maxSlugLength, slugBase, withSuffix } from '../../../values/slug.ts'
import type { FieldMap } from '../../front-matter/field-value.ts'
import { booleanOf, type FieldNames, findFields, textOf, textsOf } from '../../front-matter/find-field.ts'
import { quoted, sourceLimits } from '../../source-limits.ts'
import type { PostReading } from './parsed-post.ts'

export const addressNames: FieldNames = ['path', 'permalink', 'url']
export const aliasNames: FieldNames = ['aliases', 'alias', 'redirectFrom', 'oldUrls', 'oldUrl']
/** A pattern that only the site generator can fill in, or a URL of another site. */
const foreign = /[{}<>:]|\/\//

export interface SourceAddress {
  /** Well-formed, or null if nothing of it is left. */
  readonly slug: string | null
  readonly written: string
  readonly from: 'front matter' | 'address' | 'file name'
}

/** The slug of a post: as given, else the last part of its URL path, else the name of its file. */
export function addressOf(reading: PostReading): SourceAddress {
  const { fields, facts } = reading
  const given = textOf(fields, ['slug'])
  if (given !== null) return { ...wellFormed(given, reading), from: 'front matter' }
  const last = lastPart(ownAddress(fields) ?? '')
  return last === '' ? { ...wellFormed(facts.name, reading), from: 'file name' } : { ...wellFormed(last, reading), from: 'address' }
}

/** The URL path that the post names for itself. */
export function ownAddress(fields: FieldMap): string | null {
  const address = textOf(fields, addressNames)
  return address === null || foreign.test(address) || booleanOf(address) !== undefined ? null : address
}

/** The slug with the language of a translation: that of the original stays free for it. */
export function slugInLanguage(slug: string | null, { file, settings }: PostReading, title: string): string | null {
  if (!file.isTranslation || file.language === null || settings.language !== undefined) return slug
  const language = slugBase(file.language)
  const base = slug ?? slugBase(title)
  return base === '' || base.endsWith(`-${language}`) ? slug : withSuffix(base, language)
}

/** The paths that led to the post on its site: those that it names, and its last URL there. At most as many as a post can have. */
export function aliasesOf(reading: PostReading, lastUrl: string | undefined): readonly string[] {
  const { fields, settings, note, lose } = reading
  const named = [...findFields(fields, aliasNames)]
    .flatMap(({ value }) => textsOf(value))
    .map((alias) => besideUrl(reading, lastUrl, alias))
  const own = ownAddress(fields)
  const found = [...named, ...(own === null ? [] : [own]), ...(lastUrl === undefined ? [] : [lastUrl])]
  const paths = found.map((written) => ({ written, path: pathOf(written, settings.siteUrl) }))
  const unusable = paths.filter(({ path }) => path === undefined)
  if (unusable.length > 0)
    note(`these old addresses are no paths of the site: ${unusable.map(({ written }) => quoted(written)).join(', ')}`)
  const distinct = [...new Set(paths.flatMap(({ path }) => path ?? []))]
  lose('aliases beyond what a post can have', distinct.length - sourceLimits.aliases)
  return distinct.slice(0, sourceLimits.aliases)
}

/** In Hugo an alias without a slash in front stands beside the URL of its post. Elsewhere it begins at the root of the site. */
function besideUrl({ file }: PostReading, lastUrl: string | undefined, alias: string): string {
  const isBeside = file.site?.generator === 'hugo' && lastUrl !== undefined && !/^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(alias)
  return isBeside ? posix.join(lastUrl, '..', alias) : alias
}

/** An old address as a path of the site, with its query. */
function pathOf(address: string, siteUrl: string | undefined): string | undefined {
  const base = siteUrl ?? 'http://site.invalid'
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('//')
  const text = isAbsolute || address.startsWith('/') ? address : `/${address.replace(/^(?:\.{1,2}\/)+/, '')}`
  const url = parseUrl(text, base)
  if (!url) return undefined
  const isOther = !/^https?:$/.test(url.protocol) || (isAbsolute && siteUrl !== undefined && url.host !== new URL(siteUrl).host)
  const path = url.pathname + url.search
  return isOther || path === '/' || path.length > sourceLimits.urlLength ? undefined : path
}

function wellFormed(written: string, { note, lose }: PostReading): Pick<SourceAddress, 'slug' | 'written'> {
  const last = lastPart(written)
  const slug = isSlug(last) ? last : slugBase(last)
  const isCut = slug !== last && slugBase(last, last.length * 8).length > maxSlugLength
  if (isCut) lose('slugs cut to 80 characters')
  if (slug === '' && written !== '') note(`nothing of the slug ${quoted(written)} can stay; one is made from the title`)
  else if (slug !== written && `/${slug}` !== written) note(`the slug ${quoted(written)} ${isCut ? 'was cut to' : 'became'} "${slug}"`)
  return { slug: slug === '' ? null : slug, written }
}

function lastPart(address: string): string {
  const parts = address.split('/').filter((part) => part !== '' && !/^index\.html?$/.test(part))
  return (parts.at(-1) ?? '').replace(/\.html?$/, '')
}
