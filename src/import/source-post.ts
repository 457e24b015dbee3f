import type { Instant } from '../values/instant.ts'

/** One resource met while reading a blog: a post, a file that could not be read as one, or a file that is none. */
export type SourceItem = SourcePost | SourceFault | SourceSkip

/** A post as its file says it, within the limits of the service. */
export interface SourcePost {
  readonly kind: 'post'
  /** Under the import root, with `/` between its parts. */
  readonly path: string
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly hash: string
  readonly title: string
  /** What follows the front matter, byte for byte. */
  readonly content: string
  readonly excerpt: string | null
  /** Well-formed, or null when it has to be made from the title. */
  readonly slug: string | null
  readonly date: Instant | null
  readonly updated: Instant | null
  readonly draft: boolean
  /** In the order given; a post keeps the first. */
  readonly authors: readonly SourceAuthor[]
  /** In the order given; a post keeps the first. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly seo: SourceSeo
  /** Addresses under which the post was once found. */
  readonly aliases: readonly string[]
  readonly origin: SourceOrigin
  /** What was lost or changed on the way, one sentence each. */
  readonly notes: readonly string[]
}

export interface SourceAuthor {
  /** The text that names the author in the source: a handle, a key of an author file or the name itself. */
  readonly key: string
  readonly name: string
  readonly email: string | null
  readonly bio: string | null
  readonly avatarUrl: string | null
}

export interface SourceSeo {
  readonly title: string | null
  readonly description: string | null
  readonly canonicalUrl: string | null
  readonly ogImage: string | null
}

/** Where the answers came from. */
export interface SourceOrigin {
  readonly format: FrontMatterFormat
  /** The language that the path or the front matter names. */
  readonly language: string | null
  /** The slug before it was made well-formed. */
  readonly slug: string
  readonly slugFrom: 'front matter' | 'address' | 'file name'
  readonly dateFrom: 'front matter' | 'address' | 'file name' | null
}

export type FrontMatterFormat = 'yaml' | 'toml' | 'json' | 'none'

/** A file that was meant to be read and could not be: nothing of it is taken over. */
export interface SourceFault {
  readonly kind: 'fault'
  readonly path: string
  /** Counted from 1, where the fault has a place. */
  readonly line: number | null
  readonly message: string
}

/** A file or folder that holds no post. */
export interface SourceSkip {
  readonly kind: 'skip'
  readonly path: string
  readonly reason: SkipReason
}

export type SkipReason = 'section' | 'partial' | 'redirect' | 'page' | 'data' | 'link' | 'folder' | 'other'

/** Something wrong with a text that does not know its path yet. */
export interface Flaw {
  readonly flaw: string
  readonly line: number | null
}

/** Takes down what was lost or changed. */
export type Note = (sentence: string) => void

export function isFlaw(value: unknown): value is Flaw {
  return typeof value === 'object' && value !== null && 'flaw' in value
}
