import type { Action } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import type { Change } from '../actions/change-log/change.ts'
import { recordChanges } from '../actions/change-log/change-log-store.ts'
import type { Tx } from '../database/engine.ts'
import { authorChange } from '../resources/authors/author.ts'
import { insertAuthors } from '../resources/authors/author-store.ts'
import { categoryChange } from '../resources/categories/category.ts'
import { insertCategories } from '../resources/categories/category-store.ts'
import { insertMediaRecords } from '../resources/media/media-store.ts'
import { releaseAliases } from '../resources/posts/post-alias-store.ts'
import { slugsOfTags } from '../resources/posts/post-tag-store.ts'
import { logPostChanges, saveEdited, type WrittenPost } from '../resources/posts/post-write.ts'
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
    const plan = await planImport(contextIn(tx, caller), caller, batch, random)
    await insertAuthors(tx, caller.projectId, plan.createdAuthors)
    await insertCategories(tx, caller.projectId, plan.createdCategories)
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

function contextIn(tx: Tx, caller: Caller): ImportContext {
  return {
    db: tx,
    planned: nothingPlanned(),
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

async function logCreated(tx: Tx, caller: Caller, { createdAuthors, createdCategories, createdMedia }: ImportPlan): Promise<void> {
  const changes = [
    ...createdAuthors.map((author) => authorChange(author, 'created')),
    ...createdCategories.map((category) => categoryChange(category, 'created')),
    ...createdMedia.map(
      ({ id, version }): Change => ({ kind: 'media', id, version, news: ['media.created'], publicBefore: false, publicAfter: true }),
    ),
  ]
  await recordChanges(tx, caller, changes)
}
