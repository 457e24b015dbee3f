import type { HtmlPart } from '../html/convert-html.ts'
import { withCaptions, withCode } from './shortcodes.ts'

const comment = /<!--\s*(\/)?wp:([a-z][a-z0-9/-]*)\b/g

/**
 * The parts of a post's content: what was written in blocks is HTML, and what was not, before and between the blocks, has line breaks that
 * WordPress makes paragraphs of. The comments that mark the blocks go. Synced blocks, which are stored once for many posts, come in their places.
 */
export function contentParts(content: string, syncedBlocks: ReadonlyMap<string, string> = new Map()): readonly HtmlPart[] {
  const text = withCaptions(withCode(content.replace(/\r\n?/g, '\n')))
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
