import type { Caller } from '../actions/caller.ts'
import { byFolded, findTags } from '../resources/posts/post-tag-store.ts'
import type { WrittenPost } from '../resources/posts/post-write.ts'
import { newId, type Random } from '../values/ids.ts'
import { slugBase } from '../values/slug.ts'
import { randomSlug } from '../values/slug-search.ts'
import { chooseSlugs, isFormOf } from './choose-slugs.ts'
import { judgePosts } from './detect-changes.ts'
import type { BatchReport, ImportBatch } from './import-batch.ts'
import type { Ground, Term } from './import-context.ts'
import { type Provisions, planStep } from './import-step.ts'
import type { JudgedPost } from './import-verdict.ts'
import { findTerms } from './match-authors-categories.ts'
import type { SourceEntry } from './source-store.ts'

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
