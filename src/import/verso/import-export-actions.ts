import type { Action } from '../../actions/action.ts'
import { type Caller, sightOf } from '../../actions/caller.ts'
import { findLastVersions } from '../../actions/change-log/change-log-store.ts'
import type { Tx } from '../../database/engine.ts'
import { findAuthors } from '../../resources/authors/author-store.ts'
import { findCategories } from '../../resources/categories/category-store.ts'
import { byFolded, createPost, editPost, type NamedTag, type Post, type PostChange } from '../../resources/posts/post.ts'
import { findAliasHolders } from '../../resources/posts/post-alias-store.ts'
import { keepFreeSlug } from '../../resources/posts/post-slug-store.ts'
import { findTagSlugs, slugsOfTags } from '../../resources/posts/post-tag-store.ts'
import { logPostChanges, saveEdited, type WrittenPost } from '../../resources/posts/post-write.ts'
import { byPath } from '../../resources/site/alias.ts'
import type { Instant } from '../../values/instant.ts'
import type { Outcome } from '../import-report.ts'
import { findPosts, insertPosts } from '../post-bulk-store.ts'
import { quoted } from '../source-limits.ts'
import type { SourceFault } from '../source-post.ts'
import type { ExportedPost } from './exported-posts.ts'
import { findSlugHolders, findTrashed } from './exported-store.ts'
import { ids, some } from './import-records.ts'
import { toFault } from './read-export.ts'

/** A post of an export, and when that of the project was changed last, as far as the folder knows. */
export interface KnownPost extends ExportedPost {
  readonly known: Instant
}

/** Posts of an export that one transaction imports. */
export interface ExportedBatch {
  readonly posts: readonly KnownPost[]
  /** The export wins where posts were changed here. */
  readonly force: boolean
  /** Nothing is written. */
  readonly dry: boolean
  /** Authors and categories that a dry run did not create. */
  readonly promised: readonly string[]
}

export interface ExportedOutcome {
  readonly outcomes: readonly Outcome[]
  readonly faults: readonly SourceFault[]
  /** The folded names of the tags that these posts brought. */
  readonly newTags: readonly string[]
  /** The posts that are as their files now, and when they were changed last. */
  readonly taken: readonly { readonly exported: KnownPost; readonly here: Instant }[]
}

/**
 * Imports posts of an export under their ids. A post that was changed or deleted here since the export is left alone; with `force` the export
 * wins, except over the trash.
 */
export const importExportedPosts: Action<ExportedBatch, ExportedOutcome> = {
  name: 'transfer.import-posts',
  async run(tx, caller, batch) {
    const { steps, faults, isNewTag } = await planPosts(tx, caller, batch)
    if (!batch.dry) await write(tx, caller, steps)
    const taken = steps.flatMap(({ exported, here }) => (here === undefined ? [] : { exported, here }))
    const tags = byFolded(steps.flatMap(({ written }) => written?.change.post.tags ?? []))
    return { outcomes: steps.map(({ outcome }) => outcome), faults, newTags: [...tags.keys()].filter(isNewTag), taken }
  },
}

interface Step {
  readonly exported: KnownPost
  readonly outcome: Outcome
  /** When the post was changed last, if it is as its file now. */
  readonly here?: Instant
  readonly written?: WrittenPost
}

async function planPosts(tx: Tx, caller: Caller, batch: ExportedBatch) {
  const { projectId, now } = caller
  const wanted = batch.posts.map(({ post }) => post)
  const postIds = wanted.map(({ id }) => id)
  const here = await findPosts(tx, sightOf(caller), postIds)
  const trashed = await findTrashed(tx, projectId, { table: 'posts', ids: postIds })
  const obstacleTo = await findObstacles(tx, caller, batch)
  const { tagsOf, isNewTag } = await tagFinder(tx, caller, wanted)
  const lastVersions = await findLastVersions(tx, projectId, { kind: 'post', ids: postIds })
  const steps: Step[] = []
  const faults: SourceFault[] = []
  for (const exported of batch.posts) {
    const { id, tags } = exported.post
    const around = {
      before: here.get(id),
      isTrashed: trashed.has(id),
      lastVersion: lastVersions.get(id) ?? 0,
      tags: tagsOf(tags),
      force: batch.force,
      now,
    }
    const step = planPost(exported, around)
    const obstacle = step.written && obstacleTo(exported.post)
    if (obstacle === undefined) steps.push(step)
    else faults.push(toFault(exported.path, obstacle))
  }
  return { steps, faults, isNewTag }
}

interface Here {
  readonly before: Post | undefined
  readonly isTrashed: boolean
  /** As far as the log knows; 0 of a post that was never here. */
  readonly lastVersion: number
  readonly tags: readonly NamedTag[]
  readonly force: boolean
  readonly now: Instant
}

function planPost(exported: KnownPost, { before, isTrashed, lastVersion, tags, force, now }: Here): Step {
  const { path, post, known } = exported
  const isErased = lastVersion > 0 && !before && !force
  if (isTrashed || isErased) return { exported, outcome: { path, result: 'conflicting', reason: 'deleted here' } }
  if (before && isSame(before, post)) return { exported, outcome: { path, result: 'unchanged' }, here: before.updatedAt }
  if (before && before.updatedAt !== known && !force) {
    return { exported, outcome: { path, result: 'conflicting', reason: 'changed here' } }
  }
  const { id, createdAt, updatedAt, firstPublishedAt, tags: _, ...edits } = post
  const change = before
    ? editPost(before, { ...edits, tags }, now)
    : stamped(createPost(id, { ...edits, tags }, now), post, lastVersion + 1)
  const here = change.post.updatedAt
  if (change.news.length === 0) return { exported, outcome: { path, result: 'unchanged' }, here }
  const result = before ? 'updated' : 'created'
  return {
    exported,
    outcome: { path, result, title: post.title, status: change.post.status, notes: [], losses: {} },
    here,
    written: { before, change },
  }
}

/** A new post with the dates of the old one. No version is given twice, or what is known of the erased one would be taken for the new one. */
function stamped(
  { post, news }: PostChange,
  { createdAt, updatedAt, firstPublishedAt, publishedAt }: ExportedPost['post'],
  version: number,
): PostChange {
  return { post: { ...post, createdAt, updatedAt, publishedAt, firstPublishedAt, version }, news }
}

/** Whether nothing that an export tells of a post is different here, whoever changed it. */
function isSame(here: Post, post: ExportedPost['post']): boolean {
  const shown = ({
    title,
    slug,
    content,
    excerpt,
    status,
    publishedAt,
    scheduledFor,
    authorId,
    categoryId,
    tags,
    aliases,
    seo,
  }: typeof post) =>
    JSON.stringify([title, slug, content, excerpt, status, publishedAt, scheduledFor, authorId, categoryId, tags, aliases, seo])
  return shown(here) === shown(post)
}

/** The tags of posts, with their slugs, and which of them were not there. */
async function tagFinder(tx: Tx, { projectId, now }: Caller, posts: readonly ExportedPost['post'][]) {
  const folded = [...byFolded(posts.flatMap(({ tags }) => tags)).keys()]
  const before = await findTagSlugs(tx, projectId, folded)
  const slugs = await slugsOfTags(tx, projectId, folded, now)
  return {
    tagsOf: (names: readonly string[]): readonly NamedTag[] =>
      [...byFolded(names)].map(([tag, name]) => ({ name, slug: slugs.get(tag) ?? '' })),
    isNewTag: (tag: string) => !before.has(tag),
  }
}

/** Finds what stands in the way of posts: dates that lie ahead, others with their slugs or aliases, and authors and categories that are nowhere. */
async function findObstacles(tx: Tx, caller: Caller, { posts, promised }: ExportedBatch) {
  const { projectId } = caller
  const wanted = posts.map(({ post }) => post)
  const named = (values: readonly (string | null)[]) => [...new Set(values.filter((value) => value !== null))]
  const slugs = await findSlugHolders(
    tx,
    projectId,
    wanted.map(({ slug }) => slug),
  )
  const aliases = await findAliasHolders(
    tx,
    projectId,
    wanted.flatMap(({ aliases: paths }) => [...byPath(paths).keys()]),
  )
  const authors = await some(named(wanted.map(({ authorId }) => authorId)), (each) => findAuthors(tx, sightOf(caller), each))
  const categories = await some(named(wanted.map(({ categoryId }) => categoryId)), (each) => findCategories(tx, projectId, each))
  const known = new Set([...ids(authors), ...ids(categories), ...promised])
  return ({ id, slug, aliases: paths, authorId, categoryId, status, publishedAt }: ExportedPost['post']): string | undefined => {
    const isOther = (holder: string | undefined) => holder !== undefined && holder !== id
    const alias = [...byPath(paths)].find(([path]) => isOther(aliases.get(path)))?.[1]
    const missing = [authorId, categoryId].find((each) => each !== null && !known.has(each))
    if (publishedAt !== null && publishedAt > caller.now)
      return `its date lies in the future, and it is ${status}; make its status scheduled`
    if (isOther(slugs.get(slug))) return `the slug ${quoted(slug)} belongs to another post`
    if (alias !== undefined) return `the alias ${quoted(alias)} belongs to another post`
    return missing === undefined ? undefined : `it names ${missing}, which the project does not have`
  }
}

async function write(tx: Tx, caller: Caller, steps: readonly Step[]): Promise<void> {
  const written = steps.flatMap((step) => step.written ?? [])
  await insertPosts(
    tx,
    caller.projectId,
    written.flatMap(({ before, change }) => (before ? [] : change.post)),
  )
  for (const { before, change } of written) if (before) await saveEdited(tx, caller, before, change.post)
  for (const { exported, written: done } of steps) {
    if (done) for (const slug of exported.oldSlugs) await keepFreeSlug(tx, caller.projectId, slug, exported.post.id)
  }
  await logPostChanges(tx, caller, written)
}
