/** The settings of a project for its public site. */
export interface Site {
  /** The public URL of the site. */
  readonly siteUrl: string | null
  /** The path of a post on the site, such as `/blog/{slug}`. */
  readonly permalink: string | null
}

/** The URL of a post on its site, if the project has a site URL and a permalink. */
export function permalinkOf({ siteUrl, permalink }: Site, post: { readonly id: string; readonly slug: string }): URL | undefined {
  if (siteUrl === null || permalink === null) return undefined
  const url = siteUrl.replace(/\/$/, '') + permalink.replaceAll('{slug}', post.slug).replaceAll('{id}', post.id)
  return URL.canParse(url) ? new URL(url) : undefined
}
