import type { Caller } from '../actions/caller.ts'
import type { Author } from '../resources/authors/author.ts'
import type { Category } from '../resources/categories/category.ts'
import type { Media } from '../resources/media/media.ts'
import { byFolded, createPost, editPost, type NamedTag, type PostChange } from '../resources/posts/post.ts'
import { findTagSlugs } from '../resources/posts/post-tag-store.ts'
import type { WrittenPost } from '../resources/posts/post-write.ts'
import { byPath } from '../resources/site/alias.ts'
import { newId, type PostId, type Random } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { type ChosenSlug, chooseAliases, chooseSlugs } from './choose-slugs.ts'
import { type DetectedPost, detectChanges } from './detect-changes.ts'
import type { ImportContext } from './import-context.ts'
import { editsOf, type ImportBatch, type ImportPost, type Matches } from './import-post.ts'
import type { BatchReport, Outcome } from './import-report.ts'
import { matchReferences } from './match-authors-categories.ts'
import { matchMedia } from './match-media.ts'
import { quoted } from './source-limits.ts'
import { postPath, type SourceEntry } from './source-store.ts'

/** What an import writes and reports. */
export interface ImportPlan {
  readonly createdAuthors: readonly Author[]
  readonly createdCategories: readonly Category[]
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
  const tags = await matchTags(context, caller, posts)
  const assets = [...batch.pictures, ...posts.flatMap(({ media }) => media)]
  const media = await matchMedia(context, caller, { source: batch.source, media: assets, random })
  const slugs = await chooseSlugs(context, caller, detected, random)
  const aliases = await chooseAliases(context, caller, detected)
  const ids = detected.map(() => newId('post', caller.now, random)).sort()
  const steps = ids.flatMap((id, index) => {
    const post = detected[index]
    if (!post) return []
    const { source } = post
    const matches = { references: matched.referencesOf(source), tags: tags.tagsOf(source), aliases: aliases.get(source.path) ?? [] }
    return planStep(post, { ...matches, slug: slugs.get(source.path), id, now: caller.now })
  })
  const written = steps.flatMap((step) => step.written ?? [])
  const { createdAuthors, createdCategories } = matched
  const made = { authors: createdAuthors.length, categories: createdCategories.length, tags: tags.made, media: media.created.length }
  return {
    createdAuthors,
    createdCategories,
    createdMedia: media.created,
    written,
    newEntries: [...matched.entries, ...media.entries, ...steps.flatMap(({ newEntry }) => newEntry ?? [])],
    changedEntries: steps.flatMap(({ changedEntry }) => changedEntry ?? []),
    report: { outcomes: steps.map(({ outcome }) => outcome), made },
  }
}

/** Finds the tags that posts name, and creates the missing ones. */
async function matchTags({ db, planned, slugsOfTags }: ImportContext, { projectId }: Caller, posts: readonly ImportPost[]) {
  const named = [...byFolded(posts.flatMap(({ tags }) => tags)).keys()]
  const unseen = named.filter((tag) => !planned.tags.has(tag))
  const existing = await findTagSlugs(db, projectId, unseen)
  for (const tag of unseen) planned.tags.add(tag)
  const slugs = named.length === existing.size ? existing : await slugsOfTags(named)
  const tagsOf = ({ tags }: ImportPost): readonly NamedTag[] =>
    [...byFolded(tags)].map(([folded, name]) => ({ name, slug: slugs.get(folded) ?? '' }))
  return { made: unseen.length - existing.size, tagsOf }
}

/** What an import writes and reports of one post. */
interface ImportStep {
  readonly outcome: Outcome
  readonly written?: WrittenPost
  readonly newEntry?: SourceEntry
  readonly changedEntry?: SourceEntry
}

/** What a post gets besides what its source says. */
interface Provisions extends Matches {
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
  { slug, id, now, ...matches }: Provisions,
): PostChange {
  const edits = editsOf(detected.source, matches, now)
  if (detected.change === 'update') return editPost(detected.here, { ...edits, ...(slug && { slug: slug.free }) }, now)
  if (!slug) throw new Error('a new post was given no slug')
  return createPost(id, { ...edits, slug: slug.free }, now)
}

function notesOn({ date, status, aliases: wanted }: ImportPost, { slug, aliases }: Provisions, isNew: boolean): readonly string[] {
  const isTaken = slug !== undefined && slug.free !== slug.wanted
  const lost = [...byPath(wanted).values()].filter((alias) => !aliases.includes(alias))
  return [
    ...lost.map((alias) => `the alias ${quoted(alias)} belongs to another post; left out`),
    ...(isTaken ? [`the slug ${quoted(slug.wanted)} is taken; the post has ${quoted(slug.free)}`] : []),
    ...(isNew && date === null && status === 'published' ? ['no date is given; the post is published as of its import'] : []),
  ]
}
