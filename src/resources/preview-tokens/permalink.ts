/** What a project says of the site on which its posts are read. */
export interface Site {
  /** Where the site stands for its readers. */
  readonly siteUrl: string | null
  /** The path of a post on it, such as `/blog/{slug}`. */
  readonly permalink: string | null
}

/** Where a post stands on its site; none where the project does not say. */
export function permalinkOf({ siteUrl, permalink }: Site, post: { readonly id: string; readonly slug: string }): URL | undefined {
  if (siteUrl === null || permalink === null) return undefined
  const url = siteUrl.replace(/\/$/, '') + permalink.replaceAll('{slug}', post.slug).replaceAll('{id}', post.id)
  return URL.canParse(url) ? new URL(url) : undefined
}
