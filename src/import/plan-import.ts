import type { Caller } from '../actions/caller.ts'
import { createPost, editPost, type PostChange } from '../resources/posts/post.ts'
import { byFolded, findTags } from '../resources/posts/post-tag-store.ts'
import type { WrittenPost } from '../resources/posts/post-write.ts'
import { newId, type PostId, type Random } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { randomSlug, slugBase } from '../values/slug.ts'
import { chooseSlugs, isFormOf } from './choose-slugs.ts'
import { judgePosts } from './detect-changes.ts'
import type { BatchReport, ImportBatch, JudgedPost, Outcome } from './import-batch.ts'
import type { Ground, Term } from './import-context.ts'
import { editsOf, type ImportPost, type PostReferences } from './import-post.ts'
import { quoted } from './markdown/post-fields/clean-values.ts'
import { findTerms } from './match-authors-categories.ts'
import { postPath, type SourceEntry } from './source-store.ts'

/** What an import is about to write, and what it will have to say of it. Its authors and categories the ground has made already. */
export interface ImportPlan {
  readonly madeTerms: readonly Term[]
  readonly written: readonly WrittenPost[]
  readonly newEntries: readonly SourceEntry[]
  readonly changedEntries: readonly SourceEntry[]
  readonly report: BatchReport
}

/** Plans a batch. It only reads, so that a dry run can say what the real one will do. */
export async function planImport(ground: Ground, caller: Caller, batch: ImportBatch, random: Random): Promise<ImportPlan> {
  const judged = await judgePosts(ground.db, caller, batch)
  const posts = judged.flatMap(({ verdict, source }) => (verdict === 'create' || verdict === 'update' ? source : []))
  const terms = await findTerms(ground, caller, { source: batch.source, posts, random })
  const slugs = await slugsFor(ground, caller, judged, random)
  const ids = judged.map(() => newId('post', caller.now, random)).sort()
  const steps = ids.flatMap((id, index) => {
    const post = judged[index]
    return post
      ? planStep(post, { references: terms.referencesOf(post.source), slug: slugs.get(post.source.path), id, now: caller.now })
      : []
  })
  const written = steps.flatMap((step) => step.written ?? [])
  const count = (kind: Term['kind']) => terms.made.filter((term) => term.kind === kind).length
  const made = { authors: count('author'), categories: count('category'), tags: await countNewTags(ground, caller, written) }
  return {
    madeTerms: terms.made,
    written,
    newEntries: [...terms.entries, ...steps.flatMap(({ newEntry }) => newEntry ?? [])],
    changedEntries: steps.flatMap(({ changedEntry }) => changedEntry ?? []),
    report: { outcomes: steps.map(({ outcome }) => outcome), made },
  }
}

/** By path: the slugs of new posts, and of those whose slug changed in the source. */
async function slugsFor(
  { db, foresight }: Ground,
  caller: Caller,
  judged: readonly JudgedPost[],
  random: Random,
): Promise<ReadonlyMap<string, Provisions['slug']>> {
  const wanting = judged.flatMap((post) => {
    const wanted = wantedSlug(post, random)
    return wanted === undefined ? [] : { path: post.source.path, wanted }
  })
  const free = await chooseSlugs(
    db,
    caller.projectId,
    wanting.map(({ wanted }) => wanted),
    foresight.slugs,
  )
  return new Map(wanting.map(({ path, wanted }, index) => [path, { wanted, free: free[index] ?? wanted }]))
}

/** A made slug stays when the title changes (contract §4.2), and one with a suffix while the source says the same. */
function wantedSlug(post: JudgedPost, random: Random): string | undefined {
  const { slug, title } = post.source
  if (post.verdict === 'create') return slug ?? (slugBase(title) || randomSlug('post', random))
  if (post.verdict !== 'update' || slug === null || isFormOf(post.here.slug, slug)) return undefined
  return slug
}

async function countNewTags({ db, foresight }: Ground, { projectId }: Caller, written: readonly WrittenPost[]): Promise<number> {
  const named = [...byFolded(written.flatMap(({ change }) => change.post.tags)).keys()]
  const unseen = named.filter((tag) => !foresight.tags.has(tag))
  const known = unseen.length > 0 ? await findTags(db, projectId, unseen) : new Map()
  for (const tag of unseen) foresight.tags.add(tag)
  return unseen.length - known.size
}

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
  const entry: SourceEntry = { path: postPath(path), hash: source.hash, kind: 'post', resourceId: post.id, version: post.version }
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
