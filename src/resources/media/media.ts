import type { MediaId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

export const mimeTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml'] as const
export type MimeType = (typeof mimeTypes)[number]

/** The description of an asset, which is stored elsewhere and never fetched. */
interface Asset {
  readonly url: string
  readonly filename: string
  readonly mimeType: MimeType
  /** Bytes; 0 if unknown. */
  readonly size: number
  /** Pixels; 0 if unknown, or for an SVG without an intrinsic size. */
  readonly width: number
  readonly height: number
  readonly alt: string
}

/** The record of an asset. */
export interface Media extends Asset {
  readonly id: MediaId
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

type MediaEdits = Partial<Pick<Asset, 'filename' | 'alt'>>

/** The result of a rule: the new state and its events. Without news, nothing has changed and nothing is written. */
export interface MediaChange {
  readonly media: Media
  readonly news: readonly ('media.created' | 'media.updated')[]
}

export function createMedia(id: MediaId, asset: Asset, now: Instant): MediaChange {
  return { media: { id, ...asset, createdAt: now, updatedAt: now, version: 1 }, news: ['media.created'] }
}

/** Changes a record. If the edits change nothing, its version and time stay. */
export function editMedia(media: Media, { filename = media.filename, alt = media.alt }: MediaEdits, now: Instant): MediaChange {
  if (filename === media.filename && alt === media.alt) return { media, news: [] }
  return { media: { ...media, filename, alt, updatedAt: now, version: media.version + 1 }, news: ['media.updated'] }
}
