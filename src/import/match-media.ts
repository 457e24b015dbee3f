import type { Caller } from '../actions/caller.ts'
import { createMedia, type Media } from '../resources/media/media.ts'
import { findMediaByUrl } from '../resources/media/media-store.ts'
import { newId, type Random } from '../values/ids.ts'
import type { ImportContext } from './import-context.ts'
import type { SourceKind, SourceMedia } from './source-post.ts'
import { findSources, mediaPath, type SourceEntry, sourceHash } from './source-store.ts'

interface MatchedMedia {
  readonly created: readonly Media[]
  /** Of those that the source had not named before. */
  readonly entries: readonly SourceEntry[]
}

/** Finds the records of assets: as imported before, else by URL. Those that are not found are made. A record that exists stays as it is. */
export async function matchMedia(
  { db, planned }: ImportContext,
  caller: Caller,
  { source, media, random }: { readonly source: SourceKind; readonly media: readonly SourceMedia[]; readonly random: Random },
): Promise<MatchedMedia> {
  const { projectId, now } = caller
  const named = new Map(media.map((asset) => [mediaPath(asset.key), asset]))
  const known = await findSources(db, { projectId, source }, [...named.keys()])
  const unknown = [...named].filter(([path]) => !known.has(path) && !planned.media.has(path))
  const { mediaByUrl } = planned
  const urls = unknown.flatMap(([, { url }]) => (mediaByUrl.has(url) ? [] : url))
  for (const found of await findMediaByUrl(db, projectId, urls)) mediaByUrl.set(found.url, found)
  const created: Media[] = []
  const entries = unknown.map(([path, asset]): SourceEntry => {
    const { key, ...fields } = asset
    const record = mediaByUrl.get(asset.url) ?? createMedia(newId('med', now, random), fields, now).media
    if (!mediaByUrl.has(asset.url)) created.push(record)
    mediaByUrl.set(asset.url, record)
    planned.media.add(path)
    return { path, hash: sourceHash(asset), kind: 'media', resourceId: record.id, version: record.version }
  })
  return { created, entries }
}
