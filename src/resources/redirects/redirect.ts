import { Problem } from '../../values/problems.ts'
import { escapedPath, pathOf } from '../site/alias.ts'
import { type LinkedPost, postPath, type Site } from '../site/site.ts'

/** A site whose posts have URLs. */
export type LinkingSite = Pick<Site, 'siteUrl'> & { readonly permalink: string }

/** 404 without a permalink: nobody knows then where posts are. */
export function requireLinks({ siteUrl, permalink }: Site): LinkingSite {
  if (permalink !== null) return { siteUrl, permalink }
  throw new Problem('not_found', 'The project has no permalink, so the paths of its posts are unknown; set one with verso project edit.')
}

/** The path of a post from the root of its host, as it stands in URLs. */
export function addressOf({ siteUrl, permalink }: LinkingSite, post: LinkedPost): string {
  return escapedPath(pathOf(pathBelow(siteUrl) + postPath(permalink, post)))
}

/** Whether a former slug led to another path than the present one. */
export function showsSlugs({ permalink }: LinkingSite): boolean {
  return permalink.includes('{slug}')
}

/** The path of the site URL, without a slash at its end. */
function pathBelow(siteUrl: string | null): string {
  return siteUrl === null || !URL.canParse(siteUrl) ? '' : new URL(siteUrl).pathname.replace(/\/$/, '')
}
