import type { Caller } from '../actions/caller.ts'
import type { Media } from '../resources/media/media.ts'
import { byFolded, createPost, editPost, type PostChange } from '../resources/posts/post.ts'
import { findTags } from '../resources/posts/post-tag-store.ts'
import type { WrittenPost } from '../resources/posts/post-write.ts'
import { newId, type PostId, type Random } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { type ChosenSlug, chooseSlugs } from './choose-slugs.ts'
import { type DetectedPost, detectChanges } from './detect-changes.ts'
import type { ImportContext, Reference } from './import-context.ts'
import { editsOf, type ImportBatch, type ImportPost, type PostReferences } from './import-post.ts'
import type { BatchReport, Outcome } from './import-report.ts'
import { matchReferences } from './match-authors-categories.ts'
import { matchMedia } from './match-media.ts'
import { quoted } from './source-limits.ts'
import { postPath, type SourceEntry } from './source-store.ts'

/** What an import writes and reports. Its authors and categories were created while it was planned. */
export interface ImportPlan {
  readonly createdReferences: readonly Reference[]
  readonly createdMedia: readonly Media[]
  readonly written: readonly WrittenPost[]
  readonly newEntries: readonly SourceEntry[]
  readonly changedEntries: readonly SourceEntry[]
  readonly report: BatchReport
}

/** Plans a batch. In a dry run it only reads. */
export async function planImport(context: ImportContext, caller: Caller, batch: ImportBatch, random: Random): Promise<ImportPlan> {
  const detected = await detectChanges(context.db, caller, batch)
  const posts = detected.flatMap(({ change, source }) => (change === 'create' || change === 'update' ? source : []))
  const matched = await matchReferences(context, caller, { source: batch.source, posts, random })
  const assets = [...batch.pictures, ...posts.flatMap(({ media }) => media)]
  const media = await matchMedia(context, caller, { source: batch.source, media: assets, random })
  const slugs = await chooseSlugs(context, caller, detected, random)
  const ids = detected.map(() => newId('post', caller.now, random)).sort()
  const steps = ids.flatMap((id, index) => {
    const post = detected[index]
    return post
      ? planStep(post, { references: matched.referencesOf(post.source), slug: slugs.get(post.source.path), id, now: caller.now })
      : []
  })
  const written = steps.flatMap((step) => step.written ?? [])
  const count = (kind: Reference['kind']) => matched.created.filter((reference) => reference.kind === kind).length
  const made = {
    authors: count('author'),
    categories: count('category'),
    tags: await countNewTags(context, caller, written),
    media: media.created.length,
  }
  return {
    createdReferences: matched.created,
    createdMedia: media.created,
    written,
    newEntries: [...matched.entries, ...media.entries, ...steps.flatMap(({ newEntry }) => newEntry ?? [])],
    changedEntries: steps.flatMap(({ changedEntry }) => changedEntry ?? []),
    report: { outcomes: steps.map(({ outcome }) => outcome), made },
  }
}

async function countNewTags({ db, planned }: ImportContext, { projectId }: Caller, written: readonly WrittenPost[]): Promise<number> {
  const named = [...byFolded(written.flatMap(({ change }) => change.post.tags)).keys()]
  const unseen = named.filter((tag) => !planned.tags.has(tag))
  const existing = unseen.length > 0 ? await findTags(db, projectId, unseen) : new Map()
  for (const tag of unseen) planned.tags.add(tag)
  return unseen.length - existing.size
}

/** What an import writes and reports of one post. */
interface ImportStep {
  readonly outcome: Outcome
  readonly written?: WrittenPost
  readonly newEntry?: SourceEntry
  readonly changedEntry?: SourceEntry
}

/** What a post gets besides what its source says. */
interface Provisions {
  readonly references: PostReferences
  /** None if the post keeps the slug it has. */
  readonly slug: ChosenSlug | undefined
  /** For a new post. */
  readonly id: PostId
  readonly now: Instant
}

function planStep(detected: DetectedPost, provisions: Provisions): ImportStep {
  const { source } = detected
  const { path } = source
  if (detected.change === 'unchanged') return { outcome: { path, result: 'unchanged' } }
  if (detected.change === 'conflicting') return { outcome: { path, result: 'conflicting', reason: detected.reason } }
  const before = detected.change === 'update' ? detected.here : undefined
  const change = changeOf(detected, provisions)
  const { post, news } = change
  const entry: SourceEntry = { path: postPath(path), hash: source.hash, kind: 'post', resourceId: post.id, version: post.version }
  const kept = detected.entry ? { changedEntry: entry } : { newEntry: entry }
  if (news.length === 0) return { outcome: { path, result: 'unchanged' }, ...kept }
  const notes = [...source.notes, ...notesOn(source, provisions, before === undefined)]
  return {
    outcome: { path, result: before ? 'updated' : 'created', title: post.title, status: post.status, notes, losses: source.losses ?? {} },
    written: { before, change },
    ...kept,
  }
}

function changeOf(
  detected: DetectedPost & { readonly change: 'create' | 'update' },
  { references, slug, id, now }: Provisions,
): PostChange {
  const edits = editsOf(detected.source, references, now)
  if (detected.change === 'update') return editPost(detected.here, { ...edits, ...(slug && { slug: slug.free }) }, now)
  if (!slug) throw new Error('a new post was given no slug')
  return createPost(id, { ...edits, slug: slug.free }, now)
}

function notesOn({ date, status }: ImportPost, { slug }: Provisions, isNew: boolean): readonly string[] {
  const isTaken = slug !== undefined && slug.free !== slug.wanted
  return [
    ...(isTaken ? [`the slug ${quoted(slug.wanted)} is taken; the post has ${quoted(slug.free)}`] : []),
    ...(isNew && date === null && status === 'published' ? ['no date is given; the post is published as of its import'] : []),
  ]
}
