import { createHash } from 'node:crypto'
import { UnusableHtml } from '../../resources/posts/rendering/safe-html/safe-html.ts'
import { codePointLength, cutAtWord } from '../../values/code-points.ts'
import { fold } from '../../values/letters/case-fold.ts'
import { isSlug, slugBase } from '../../values/slug.ts'
import { parseHtml, rawText } from '../html/html-nodes.ts'
import { fitText, quoted, sourceLimits } from '../source-limits.ts'
import type { Note, SourceFault, SourcePost } from '../source-post.ts'

/** Fields that exports of WordPress and Ghost have alike. */

/** What a reader sees of a text with tags and entities, on one line. */
export function plainText(html: string): string {
  const text = /[<&]/.test(html) ? rawText(parseHtml(html)) : html
  return text.replace(/\s+/g, ' ').trim()
}

/** The title, else what comes next to one. */
export function titleOf(written: string, instead: readonly string[], note: Note): string {
  const title = plainText(written)
  if (title !== '') return fitText('title', title, sourceLimits.titleLength, note)
  const found = instead.map(plainText).find((text) => text !== '') ?? 'Untitled'
  const made = cutAtWord(found, 80)
  note(`there is no title; it is called ${quoted(made)}`)
  return made
}

/** The slug as the site has it, percent-encoded or not; null if nothing of it can stay. */
export function slugOf(written: string, note: Note): string | null {
  const decoded = percentDecoded(written.trim())
  const slug = isSlug(decoded) ? decoded : slugBase(decoded)
  if (slug === '' && decoded !== '') note(`nothing of the slug ${quoted(decoded)} can stay; one is made from the title`)
  else if (slug !== decoded) note(`the slug ${quoted(decoded)} became "${slug}"`)
  return slug === '' ? null : slug
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function excerptOf(html: string, note: Note): string | null {
  const text = plainText(html)
  return text === '' ? null : fitText('excerpt', text, sourceLimits.excerptLength, note)
}

/** A line of text, or null if there is none. */
export function textOrNull(what: string, text: string, maxLength: number, note: Note): string | null {
  const plain = plainText(text)
  return plain === '' ? null : fitText(what, plain, maxLength, note)
}

/** Names without repeats, as many and as long as a post may have. */
export function fitTags(names: readonly string[], note: Note): readonly string[] {
  const tags = new Map<string, string>()
  for (const name of names.map(plainText)) {
    if (name === '') continue
    const tag = fitText('tag', name, sourceLimits.tagLength, note)
    if (!tags.has(fold(tag))) tags.set(fold(tag), tag)
  }
  const all = [...tags.values()]
  const left = all.slice(sourceLimits.tags)
  if (left.length > 0) note(`a post has at most ${sourceLimits.tags} tags; left out: ${left.map(quoted).join(', ')}`)
  return all.slice(0, sourceLimits.tags)
}

export function fitName(what: string, name: string, maxLength: number, note: Note): string {
  const plain = plainText(name)
  return codePointLength(plain) > maxLength ? fitText(what, plain, maxLength, note) : plain
}

/** SHA-256 of everything that a post is made of. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** HTML of a post may be this long before it becomes Markdown, which has a limit of its own. */
export const maxHtmlLength = 8 * 1024 * 1024

/** The post, or why it cannot be one: what its content is, and what it lacks. */
export function readContent<T>(path: string, line: number | null, length: number, read: () => T): T | SourceFault {
  const fault = (message: string): SourceFault => ({ kind: 'fault', path, line, message })
  if (length > maxHtmlLength) return fault(`the content has ${length} characters of HTML, more than ${maxHtmlLength}`)
  try {
    return read()
  } catch (error) {
    if (error instanceof UnusableHtml) return fault(`${error.message.replace(/\.$/, '')}; no reader could show it`)
    throw error
  }
}

/** The post, unless its Markdown is too long. */
export function withinLimits(post: SourcePost, line: number | null): SourcePost | SourceFault {
  const bytes = Buffer.byteLength(post.content)
  if (bytes <= sourceLimits.contentBytes) return post
  return { kind: 'fault', path: post.path, line, message: `the content has ${bytes} bytes, more than ${sourceLimits.contentBytes}` }
}
