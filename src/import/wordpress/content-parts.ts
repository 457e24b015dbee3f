import type { HtmlPart } from '../html/convert-html.ts'

const comment = /<!--\s*(\/)?wp:([a-z][a-z0-9/-]*)\b/g

/**
 * The parts of a post's content: what was written in blocks is HTML, and what was not, before and between the blocks, has line breaks that
 * WordPress makes paragraphs of. The comments that mark the blocks go. Synced blocks, which are stored once for many posts, come in their places.
 */
export function contentParts(content: string, syncedBlocks: ReadonlyMap<string, string> = new Map()): readonly HtmlPart[] {
  const text = withCaptions(content.replace(/\r\n?/g, '\n'))
  const parts: HtmlPart[] = []
  let depth = 0
  let pending = ''
  let last = 0
  const end = () => {
    if (pending.trim() !== '') parts.push({ html: pending, form: depth > 0 ? 'html' : 'classic' })
    pending = ''
  }
  for (const found of text.matchAll(comment)) {
    if (found.index < last) continue
    const close = text.indexOf('-->', found.index)
    if (close < 0) break
    pending += text.slice(last, found.index)
    last = close + '-->'.length
    const isClosing = found[1] !== undefined
    const isVoid = text[close - 1] === '/'
    const synced =
      isVoid && found[2] === 'block' ? syncedBlocks.get(/"ref":\s*(\d+)/.exec(text.slice(found.index, close))?.[1] ?? '') : undefined
    if (synced !== undefined) {
      end()
      parts.push(...contentParts(synced))
    }
    if (isVoid || (isClosing && depth === 0)) continue
    if (isClosing && depth === 1) end()
    if (!isClosing && depth === 0) end()
    depth += isClosing ? -1 : 1
  }
  pending += text.slice(last)
  end()
  return parts
}

const captionStart = /\[(?:wp_)?caption\b/g

/** The shortcode of a picture with words below it, as HTML. Other shortcodes stay as text. */
function withCaptions(text: string): string {
  let made = ''
  let last = 0
  let next = 0
  for (const found of text.matchAll(captionStart)) {
    if (found.index < next) continue
    const start = text.indexOf(']', found.index)
    const end = start < 0 ? -1 : text.indexOf('[/', start)
    if (end < 0) break
    const close = /^\[\/(?:wp_)?caption\]/.exec(text.slice(end, end + 20))?.[0]
    next = close ? end + close.length : end
    if (!close) continue
    const words = / caption=(?:"([^"]*)"|'([^']*)')/.exec(text.slice(found.index, start))
    const caption = words ? ` ${words[1] ?? words[2] ?? ''}` : ''
    made += `${text.slice(last, found.index)}\n\n<figure>${splitCaption(text.slice(start + 1, end) + caption)}</figure>\n\n`
    last = next
  }
  return made + text.slice(last)
}

/** The picture, with its link, and the words after it. */
function splitCaption(html: string): string {
  const end = Math.max(html.lastIndexOf('</a>') + '</a>'.length - 1, html.indexOf('>', html.lastIndexOf('<img')))
  const picture = html.slice(0, end + 1)
  const words = html.slice(end + 1).trim()
  return words === '' ? picture : `${picture}<figcaption>${words}</figcaption>`
}

/** How many shortcodes stand in a text, by name. */
export function shortcodesIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [, name = ''] of text.matchAll(/\[([a-z][a-z0-9_-]{2,40})(?:\s[^[\]]{0,500})?\]/g))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
