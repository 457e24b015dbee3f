import { type Timezone, utc } from '../../src/import/markdown/post-fields/timezone.ts'
import { toSourcePost } from '../../src/import/markdown/post-fields/to-source-post.ts'
import type { SourceItem, SourcePost } from '../../src/import/source-post.ts'

/** What one file says, read by itself. */
export function itemOf(text: string, path = 'a-post.md', timezone: Timezone = utc): SourceItem {
  const around = { folderFields: new Map(), isAmongPosts: false, isInBundle: false }
  return toSourcePost({ path, hash: '', text, ...around }, { timezone, lookup: () => undefined })
}

export function postOf(text: string, path?: string, timezone?: Timezone): SourcePost {
  const item = itemOf(text, path, timezone)
  if (item.kind !== 'post') throw new Error(`no post: ${JSON.stringify(item)}`)
  return item
}
