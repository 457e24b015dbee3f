import { createPost, editPost, type PostChange } from '../resources/posts/post.ts'
import type { WrittenPost } from '../resources/posts/post-write.ts'
import type { PostId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Outcome } from './import-batch.ts'
import { editsOf, type ImportPost, type PostReferences } from './import-post.ts'
import type { JudgedPost } from './import-verdict.ts'
import { quoted } from './markdown/post-fields/clean-values.ts'
import { postPath, type SourceEntry } from './source-store.ts'

/** What is to be written of one post of the source, and said of it. */
export interface ImportStep {
  readonly outcome: Outcome
  readonly written?: WrittenPost
  /** To be kept anew, or over the one that there is. */
  readonly newEntry?: SourceEntry
  readonly changedEntry?: SourceEntry
}

/** What a post is given from outside. */
export interface Provisions {
  readonly references: PostReferences
  /** The slug wanted and the one that was free; none where a post keeps the one it has. */
  readonly slug: { readonly wanted: string; readonly free: string } | undefined
  /** For a new post. */
  readonly id: PostId
  readonly now: Instant
}

export function planStep(judged: JudgedPost, provisions: Provisions): ImportStep {
  const { source } = judged
  const { path } = source
  if (judged.verdict === 'unchanged') return { outcome: { path, result: 'unchanged' } }
  if (judged.verdict === 'conflicting') return { outcome: { path, result: 'conflicting', reason: judged.reason } }
  const before = judged.verdict === 'update' ? judged.here : undefined
  const change = changeOf(judged, provisions)
  const { post, news } = change
  const entry: SourceEntry = { path: postPath(path), hash: source.hash, kind: 'post', entityId: post.id, version: post.version }
  const kept = judged.entry ? { changedEntry: entry } : { newEntry: entry }
  if (news.length === 0) return { outcome: { path, result: 'unchanged' }, ...kept }
  const notes = [...source.notes, ...notesOn(source, provisions, before === undefined)]
  return {
    outcome: { path, result: before ? 'updated' : 'created', status: post.status, notes },
    written: { before, change },
    ...kept,
  }
}

function changeOf(judged: JudgedPost & { readonly verdict: 'create' | 'update' }, { references, slug, id, now }: Provisions): PostChange {
  const edits = editsOf(judged.source, references, now)
  if (judged.verdict === 'update') return editPost(judged.here, { ...edits, ...(slug && { slug: slug.free }) }, now)
  if (!slug) throw new Error('a new post was given no slug')
  return createPost(id, { ...edits, slug: slug.free }, now)
}

function notesOn({ date, draft }: ImportPost, { slug }: Provisions, isNew: boolean): readonly string[] {
  const isTaken = slug !== undefined && slug.free !== slug.wanted
  return [
    ...(isTaken ? [`the slug ${quoted(slug.wanted)} is taken; the post has ${quoted(slug.free)}`] : []),
    ...(isNew && date === null && !draft ? ['no date is given; the post is published as of its import'] : []),
  ]
}
