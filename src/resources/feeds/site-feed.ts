import { uuidOf } from '../../values/ids.ts'
import type { FeedContent, Site } from '../site/site.ts'

/** What a feed is about: the whole project, or what one of these names. */
export const subjectKinds = ['tags', 'categories', 'authors'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export interface Subject {
  readonly id: string
  readonly name: string
}

/** A post in a feed. Its URLs are absolute. */
export interface FeedPost {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly excerpt: string | null
  /** Safe HTML with absolute URLs, as the format of the feed has it: as text of XML, or as a string of JSON. None if the feed has excerpts. */
  readonly html: Uint8Array | undefined
  readonly publishedAt: string
  readonly updatedAt: string
  readonly author: string | null
  /** Its category and its tags. */
  readonly subjects: readonly string[]
  readonly image: string | null
}

/** Everything that a feed says, in whatever format. */
export interface Feed {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly siteUrl: string
  /** Where the feed itself is. */
  readonly selfUrl: string
  /** When the last of its posts changed; without posts, when the project was made. */
  readonly updatedAt: string
  /** Newest first. */
  readonly posts: readonly FeedPost[]
}

/** A site whose feeds are public. */
export interface PublicSite extends Site {
  readonly siteUrl: string
  readonly feedContent: FeedContent
  /** When the project was made. */
  readonly createdAt: string
}

/** An id as a URN that never changes. */
export function urnOf(id: string): string {
  return `urn:uuid:${uuidOf(id)}`
}
