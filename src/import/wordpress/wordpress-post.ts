import type { Instant } from '../../values/instant.ts'
import { parseUrl } from '../../values/parse-url.ts'
import {
  excerptOf,
  fitName,
  fitTags,
  hashOf,
  maxHtmlLength,
  percentDecoded,
  plainText,
  readContent,
  slugOf,
  textOrNull,
  titleOf,
  withinLimits,
} from '../exports/exported-fields.ts'
import type { ConvertedHtml, HtmlConverter, HtmlPart } from '../html/convert-html.ts'
import { readDate } from '../markdown/post-fields/parse-date.ts'
import { type Timezone, utc } from '../markdown/post-fields/timezone.ts'
import { fitEmail, fitUrl, sourceLimits } from '../source-limits.ts'
import type { Note, SourceAuthor, SourceFault, SourcePost, SourceSeo } from '../source-post.ts'
import { contentParts, emptyBlocksIn, footnotesIn } from './content-parts.ts'
import { memberFields, ultimateMember, whyNotForAll } from './members-only.ts'
import { shortcodesIn } from './shortcodes.ts'
import type { SiteIndex } from './site-index.ts'
import { syncedIn } from './synced-blocks.ts'
import { fieldOf, metaOf, type WxrItem } from './wxr-item.ts'

export interface PostSettings {
  readonly site: SiteIndex
  readonly convert: HtmlConverter
  /** For dates that are given in the time of the site alone. */
  readonly timezone: Timezone | undefined
  readonly now: Instant
}

/** The post of an item, or why it cannot be one. */
export function wordpressPost(item: WxrItem, path: string, settings: PostSettings): SourcePost | SourceFault {
  const content = fieldOf(item, 'content:encoded')
  let { length } = content
  for (const block of syncedIn(content, settings.site.syncedBlocks)) {
    length += block.length
    if (length > maxHtmlLength) break
  }
  const post = readContent(path, item.line, length, () => assemble(item, path, settings))
  return post.kind === 'post' ? withinLimits(post, item.line) : post
}

function assemble(item: WxrItem, path: string, settings: PostSettings): SourcePost {
  const { site, timezone = utc } = settings
  const notes: string[] = []
  const note = (sentence: string) => void notes.push(sentence)
  const written = fieldOf(item, 'content:encoded')
  const synced = [...syncedIn(written, site.syncedBlocks)]
  const whole = [written, ...synced].join('\n')
  const stored = { synced: site.syncedBlocks, footnotes: footnotesIn(metaOf(item, 'footnotes')) }
  const parts = contentParts(written, stored)
  const converted = settings.convert(parts, (url) => site.originalOf(absolute(url, site.channel.siteUrl)))
  const image = thumbnailOf(item, site)
  const { category, tags } = filedUnder(item, site)
  const { status, date } = stateOf(item, settings, { whole, note })
  const author = authorOf(item, site, note)
  const builder = written.trim() === '' ? builders.find(([name]) => metaOf(item, name) !== '') : undefined
  if (builder) note(`its text is in the data of ${builder[1]} alone, which is not read`)
  return {
    kind: 'post',
    path,
    hash: hashOf([[...item.fields], usedMeta(item), item.terms, image, author, timezone.name, synced]),
    title: titleOf(fieldOf(item, 'title'), [nameOf(item), firstLine(parts)], note),
    content: converted.markdown,
    excerpt: excerptOf(fieldOf(item, 'excerpt:encoded'), note),
    slug: slugOf(fieldOf(item, 'wp:post_name'), note),
    date,
    updated: gmtDate(fieldOf(item, 'wp:post_modified_gmt')) ?? null,
    status,
    authors: author ? [author] : [],
    categories: category === undefined ? [] : [fitName('category', category, sourceLimits.categoryLength, note)],
    tags: fitTags(tags, note),
    seo: seoOf(item, site, image, note),
    aliases: aliasesOf(item, site),
    media: [],
    notes,
    losses: lossesOf(item, { whole, site }, converted),
  }
}

/** How far a text is looked into for its first words. */
const maxFirstLine = 10_000

/** Plugins that keep the text of a page in a field of their own. */
const builders = [
  ['_elementor_data', 'Elementor'],
  ['_fl_builder_data', 'Beaver Builder'],
  ['_bricks_page_content_2', 'Bricks'],
  ['ct_builder_shortcodes', 'Oxygen'],
] as const

/** The words of the slug, unless they are no more than the number of the post: WordPress makes that the slug where there is no title. */
function nameOf(item: WxrItem): string {
  const name = percentDecoded(fieldOf(item, 'wp:post_name'))
  return name === fieldOf(item, 'wp:post_id') ? '' : name.replaceAll('-', ' ')
}

const lineEnd = /<\/(?:p|h[1-6]|li|div|blockquote|figure|figcaption|pre|td)>|<br\b|\n/i

/** The first words that a reader sees, up to the end of their line; empty if there are none. */
function firstLine(parts: readonly HtmlPart[]): string {
  for (const { html } of parts) {
    const line = html
      .slice(0, maxFirstLine)
      .split(lineEnd)
      .find((each) => plainText(each) !== '')
    if (line !== undefined) return line
  }
  return ''
}

/** Addresses on the site itself keep working when the text moves elsewhere. */
function absolute(url: string, siteUrl: string): string {
  if (/^\/\//.test(url)) return `https:${url}`
  return (url.startsWith('/') ? parseUrl(url, siteUrl)?.href : undefined) ?? url
}

type State = Pick<SourcePost, 'status' | 'date'>

const publicStatuses = ['publish', 'future', 'private']
const draftStatuses = ['draft', 'pending', 'auto-draft', 'trash', '']

/** Nothing that not everybody could read becomes public. `whole`: the text with its synced blocks. */
function stateOf(item: WxrItem, settings: PostSettings, { whole, note }: { readonly whole: string; readonly note: Note }): State {
  const status = fieldOf(item, 'wp:status').trim()
  const hasPassword = fieldOf(item, 'wp:post_password') !== ''
  if (!publicStatuses.includes(status)) {
    if (!draftStatuses.includes(status)) note(`the status "${status}" says nothing to this service; taken as a draft`)
    return { status: 'draft', date: null }
  }
  const date = dateOf(item, settings, note)
  const reason =
    status === 'private' ? 'it was private' : hasPassword ? 'it needed a password' : whyNotForAll((name) => metaOf(item, name), whole)
  if (reason !== undefined) {
    note(`${reason}; archived`)
    return { status: 'archived', date }
  }
  if (status === 'future' && (date === null || date <= settings.now)) {
    note('it was scheduled for a time that has passed, and never published; taken as a draft')
    return { status: 'draft', date: null }
  }
  return { status: 'published', date }
}

function dateOf(item: WxrItem, { timezone }: PostSettings, note: Note): Instant | null {
  const date = gmtDate(fieldOf(item, 'wp:post_date_gmt'))
  if (date) return date
  const local = realDate(fieldOf(item, 'wp:post_date'))
  if (local === undefined) return readDate(fieldOf(item, 'pubDate').trim(), utc) ?? null
  if (timezone === undefined) note('its date is given without a zone and taken as UTC; --timezone names the zone of the site')
  return readDate(local, timezone ?? utc) ?? null
}

function gmtDate(text: string): Instant | undefined {
  const date = realDate(text)
  return date === undefined ? undefined : readDate(date, utc)
}

/** WordPress writes a date that is not set as zeros. */
function realDate(text: string): string | undefined {
  const date = text.trim()
  return date === '' || date.startsWith('0000') ? undefined : date
}

function authorOf(item: WxrItem, { channel }: SiteIndex, note: Note): SourceAuthor | undefined {
  const creator = fieldOf(item, 'dc:creator').trim()
  if (creator === '') return undefined
  const author = channel.authors.get(creator) ?? channel.authors.get(creator.replace(/^[^\p{L}\p{N}]+/u, ''))
  const { login = creator, name = creator, email = '' } = author ?? {}
  const plain = fitName('author', name, sourceLimits.authorNameLength, note) || login
  return { key: login, name: plain, email: fitEmail('e-mail address', email === '' ? null : email, note), bio: null, avatarUrl: null }
}

interface Filing {
  readonly category: string | undefined
  readonly tags: readonly string[]
}

/** The category that an SEO plugin calls the primary one, else the first. The others are tags. */
function filedUnder(item: WxrItem, { channel }: SiteIndex): Filing {
  const categories = item.terms.filter(({ taxonomy }) => taxonomy === 'category')
  const primaryId = metaOf(item, '_yoast_wpseo_primary_category', 'rank_math_primary_category')
  const primarySlug = channel.categorySlugs.get(primaryId)
  const primary = categories.find(({ slug }) => slug !== '' && slug === primarySlug) ?? categories.find(({ name }) => name !== '')
  const others = categories.filter((term) => term !== primary)
  const tags = item.terms.filter(({ taxonomy }) => taxonomy === 'post_tag' || taxonomy === 'tag')
  return { category: primary?.name, tags: [...others, ...tags].map(({ name }) => name) }
}

function thumbnailOf(item: WxrItem, { attachmentUrls }: SiteIndex): string | null {
  return attachmentUrls.get(metaOf(item, '_thumbnail_id')) ?? null
}

const seoMeta = {
  title: ['_yoast_wpseo_title', 'rank_math_title', '_aioseo_title', '_aioseop_title'],
  description: ['_yoast_wpseo_metadesc', 'rank_math_description', '_aioseo_description', '_aioseop_description'],
  canonicalUrl: ['_yoast_wpseo_canonical', 'rank_math_canonical_url'],
  ogImage: ['_yoast_wpseo_opengraph-image', 'rank_math_facebook_image'],
} as const

function seoOf(item: WxrItem, site: SiteIndex, image: string | null, note: Note): SourceSeo {
  const { seoTitleLength, seoDescriptionLength } = sourceLimits
  const meta = (names: readonly string[]) => metaOf(item, ...names)
  return {
    title: textOrNull('SEO title', filledIn(meta(seoMeta.title), item, site, note), seoTitleLength, note),
    description: textOrNull('SEO description', filledIn(meta(seoMeta.description), item, site, note), seoDescriptionLength, note),
    canonicalUrl: fitUrl('canonical URL', meta(seoMeta.canonicalUrl) || null, note),
    ogImage: fitUrl('featured image', image ?? (meta(seoMeta.ogImage) || null), note),
  }
}

/** SEO plugins keep patterns such as `%%title%% %%sep%% %%sitename%%`. A pattern with other variables is left out. */
function filledIn(pattern: string, item: WxrItem, { channel }: SiteIndex, note: Note): string {
  const values: Readonly<Record<string, string>> = {
    title: plainText(fieldOf(item, 'title')),
    sitename: plainText(channel.title),
    sep: '-',
    page: '',
    excerpt: plainText(fieldOf(item, 'excerpt:encoded')),
  }
  const text = pattern.replace(/%%?([a-z_]{1,40})%%?/g, (variable, name: string) => values[name] ?? variable)
  const unknown = /%%?[a-z_]{1,40}%%?/.exec(pattern.startsWith('%') || pattern.includes(' %') ? text : '')?.[0]
  if (unknown === undefined) return text
  note(`the SEO pattern "${pattern.slice(0, 100)}" has variables that only its plugin knows; left out`)
  return ''
}

/** Where the post was: its permalink, and the same with each of its earlier slugs. */
function aliasesOf(item: WxrItem, { channel }: SiteIndex): readonly string[] {
  const link = fieldOf(item, 'link').trim()
  const url = parseUrl(link)
  if (!url) return []
  const { pathname, search, host } = url
  const isOwn = (parseUrl(channel.siteUrl)?.host ?? host) === host
  const isPermanent = !['draft', 'pending', 'auto-draft', 'trash'].includes(fieldOf(item, 'wp:status').trim())
  if (!isOwn || !isPermanent || (pathname === '/' && search === '')) return []
  const slug = fieldOf(item, 'wp:post_name').trim()
  const at = slug === '' ? -1 : pathname.toLowerCase().lastIndexOf(slug.toLowerCase())
  const old = (item.meta.get('_wp_old_slug') ?? []).map((each) => each.trim()).filter((each) => each !== '' && at >= 0)
  return [`${pathname}${search}`, ...old.map((each) => `${pathname.slice(0, at)}${each}${pathname.slice(at + slug.length)}`)]
}

/** Custom fields that the post is made of. WordPress changes others whenever somebody looks at the post. */
function usedMeta(item: WxrItem): readonly unknown[] {
  const used = [
    ...Object.values(seoMeta).flat(),
    '_thumbnail_id',
    '_yoast_wpseo_primary_category',
    'rank_math_primary_category',
    '_wp_old_slug',
    'footnotes',
    ultimateMember,
    ...memberFields,
  ]
  return used.map((name) => item.meta.get(name) ?? [])
}

function lossesOf(
  item: WxrItem,
  { whole, site }: { readonly whole: string; readonly site: SiteIndex },
  { markdown, keptBlocks, dropped }: ConvertedHtml,
): Readonly<Record<string, number>> {
  const losses = new Map<string, number>()
  const add = (name: string, count: number) => count > 0 && losses.set(name, (losses.get(name) ?? 0) + count)
  add('comment', item.comments)
  add('posts without text', markdown.trim() === '' ? 1 : 0)
  add('block kept as HTML', keptBlocks)
  for (const [name, count] of dropped) add(`<${name}>`, count)
  for (const [name, count] of shortcodesIn(whole)) if (!/caption$/.test(name)) add(`shortcode [${name}], left as text`, count)
  for (const [name, count] of emptyBlocksIn(whole, site.syncedBlocks)) add(name, count)
  for (const { taxonomy } of item.terms) if (!['category', 'post_tag', 'tag'].includes(taxonomy)) add(`taxonomy ${taxonomy}`, 1)
  const isKnown = (name: string) => name === ultimateMember || (name === 'footnotes' && /<!--\s*wp:footnotes\b/.test(whole))
  for (const name of item.meta.keys())
    if (!name.startsWith('_') && !name.startsWith('rank_math_') && !isKnown(name)) add(`custom field ${name}`, 1)
  return Object.fromEntries(losses)
}
