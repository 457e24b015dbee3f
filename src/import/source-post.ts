import type { MimeType } from '../resources/media/media.ts'
import type { Instant } from '../values/instant.ts'

/** The kinds of source that posts are imported from. */
export type SourceKind = 'markdown' | 'wordpress' | 'ghost'

/** Where posts come from, such as a folder or an export file. Only the source knows its format. */
export interface ImportSource<P extends SourcePost = SourcePost> {
  readonly kind: SourceKind
  /** It has every post of the site, so that a post of an earlier import that it does not have is gone from there. */
  readonly isWhole: boolean
  /** What was found before reading and is not read: it holds no post, or it is at fault. */
  readonly others: readonly (SourceSkip | SourceFault)[]
  /** How many items `read` gives. */
  readonly total: number
  /** Reads one item at a time, in an order that stays the same. */
  read(): Iterable<SourceItem<P>> | AsyncIterable<SourceItem<P>>
}

/** What was read: a post, a picture, something that could not be read, or something that is neither. */
export type SourceItem<P extends SourcePost = SourcePost> = P | SourcePicture | SourceFault | SourceSkip

/** A post of the source, within the limits of the service. */
export interface SourcePost {
  readonly kind: 'post'
  /** Names the post within its source: the path of its file, or its site and id. */
  readonly path: string
  /** SHA-256 of what was read, in hexadecimal. Another hash means that the source has changed. */
  readonly hash: string
  readonly title: string
  readonly content: string
  readonly excerpt: string | null
  /** Well-formed, or null if it has to be made from the title. */
  readonly slug: string | null
  readonly date: Instant | null
  readonly updated: Instant | null
  /** A published post whose date is in the future is scheduled. */
  readonly status: 'draft' | 'published' | 'archived'
  /** In the order given; a post keeps the first. */
  readonly authors: readonly SourceAuthor[]
  /** In the order given; a post keeps the first. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly seo: SourceSeo
  /** Earlier URLs of the post. */
  readonly aliases: readonly string[]
  /** Pictures that become media records of the project. */
  readonly media: readonly SourceMedia[]
  /** What was lost or changed by reading, one sentence each. */
  readonly notes: readonly string[]
  /** What the post has and this service does not keep or understand, by name, such as `field layout` or `Liquid`, and how often. */
  readonly losses?: Losses
}

export type Losses = Readonly<Record<string, number>>

export interface SourceAuthor {
  /** Names the author within the source: a handle, a key of an author file or the name itself. */
  readonly key: string
  readonly name: string
  readonly email: string | null
  readonly bio: string | null
  readonly avatarUrl: string | null
}

/** An asset that a source knows. It is known again by its key, else by its URL. */
export interface SourceMedia {
  /** Names the asset within the source: its id, or its URL where it has none. */
  readonly key: string
  readonly url: string
  readonly filename: string
  readonly mimeType: MimeType
  /** Bytes; 0 if unknown. */
  readonly size: number
  /** Pixels; 0 if unknown. */
  readonly width: number
  readonly height: number
  readonly alt: string
}

/** An asset that stands in the source by itself. */
export interface SourcePicture {
  readonly kind: 'picture'
  readonly path: string
  readonly media: SourceMedia
}

export interface SourceSeo {
  readonly title: string | null
  readonly description: string | null
  readonly canonicalUrl: string | null
  readonly ogImage: string | null
}

/** Something that should hold a post and cannot be read. Nothing of it is imported. */
export interface SourceFault {
  readonly kind: 'fault'
  readonly path: string
  /** Counted from 1; null if the fault is not on one line. */
  readonly line: number | null
  readonly message: string
}

/** Something that holds no post. */
export interface SourceSkip {
  readonly kind: 'skip'
  readonly path: string
  /** A word of the source, such as `page`; the report counts skips by it. */
  readonly reason: string
}

/** A fault in a text whose path is not known yet. */
export interface TextFault {
  readonly fault: string
  readonly line: number | null
}

/** Notes down what was lost or changed. */
export type Note = (sentence: string) => void

export function isTextFault(value: unknown): value is TextFault {
  return typeof value === 'object' && value !== null && 'fault' in value
}
