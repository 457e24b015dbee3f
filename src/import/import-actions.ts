import type { Action } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import type { Change } from '../actions/change-log/change.ts'
import { recordChanges } from '../actions/change-log/change-log-store.ts'
import type { Tx } from '../database/engine.ts'
import { insertNewAuthor } from '../resources/authors/author-actions.ts'
import { insertNewCategory } from '../resources/categories/category-actions.ts'
import { insertMediaRecords } from '../resources/media/media-store.ts'
import { releaseAliases } from '../resources/posts/post-alias-store.ts'
import { slugsOfTags } from '../resources/posts/post-tag-store.ts'
import { logPostChanges, saveEdited, type WrittenPost } from '../resources/posts/post-write.ts'
import type { Random } from '../values/ids.ts'
import { type ImportContext, nothingPlanned } from './import-context.ts'
import type { ImportBatch } from './import-post.ts'
import type { BatchReport } from './import-report.ts'
import { type ImportPlan, planImport } from './plan-import.ts'
import { insertPosts } from './post-bulk-store.ts'
import { insertSources, saveSource } from './source-store.ts'

/** Imports a batch of posts, with the authors, categories, tags and media that they name. */
export const importPosts: Action<ImportBatch, BatchReport> = {
  name: 'transfer.import',
  async run(tx, caller, batch, random) {
    const plan = await planImport(contextIn(tx, caller, random), caller, batch, random)
    await insertMediaRecords(tx, caller.projectId, plan.createdMedia)
    await writePosts(tx, caller, plan.written)
    const scope = { projectId: caller.projectId, source: batch.source }
    await insertSources(tx, scope, plan.newEntries)
    for (const entry of plan.changedEntries) await saveSource(tx, scope, entry)
    await logCreated(tx, caller, plan)
    await logPostChanges(tx, caller, plan.written)
    return plan.report
  },
}

function contextIn(tx: Tx, caller: Caller, random: Random): ImportContext {
  return {
    db: tx,
    planned: nothingPlanned(),
    createAuthor: (edits) => insertNewAuthor(tx, caller, edits, random),
    createCategory: (name) => insertNewCategory(tx, caller, { name }, random),
    slugsOfTags: (folded) => slugsOfTags(tx, caller.projectId, folded, caller.now),
  }
}

async function writePosts(tx: Tx, caller: Caller, written: readonly WrittenPost[]): Promise<void> {
  const added = written.flatMap(({ before, change }) => (before ? [] : change.post))
  // An alias can go from one post to another.
  const losing = written.flatMap(({ before }) => (before && before.aliases.length > 0 ? before.id : []))
  await releaseAliases(tx, caller.projectId, losing)
  await insertPosts(tx, caller.projectId, added)
  for (const { before, change } of written) if (before) await saveEdited(tx, caller, before, change.post)
}

async function logCreated(tx: Tx, caller: Caller, { createdReferences, createdMedia }: ImportPlan): Promise<void> {
  const created = { publicBefore: false, publicAfter: true }
  const references = createdReferences.map((reference): Change => {
    if (reference.kind === 'author') return { ...reference, ...created, news: ['author.created'] }
    return { ...reference, ...created, news: ['category.created'] }
  })
  const media = createdMedia.map(({ id, version }): Change => ({ kind: 'media', id, version, ...created, news: ['media.created'] }))
  const changes = [...references, ...media]
  if (changes.length > 0) await recordChanges(tx, caller, changes)
}
