import type { MediaId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'

export const mimeTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml'] as const
export type MimeType = (typeof mimeTypes)[number]

/** The description of an asset, which is stored elsewhere and never fetched. */
interface Asset {
  readonly url: string
  readonly filename: string
  readonly mimeType: MimeType
  /** Bytes. */
  readonly size: number
  /** Pixels; 0 for an SVG without an intrinsic size. */
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

/** Faults where width or height is 0 although this type of image always has a size. */
export function dimensionFaults({ mimeType, ...asset }: Partial<Asset>): readonly Fault[] {
  if (mimeType === undefined || mimeType === 'image/svg+xml') return []
  return (['width', 'height'] as const)
    .filter((name) => asset[name] === 0)
    .map((name) => ({
      pointer: `/${name}`,
      code: 'out_of_range',
      detail: `${name} must be >= 1; 0 is only for an SVG without an intrinsic size.`,
    }))
}
