import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../../values/problems.ts'
import { renderAsText } from './rendered-text.ts'
import { openRenderPool, type RenderJob } from './threads/render-pool.ts'
import { type ThreadReply, toReply } from './threads/thread-messages.ts'

/** Thousands of typical posts. */
const maxCacheBytes = 32 * 1024 * 1024
/** Of one post beside its bytes, roughly. */
const overheadBytes = 500
/** How long a post that missed its deadline, or had no thread, stays text before it is tried again. */
const lateMs = 60_000
/** In characters. Beyond it, no more posts are taken. */
const maxWaiting = 128 * 1024 * 1024

/** A post to be rendered. */
export interface MarkdownPost {
  readonly id: string
  readonly contentHash: string
  readonly content: string
  /** URLs in the post become absolute, based on this one. */
  readonly baseUrl?: string
  /** HTML comes as text of XML. */
  readonly asXml?: boolean
}

export interface RenderedPost extends Omit<ThreadReply, 'failure'> {
  /** It took too long, or had no thread, and is shown as text for now. */
  readonly isLate: boolean
}

/** Renders posts beside the event loop. */
export interface Renderer {
  /** The posts in order. Askers take turns. 503 `overloaded` if too much waits. */
  render(asker: string, posts: readonly MarkdownPost[]): Promise<readonly RenderedPost[]>
  close(): Promise<void>
}

/** `textInstead` hears of posts that could not be rendered. */
export function openRenderer(observe: { textInstead(postId: string, reason: string): void }): Renderer {
  const pool = openRenderPool(createRequire(import.meta.url).resolve('#rendering-thread'))
  const finished = new LRUCache<string, RenderedPost>({ maxSize: maxCacheBytes, sizeCalculation: sizeOf })
  const underWay = new Map<string, Promise<RenderedPost>>()

  const begin = (key: string, { id, content, baseUrl, asXml = false }: MarkdownPost, jobs: RenderJob[]): Promise<RenderedPost> => {
    const task = { markdown: content, baseUrl, asXml }
    const rendering = new Promise<RenderedPost>((resolve) => {
      const done: RenderJob['done'] = ({ failure, ...post }) => {
        const reason = failure ?? (post.isLate ? 'it took too long, or too much memory' : undefined)
        if (reason !== undefined) observe.textInstead(id, reason)
        finished.set(key, post, post.isLate ? { ttl: lateMs } : {})
        resolve(post)
      }
      const failed = (error: Error) => done({ ...toReply(renderAsText(content), task), failure: String(error), isLate: true })
      jobs.push({ task, size: content.length, done, failed })
    }).finally(() => underWay.delete(key))
    underWay.set(key, rendering)
    return rendering
  }

  return {
    async render(asker, posts) {
      if (pool.waiting() > maxWaiting) throw tooMuchWaits()
      const jobs: RenderJob[] = []
      const renderings = posts.map((post) => {
        const key = `${post.contentHash} ${post.asXml ? 'xml' : ''} ${post.baseUrl ?? ''}`
        return finished.get(key) ?? underWay.get(key) ?? begin(key, post, jobs)
      })
      pool.add(asker, jobs)
      return Promise.all(renderings)
    },
    close: () => pool.close(),
  }
}

function sizeOf({ html, toc, mediaUrls }: RenderedPost, key: string): number {
  return html.length + toc.length + 2 * (key.length + mediaUrls.reduce((sum, { length }) => sum + length, 0)) + overheadBytes
}

function tooMuchWaits(): Problem {
  return new Problem('overloaded', 'Too many posts wait to be rendered; try again in a moment.', { headers: { 'retry-after': '5' } })
}
