import type { HtmlPart } from '../html/convert-html.ts'
import { overridesIn, withOverrides } from './block-overrides.ts'
import { withCaptions, withCode, withPlainNames } from './shortcodes.ts'
import { findSynced, refIn, type SyncedBlocks } from './synced-blocks.ts'

const comment = /<!--\s*(\/)?wp:([a-z][a-z0-9/-]*)\b/g

/** What stands in the database beside the content, for blocks that only name their place. */
export interface StoredBlocks {
  readonly synced: SyncedBlocks
  /** The footnotes of the post, as HTML. */
  readonly footnotes: string
}

const none: StoredBlocks = { synced: new Map(), footnotes: '' }

/**
 * The parts of a post's content: what was written in blocks is HTML, and what was not, before and between the blocks, has line breaks that
 * WordPress makes paragraphs of. The comments that mark the blocks go. Synced blocks and footnotes come in their places.
 */
export function contentParts(content: string, stored: StoredBlocks = none, within: readonly string[] = []): readonly HtmlPart[] {
  const text = withPlainNames(withCaptions(withCode(content.replace(/\r\n?/g, '\n'))))
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
    const ref = isVoid && found[2] === 'block' ? refIn(text.slice(found.index, close)) : ''
    const synced = findSynced(stored.synced, ref, within)
    if (synced) {
      end()
      const own = withOverrides(synced, overridesIn(text.slice(found.index, close)))
      parts.push(...contentParts(own, { ...stored, footnotes: '' }, [...within, ref]))
    }
    if (isVoid && found[2] === 'footnotes') {
      end()
      if (stored.footnotes !== '') parts.push({ html: stored.footnotes, form: 'html' })
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

/** The blocks of a text that have none of their own, by name, and how often: the site fills them in while they are read. */
export function emptyBlocksIn(content: string, synced: SyncedBlocks): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { 1: closing, 2: name = '', index } of content.matchAll(comment)) {
    const close = content.indexOf('-->', index)
    if (close < 0) break
    if (closing !== undefined || content[close - 1] !== '/' || name === 'footnotes') continue
    const lost =
      name === 'block' ? whySyncedIsLost(synced, refIn(content.slice(index, close))) : `block ${name.slice(0, 40)} without a text`
    if (lost !== undefined) counts.set(lost, (counts.get(lost) ?? 0) + 1)
  }
  return counts
}

function whySyncedIsLost(synced: SyncedBlocks, ref: string): string | undefined {
  const block = synced.get(ref)
  if (block === undefined) return 'synced block that the export does not have'
  return block === null ? 'synced block that was not published' : undefined
}

/** The footnotes of the block editor, which a custom field keeps as JSON, as a list. */
export function footnotesIn(field: string): string {
  const notes = parsed(field).flatMap((note) => {
    const { content, id } = (typeof note === 'object' && note !== null ? note : {}) as { readonly [name: string]: unknown }
    const target = typeof id === 'string' && /^[\w-]+$/.test(id) ? ` id="${id}"` : ''
    return typeof content === 'string' ? `<li${target}>${content}</li>` : []
  })
  return notes.length === 0 ? '' : `<ol>${notes.join('')}</ol>`
}

function parsed(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
