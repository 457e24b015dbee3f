const strayPercent = /%(?![0-9a-f]{2})/gi
/** The escapes of one character in UTF-8, unless it is `%`, `\` or an ASCII control. */
const readable = /%(?:(?!25|5C|7F)[2-7][0-9A-F]|[CD][0-9A-F]%[89AB][0-9A-F]|E[0-9A-F](?:%[89AB][0-9A-F]){2}|F[0-7](?:%[89AB][0-9A-F]){3})/g

/**
 * An alias in the form that tells whether two are the same: escapes that can be read are decoded. `/caf%C3%A9` and `/café` are one path, `/a`
 * and `/a/` are two.
 */
export function pathOf(alias: string): string {
  const capital = alias.replace(strayPercent, '%25').replace(/%[0-9a-f]{2}/gi, (each) => each.toUpperCase())
  return capital.replace(readable, (each) => {
    try {
      return decodeURI(each)
    } catch {
      return each
    }
  })
}

/** A path of `pathOf` as it stands in URLs, with everything escaped that has to be (RFC 3986). */
export function escapedPath(path: string): string {
  return encodeURI(path).replaceAll('%25', '%')
}

/** Aliases by their path. Of two that are the same, the first spelling is kept. */
export function byPath(aliases: readonly string[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>()
  for (const alias of aliases) {
    const path = pathOf(alias)
    if (!spellings.has(path)) spellings.set(path, alias)
  }
  return spellings
}
