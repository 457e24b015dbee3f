import type { ReadSettings } from '../../src/import/markdown/post-fields/parsed-post.ts'
import type { Timezone } from '../../src/import/markdown/post-fields/timezone.ts'
import { toSourcePost } from '../../src/import/markdown/post-fields/to-source-post.ts'
import type { SourceItem, SourcePost } from '../../src/import/source-post.ts'
import type { Instant } from '../../src/values/instant.ts'

/** When these tests take place. */
export const testNow = '2026-11-21T00:00:00.000Z' as Instant

/** What one file says, read by itself. */
export function itemOf(text: string, path = 'a-post.md', timezone?: Timezone, settings: Partial<ReadSettings> = {}): SourceItem {
  const around = {
    folderFields: new Map(),
    isAmongPosts: false,
    isInBundle: false,
    language: null,
    isTranslation: false,
    program: undefined,
    site: undefined,
  }
  return toSourcePost({ path, hash: '', text, ...around }, { timezone, now: testNow, ...settings }, () => undefined)
}

export function postOf(text: string, path?: string, timezone?: Timezone, settings?: Partial<ReadSettings>): SourcePost {
  const item = itemOf(text, path, timezone, settings)
  if (item.kind !== 'post') throw new Error(`no post: ${JSON.stringify(item)}`)
  return item
}
