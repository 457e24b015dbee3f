import { ownCopy } from '../../values/code-points.ts'
import { mediaOf } from '../source-media.ts'
import type { SourceMedia } from '../source-post.ts'
import { ChannelFacts, readItems } from './read-wxr.ts'
import type { SyncedBlocks } from './synced-blocks.ts'
import { fieldOf, metaOf, type WxrChannel, type WxrItem } from './wxr-item.ts'

/** What posts of an export refer to, wherever it stands in the file. */
export interface SiteIndex {
  readonly channel: WxrChannel
  readonly items: number
  /** The address of an attachment, by its id. */
  readonly attachmentUrls: ReadonlyMap<string, string>
  readonly syncedBlocks: SyncedBlocks
  /** The address of the picture that WordPress made a smaller one of, or the address itself. */
  originalOf(url: string): string
}

/** Reads a whole export once, so that nothing is imported from a file that is broken further on. */
export async function indexSite(path: string, onProgress: (items: number) => void): Promise<SiteIndex> {
  const channel = new ChannelFacts()
  const attachmentUrls = new Map<string, string>()
  const syncedBlocks = new Map<string, string | null>()
  const originals = new Map<string, string>()
  let items = 0
  for await (const item of readItems(path, channel)) {
    items += 1
    if (items % 1_000 === 0) onProgress(items)
    const type = fieldOf(item, 'wp:post_type')
    const id = ownCopy(fieldOf(item, 'wp:post_id'))
    if (type === 'wp_block') syncedBlocks.set(id, isShown(item) ? ownCopy(fieldOf(item, 'content:encoded')) : null)
    if (type !== 'attachment') continue
    const url = ownCopy(attachmentUrl(item))
    attachmentUrls.set(id, url)
    originals.set(placeOf(url), url)
  }
  const originalOf = (url: string) => {
    const unsized = url.replace(/-\d{1,5}x\d{1,5}(\.[a-z]{3,4})(?=$|\?)/i, '$1')
    if (unsized === url || originals.has(placeOf(url))) return url
    return originals.get(placeOf(unsized)) ?? originals.get(placeOf(unsized.replace(/(\.[a-z]{3,4})$/i, '-scaled$1'))) ?? url
  }
  return { channel, items, attachmentUrls, syncedBlocks, originalOf }
}

/** WordPress shows no synced block that is a draft, in the trash or behind a password. */
function isShown(item: WxrItem): boolean {
  return fieldOf(item, 'wp:status').trim() === 'publish' && fieldOf(item, 'wp:post_password') === ''
}

/** Addresses that differ in their scheme are one place. */
function placeOf(url: string): string {
  return url.replace(/^https?:/i, '').split(/[?#]/, 1)[0] ?? ''
}

function attachmentUrl(item: WxrItem): string {
  return fieldOf(item, 'wp:attachment_url').trim() || fieldOf(item, 'guid').trim()
}

/** The media record of an attachment; none if it is no picture. */
export function attachedMedia(item: WxrItem, path: string): SourceMedia | undefined {
  const metadata = metaOf(item, '_wp_attachment_metadata')
  // PHP's serialisation. The facts of the picture itself come before those of smaller ones.
  const numbers = [...metadata.matchAll(/"(width|height|filesize)";i:(\d{1,15});/g)]
  const number = (name: string) => Number(numbers.find(([, each]) => each === name)?.[2] ?? 0)
  return mediaOf(attachmentUrl(item), {
    key: path,
    width: number('width'),
    height: number('height'),
    size: number('filesize'),
    alt: metaOf(item, '_wp_attachment_image_alt'),
  })
}
