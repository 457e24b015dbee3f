import type { Instant } from '../../values/instant.ts'
import { createHtmlConverter } from '../html/convert-html.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import { type GhostSettings, ghostPost } from './ghost-post.ts'
import { MissingSiteUrl } from './missing-site-url.ts'
import { flagField, type GhostFields, readRows, textField } from './read-ghost.ts'
import { readTables, type SiteTables } from './site-tables.ts'

export interface GhostOptions {
  /** Without a slash at its end. */
  readonly siteUrl: string | undefined
  /** Pages come in as posts. */
  readonly pages: boolean
  readonly primaryTagIsCategory: boolean
  readonly now: Instant
  onProgress(posts: number): void
}

/** Opens an export of Ghost. Throws `FileFault` for a file that cannot be read to its end, or `MissingSiteUrl`. */
export async function openGhost(path: string, options: GhostOptions): Promise<ImportSource> {
  const site = await readTables(path, options.onProgress)
  if (site.needsSiteUrl && options.siteUrl === undefined) throw new MissingSiteUrl()
  return { kind: 'ghost', isWhole: false, others: [], total: site.posts, read: () => readSource(path, site, options) }
}

async function* readSource(path: string, site: SiteTables, options: GhostOptions): AsyncGenerator<SourceItem, void, void> {
  const { siteUrl, primaryTagIsCategory, now } = options
  const settings: GhostSettings = { site, convert: createHtmlConverter(), siteUrl, primaryTagIsCategory, now }
  for await (const { table, fields } of readRows(path)) if (table === 'posts') yield toSourceItem(fields, settings, options)
}

function toSourceItem(post: GhostFields, settings: GhostSettings, { pages }: GhostOptions): SourceItem {
  const path = pathOf(post, settings.site)
  const type = textField(post, 'type') || (flagField(post, 'page') ? 'page' : 'post')
  if (type !== 'post' && !(type === 'page' && pages)) return { kind: 'skip', path, reason: type.slice(0, 40) }
  return ghostPost(post, path, settings)
}

/** A post is known by its id. One that is no more than a number is not unique among sites: then the post's UUID, or the site's title, says more. */
function pathOf(post: GhostFields, { title }: SiteTables): string {
  const id = textField(post, 'id')
  const uuid = textField(post, 'uuid')
  if (/^[0-9a-f]{24}$/.test(id)) return `ghost:${id}`
  return uuid === '' ? `ghost:${title}/${id || textField(post, 'slug')}` : `ghost:${uuid}`
}
