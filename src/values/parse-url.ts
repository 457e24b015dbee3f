/**
 * The URL of a text, if it is one. `URL.canParse` of Node 20 refuses what has an `ü` in it once it has been called a thousand times or so: then
 * its compiled form takes Latin-1 for UTF-8.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
