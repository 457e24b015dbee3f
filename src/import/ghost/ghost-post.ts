import type { Instant } from '../../values/instant.ts'
import { parseInstant, toInstant } from '../../values/instant.ts'
import { excerptOf, fitName, fitTags, hashOf, readContent, slugOf, textOrNull, titleOf, withinLimits } from '../exports/exported-fields.ts'
import type { HtmlConverter } from '../html/convert-html.ts'
import { findTimezone, utc } from '../markdown/post-fields/timezone.ts'
import { fitEmail, fitText, fitUrl, quoted, sourceLimits } from '../source-limits.ts'
import { mediaOf } from '../source-media.ts'
import type { Note, SourceAuthor, SourceFault, SourceMedia, SourcePost, SourceSeo } from '../source-post.ts'
import { type GhostContent, ghostContent } from './ghost-content.ts'
import { hasCardForMembers } from './lexical.ts'
import { siteUrlMark } from './missing-site-url.ts'
import { flagField, type GhostFields, textField } from './read-ghost.ts'
import type { SiteTables } from './site-tables.ts'

export interface GhostSettings {
  readonly site: SiteTables
  readonly convert: HtmlConverter
  /** Without a slash at its end. */
  readonly siteUrl: string | undefined
  /** The first tag of a post is its category. */
  readonly primaryTagIsCategory: boolean
  readonly now: Instant
}

/** The post of a row, or why it cannot be one. */
export function ghostPost(written: GhostFields, path: string, settings: GhostSettings): SourcePost | SourceFault {
  const post = withSiteUrl(written, settings.siteUrl)
  const length = ['html', 'mobiledoc', 'lexical', 'markdown'].reduce((longest, name) => Math.max(longest, textField(post, name).length), 0)
  const read = readContent(path, null, length, () => assemble(post, path, settings))
  return read.kind === 'post' ? withinLimits(read, null) : read
}

function withSiteUrl<T extends GhostFields | undefined>(fields: T, siteUrl: string | undefined): T {
  if (siteUrl === undefined || !fields) return fields
  const filled = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll(siteUrlMark, siteUrl) : value,
  ])
  return Object.fromEntries(filled) as T
}

function assemble(post: GhostFields, path: string, settings: GhostSettings): SourcePost {
  const { site, siteUrl } = settings
  const notes: string[] = []
  const note = (sentence: string) => void notes.push(sentence)
  const id = textField(post, 'id')
  const absolute = (url: string) => absoluteUrl(url, siteUrl)
  const content = ghostContent(post, settings.convert, absolute)
  const meta = withSiteUrl(site.metaOf(id), siteUrl)
  const tags = site.tagsOf(id)
  const authors = site.authorsOf(post).map((user) => authorOf(withSiteUrl(user, siteUrl), absolute, note))
  const { status, date } = stateOf(post, meta, settings, note)
  const publicTags = tags.filter((tag) => !isInternal(tag)).map((tag) => textField(tag, 'name'))
  const category = settings.primaryTagIsCategory ? publicTags[0] : undefined
  const [, ...others] = authors
  if (others.length > 0) note(`a post keeps one author; left out: ${others.map(({ name }) => quoted(name)).join(', ')}`)
  return {
    kind: 'post',
    path,
    hash: hashOf([
      ...[usedFields(post), meta ?? null, tags.map((tag) => [textField(tag, 'name'), isInternal(tag)]), authors, category ?? null],
      ...(site.isPrivate ? ['private'] : []),
    ]),
    title: titleOf(
      textField(post, 'title') === '(Untitled)' ? '' : textField(post, 'title').replace(/&/g, '&amp;').replace(/</g, '&lt;'),
      [textField(post, 'slug').replaceAll('-', ' ')],
      note,
    ),
    content: content.markdown,
    excerpt: excerptOf(textField(post, 'custom_excerpt').replace(/&/g, '&amp;').replace(/</g, '&lt;'), note),
    slug: slugOf(textField(post, 'slug'), note),
    date,
    updated: dateField(post, 'updated_at'),
    status,
    authors,
    categories: category === undefined ? [] : [fitName('category', category, sourceLimits.categoryLength, note)],
    tags: fitTags(category === undefined ? publicTags : publicTags.slice(1), note),
    seo: seoOf(post, meta, absolute, note),
    aliases: aliasesOf(post, site, date, status),
    media: mediaIn(post, meta, content, absolute, siteUrl),
    notes,
    losses: lossesOf(post, meta, tags, content, settings),
  }
}

function absoluteUrl(url: string, siteUrl: string | undefined): string {
  if (url.startsWith('//')) return `https:${url}`
  return siteUrl !== undefined && url.startsWith('/') ? `${siteUrl}${url}` : url
}

/** Counted as a loss, with those in the text. */
function isRelative(url: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:/i.test(url)
}

type State = Pick<SourcePost, 'status' | 'date'>

/** Nothing that not everybody could read becomes public. */
function stateOf(post: GhostFields, meta: GhostFields | undefined, { site, now }: GhostSettings, note: Note): State {
  const status = textField(post, 'status')
  const visibility = textField(post, 'visibility') || 'public'
  const date = dateField(post, 'published_at') ?? dateField(post, 'created_at')
  if (!['published', 'scheduled', 'sent'].includes(status)) {
    if (status !== 'draft') note(`the status ${quoted(status)} says nothing to this service; taken as a draft`)
    return { status: 'draft', date: null }
  }
  const isEmailOnly = flagField(meta, 'email_only') || flagField(post, 'email_only')
  const partly = isPartlyGated(post) ? 'a part of it was not for everybody' : undefined
  const reason = whyArchived(status, visibility, isEmailOnly) ?? (site.isPrivate ? 'the whole site was private' : partly)
  if (reason !== undefined) {
    note(`${reason}; archived`)
    return { status: 'archived', date }
  }
  if (status === 'scheduled' && (date === null || date <= now)) {
    note('it was scheduled for a time that has passed, and never published; taken as a draft')
    return { status: 'draft', date: null }
  }
  return { status: 'published', date }
}

function whyArchived(status: string, visibility: string, isEmailOnly: boolean): string | undefined {
  if (status === 'sent' || isEmailOnly) return 'it was sent by e-mail only'
  if (visibility === 'public') return undefined
  if (visibility === 'members') return 'it was for members only'
  return visibility === 'paid' ? 'it was for paying members only' : `it was for ${visibility.slice(0, 40)} only`
}

/** Cards that members alone see, as the editor stores them and as HTML has them. */
function isPartlyGated(post: GhostFields): boolean {
  return hasCardForMembers(textField(post, 'lexical')) || textField(post, 'html').includes('<!--kg-gated-block:begin nonMember:false')
}

/** `YYYY-MM-DD HH:mm:ss` in UTC, RFC 3339, or milliseconds. */
function dateField(post: GhostFields, name: string): Instant | null {
  const value = post[name]
  if (typeof value === 'number') return Math.abs(value) < 2e14 && value > 0 ? toInstant(new Date(value)) : null
  if (typeof value !== 'string' || value === '') return null
  const text = value.trim().replace(' ', 'T')
  return parseInstant(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`) ?? null
}

function isInternal(tag: GhostFields): boolean {
  return textField(tag, 'visibility') === 'internal' || textField(tag, 'name').startsWith('#')
}

function authorOf(user: GhostFields, absolute: (url: string) => string, note: Note): SourceAuthor {
  const picture = textField(user, 'profile_image') || textField(user, 'image')
  const bio = textField(user, 'bio')
  const email = textField(user, 'email')
  const login = textField(user, 'slug') || textField(user, 'id')
  const avatar = picture === '' ? null : absolute(picture)
  return {
    key: login,
    name:
      fitName('author', textField(user, 'name').replace(/&(?=\w)/g, '&amp;'), sourceLimits.authorNameLength, note) || login || 'Unknown',
    email: fitEmail('e-mail address', email === '' ? null : email, note),
    bio: bio === '' ? null : fitText('bio', bio, sourceLimits.authorBioLength, note),
    avatarUrl: avatar !== null && /^https?:/i.test(avatar) ? fitUrl('picture of the author', avatar, note) : null,
  }
}

function seoOf(post: GhostFields, meta: GhostFields | undefined, absolute: (url: string) => string, note: Note): SourceSeo {
  const field = (name: string) => textField(meta, name) || textField(post, name)
  const line = (what: string, name: string, most: number) =>
    textOrNull(what, field(name).replace(/&/g, '&amp;').replace(/</g, '&lt;'), most, note)
  const image = field('og_image') || field('feature_image') || field('image')
  return {
    title: line('SEO title', 'meta_title', sourceLimits.seoTitleLength),
    description: line('SEO description', 'meta_description', sourceLimits.seoDescriptionLength),
    canonicalUrl: fitUrl('canonical URL', field('canonical_url') || null, note),
    ogImage: image === '' || isRelative(absolute(image)) ? null : fitUrl('feature image', absolute(image), note),
  }
}

/** Where the post was, as the site's pattern of addresses says. */
function aliasesOf(
  post: GhostFields,
  { permalinks, timezone }: SiteTables,
  date: Instant | null,
  status: SourcePost['status'],
): readonly string[] {
  const slug = textField(post, 'slug')
  if (status === 'draft' || slug === '' || !/^\/[\w/:-]*$/.test(permalinks)) return []
  const zone = findTimezone(timezone) ?? utc
  const moment = Date.parse(date ?? '')
  const [year = '', month = '', day = ''] = Number.isNaN(moment)
    ? []
    : new Date(moment + zone.offsetAt(moment)).toISOString().slice(0, 10).split('-')
  const isPage = textField(post, 'type') === 'page' || flagField(post, 'page')
  const path = (isPage ? '/:slug/' : permalinks).replace(
    /:(slug|year|month|day|id)\b/g,
    (_, name: string) => ({ slug, year, month, day, id: textField(post, 'id') })[name] ?? '',
  )
  return path.includes(':') ? [] : [encodeURI(path)]
}

/** Pictures on the site itself. Others belong to somebody else. */
function mediaIn(
  post: GhostFields,
  meta: GhostFields | undefined,
  { images }: GhostContent,
  absolute: (url: string) => string,
  siteUrl: string | undefined,
): readonly SourceMedia[] {
  const feature = textField(post, 'feature_image') || textField(post, 'image')
  const all = [{ url: absolute(feature), alt: textField(meta, 'feature_image_alt') }, ...images]
  const own = all.filter(({ url }) => url.includes('/content/images/') || (siteUrl !== undefined && url.startsWith(`${siteUrl}/`)))
  const media = new Map(own.flatMap(({ url, alt }) => mediaOf(url, { alt }) ?? []).map((asset) => [asset.url, asset]))
  return [...media.values()].slice(0, sourceLimits.media)
}

const used = [
  'id',
  'uuid',
  'title',
  'slug',
  'markdown',
  'mobiledoc',
  'lexical',
  'html',
  'image',
  'feature_image',
  'status',
  'visibility',
  'type',
  'page',
]
const usedMore = [
  'published_at',
  'created_at',
  'custom_excerpt',
  'canonical_url',
  'meta_title',
  'meta_description',
  'og_image',
  'email_only',
]

function usedFields(post: GhostFields): readonly unknown[] {
  return [...used, ...usedMore].map((name) => post[name] ?? null)
}

const notKept = [
  'codeinjection_head',
  'codeinjection_foot',
  'custom_template',
  'og_title',
  'og_description',
  'twitter_image',
  'twitter_title',
  'twitter_description',
]

function lossesOf(
  post: GhostFields,
  meta: GhostFields | undefined,
  tags: readonly GhostFields[],
  { markdown, keptBlocks, dropped, images }: GhostContent,
  { site, siteUrl }: GhostSettings,
): Readonly<Record<string, number>> {
  const feature = absoluteUrl(textField(post, 'feature_image') || textField(post, 'image'), siteUrl)
  const losses = new Map<string, number>()
  const add = (name: string, count: number) => count > 0 && losses.set(name, (losses.get(name) ?? 0) + count)
  add('posts without text', markdown.trim() === '' ? 1 : 0)
  add('block kept as HTML', keptBlocks)
  for (const [name, count] of dropped) add(name, count)
  for (const tag of tags.filter(isInternal)) add(`internal tag ${textField(tag, 'name')}`, 1)
  add('tag that the export does not have', site.missingTagsOf(textField(post, 'id')))
  for (const name of notKept)
    if (textField(meta, name) || textField(post, name)) add(name.startsWith('codeinjection') ? 'code injection' : `field ${name}`, 1)
  add('field featured', flagField(post, 'featured') ? 1 : 0)
  add('picture with a relative address', [...images.map(({ url }) => url), ...(feature === '' ? [] : [feature])].filter(isRelative).length)
  return Object.fromEntries(losses)
}
