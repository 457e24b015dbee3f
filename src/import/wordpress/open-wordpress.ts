import type { Instant } from '../../values/instant.ts'
import { createHtmlConverter } from '../html/convert-html.ts'
import type { Timezone } from '../markdown/post-fields/timezone.ts'
import type { ImportSource, SourceItem } from '../source-post.ts'
import { readItems } from './read-wxr.ts'
import { attachedMedia, indexSite, type SiteIndex } from './site-index.ts'
import { type PostSettings, wordpressPost } from './wordpress-post.ts'
import { fieldOf, type WxrItem } from './wxr-item.ts'

export interface WordpressOptions {
  /** Types of items that are posts. */
  readonly types: readonly string[]
  /** Posts in the trash come in as drafts. */
  readonly trash: boolean
  readonly timezone: Timezone | undefined
  readonly now: Instant
  onProgress(items: number): void
}

/** Opens an export of WordPress. Throws `FileFault` for a file that cannot be read to its end. */
export async function openWordpress(path: string, options: WordpressOptions): Promise<ImportSource> {
  const site = await indexSite(path, options.onProgress)
  return { kind: 'wordpress', isWhole: false, others: [], total: site.items, read: () => readSource(path, site, options) }
}

async function* readSource(path: string, site: SiteIndex, options: WordpressOptions): AsyncGenerator<SourceItem, void, void> {
  const settings: PostSettings = { site, convert: createHtmlConverter(), timezone: options.timezone, now: options.now }
  for await (const item of readItems(path)) yield toSourceItem(item, settings, options)
}

function toSourceItem(item: WxrItem, settings: PostSettings, { types, trash }: WordpressOptions): SourceItem {
  const path = pathOf(item, settings.site)
  const type = fieldOf(item, 'wp:post_type').trim() || 'post'
  if (type === 'attachment') {
    const media = attachedMedia(item, path)
    return media ? { kind: 'picture', path, media } : { kind: 'skip', path, reason: 'attachment that is no picture' }
  }
  if (!types.includes(type)) return { kind: 'skip', path, reason: type.slice(0, 40) }
  if (fieldOf(item, 'wp:status').trim() === 'trash' && !trash) return { kind: 'skip', path, reason: 'trash' }
  return wordpressPost(item, path, settings)
}

/** An item is known by its site and its id. The GUID is empty or the same for many posts in real exports. */
function pathOf(item: WxrItem, { channel }: SiteIndex): string {
  const id = fieldOf(item, 'wp:post_id').trim()
  const name = id === '' ? fieldOf(item, 'wp:post_name').trim() || fieldOf(item, 'link').trim() || fieldOf(item, 'title').trim() : id
  return `${channel.siteUrl}/?p=${name}`
}
