/** One `<item>` of an export as it is written there: a post, a page, an attachment or anything else. */
export interface WxrItem {
  /** Where it begins in the file, counted from 1. */
  readonly line: number
  /** Text by the name of its element, such as `wp:post_id`. */
  readonly fields: ReadonlyMap<string, string>
  readonly meta: ReadonlyMap<string, readonly string[]>
  readonly terms: readonly WxrTerm[]
  readonly comments: number
}

/** What a post is filed under. */
export interface WxrTerm {
  /** `category`, `post_tag` or another taxonomy. */
  readonly taxonomy: string
  readonly slug: string
  readonly name: string
}

export interface WxrAuthor {
  readonly login: string
  readonly email: string
  readonly name: string
}

/** What an export says besides its items. */
export interface WxrChannel {
  readonly version: string
  readonly title: string
  /** Of the site, without a slash at its end. */
  readonly siteUrl: string
  readonly authors: ReadonlyMap<string, WxrAuthor>
  /** The slug of each category by its id. */
  readonly categorySlugs: ReadonlyMap<string, string>
}

export function fieldOf(item: WxrItem, name: string): string {
  return item.fields.get(name) ?? ''
}

/** The first value of a custom field that is not empty. */
export function metaOf(item: WxrItem, ...names: readonly string[]): string {
  for (const name of names) for (const value of item.meta.get(name) ?? []) if (value.trim() !== '') return value.trim()
  return ''
}
