import type { Db } from '../../../database/engine.ts'
import { shortTurns } from '../../../values/event-loop.ts'
import type { ProjectId } from '../../../values/ids.ts'
import { isLong, jsonPieces } from '../../../values/json-pieces.ts'
import type { Post } from '../post-schema.ts'
import { maxMedia, type postIncludes } from './included-schema.ts'
import type { MarkdownPost, RenderedPost, Renderer } from './renderer.ts'

type Name = keyof typeof postIncludes

/** What `include` needs: the renderer, and the records of media by their URLs. */
export interface PostRendering {
  readonly renderer: Pick<Renderer, 'render'>
  findMedia(db: Db, projectId: ProjectId, urls: readonly string[]): Promise<MediaByUrl>
}

type MediaByUrl = ReadonlyMap<string, readonly { readonly id: string }[]>

/** A post of a response, before anything is added to it. */
export interface PlainPost {
  /** The fields that are shown. */
  readonly shown: object
  readonly markdown: MarkdownPost
  readonly ogImage: string | null
}

export function toPlain(post: Post, contentHash: string, shown: object = post): PlainPost {
  return { shown, markdown: { id: post.id, contentHash, content: post.content }, ogImage: post.seo.ogImage }
}

/** The JSON of posts, in pieces. */
export interface CompletePosts {
  readonly items: readonly (readonly Uint8Array[])[]
  /** One of them took too long and is shown as text, so the same request may get another response soon. */
  readonly isLate: boolean
}

interface Adding {
  readonly include: readonly string[]
  readonly asker: string
  readonly renderer: Pick<Renderer, 'render'>
  readMedia(urls: readonly string[]): Promise<MediaByUrl>
}

/** Adds to posts what `include` names. */
export async function includeFields(posts: readonly PlainPost[], { include, asker, renderer, readMedia }: Adding): Promise<CompletePosts> {
  const rendered = await renderer.render(
    asker,
    posts.map(({ markdown }) => markdown),
  )
  const urls = posts.map(({ ogImage }, i) => [...new Set([...(ogImage === null ? [] : [ogImage]), ...(rendered[i]?.mediaUrls ?? [])])])
  const media: MediaByUrl = include.includes('media' satisfies Name) ? await readMedia([...new Set(urls.flat())]) : new Map()
  const giveWay = shortTurns()
  const items: Uint8Array[][] = []
  for (const [i, { shown }] of posts.entries()) {
    const post = rendered[i]
    await giveWay(isLong(shown) ? 'long' : 'short')
    if (post) items.push(withAdded(await jsonPieces(shown, giveWay), addedTo(include, post, recordsAt(urls[i] ?? [], media))))
  }
  return { items, isLate: rendered.some(({ isLate }) => isLate) }
}

function recordsAt(urls: readonly string[], media: MediaByUrl): readonly object[] {
  const records = new Map(urls.flatMap((url) => media.get(url) ?? []).map((record) => [record.id, record]))
  return [...records.values()].slice(0, maxMedia)
}

function addedTo(include: readonly string[], post: RenderedPost, records: readonly object[]): readonly (string | Uint8Array)[] {
  const members: Readonly<Record<Name, () => readonly (string | Uint8Array)[]>> = {
    html: () => [',"contentHtml":', post.html],
    toc: () => [',"toc":', post.toc],
    reading_time: () => [`,"readingTimeMinutes":${post.readingTimeMinutes},"wordCount":${post.wordCount}`],
    media: () => [`,"media":${JSON.stringify(records)}`],
  }
  return (Object.keys(members) as Name[]).flatMap((name) => (include.includes(name) ? members[name]() : []))
}

/** The JSON of an object with members added. Every representation has an id at least, so a comma can follow. */
function withAdded(shown: readonly Uint8Array[], added: readonly (string | Uint8Array)[]): Uint8Array[] {
  const end = shown.at(-1)?.subarray(0, -1) ?? ''
  return [...shown.slice(0, -1), end, ...added, '}'].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
}
