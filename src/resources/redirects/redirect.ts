import { parseUrl } from '../../values/parse-url.ts'
import { Problem } from '../../values/problems.ts'
import { escapedPath, pathOf } from '../site/alias.ts'
import { type LinkedPost, type Placeholder, placeholders, postPath, type Site } from '../site/site.ts'

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

/** A part of the path of posts: a text, or what each post has in its place. */
type PlacePart = { readonly text: string } | { readonly placeholder: Placeholder }

/** The parts of the path of posts with or without a category, in the form of `pathOf` and without a slash at its end. */
export function placeParts({ siteUrl, permalink }: LinkingSite, hasCategory: boolean): readonly PlacePart[] {
  const pattern = hasCategory ? permalink : permalink.replaceAll('{category}', '').replace(/\/{2,}/g, '/')
  const pieces = `${pathBelow(siteUrl)}${pattern}`.replace(/\/$/, '').split(/\{(\w+)\}/)
  return pieces.map((piece, index) => {
    const placeholder = index % 2 === 1 ? placeholders.find((each) => each === piece) : undefined
    return placeholder ? { placeholder } : { text: pathOf(piece) }
  })
}

/** Whether a former slug led to another path than the present one. */
export function showsSlugs({ permalink }: LinkingSite): boolean {
  return permalink.includes('{slug}')
}

/** The path of the site URL, without a slash at its end. */
function pathBelow(siteUrl: string | null): string {
  return parseUrl(siteUrl ?? '')?.pathname.replace(/\/$/, '') ?? ''
}
