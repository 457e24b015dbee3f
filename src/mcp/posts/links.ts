/** The targets of the inline links of a Markdown text, but not those of its pictures. */
export function linksIn(text: string): readonly string[] {
  return targets(text)
    .filter(({ alt }) => alt === undefined)
    .map(({ url }) => url)
}

interface Picture {
  readonly url: string
  readonly alt: string
}

/** The inline pictures of a Markdown text. */
export function picturesIn(text: string): readonly Picture[] {
  return targets(text).flatMap(({ url, alt }) => (alt === undefined ? [] : [{ url, alt }]))
}

interface Target {
  readonly url: string
  /** The text of a picture; none for a link. */
  readonly alt: string | undefined
}

/** Nobody reads more faults. */
const mostTargets = 1_000

const [longestText, longestUrl] = [500, 2_048]

/** What stands in `](…)`. Looks back for the bracket that opens it, over one line at most. */
function targets(text: string): readonly Target[] {
  const found: Target[] = []
  for (let at = text.indexOf(']('); at >= 0 && found.length < mostTargets; at = text.indexOf('](', at + 2)) {
    const before = text.slice(Math.max(0, at - longestText), at)
    const open = before.lastIndexOf('[')
    const url = /^<?([^\s)>]*)/.exec(text.slice(at + 2, at + 2 + longestUrl))?.[1] ?? ''
    if (open < 0 || url === '') continue
    const label = before.slice(open + 1)
    // A link around a picture has the picture's bracket before it.
    found.push({ url, alt: before[open - 1] === '!' && !label.includes('](') ? label : undefined })
  }
  return found
}
