import type { Action } from '../actions/action.ts'
import type { Caller } from '../actions/caller.ts'
import type { Change } from '../actions/change-log/change.ts'
import { recordChanges } from '../actions/change-log/change-log-store.ts'
import type { Tx } from '../database/engine.ts'
import { insertAuthor } from '../resources/authors/author-store.ts'
import { insertNewCategory } from '../resources/categories/category-actions.ts'
import { logPostChanges, saveEdited, type WrittenPost } from '../resources/posts/post-write.ts'
import type { Random } from '../values/ids.ts'
import type { BatchReport, ImportBatch } from './import-batch.ts'
import { type Ground, noForesight, type Term } from './import-context.ts'
import { planImport } from './plan-import.ts'
import { insertPosts } from './post-bulk-store.ts'
import { insertSources, saveSource } from './source-store.ts'

/** Imports a batch of posts, with the authors, categories and tags that they name. */
export const importPosts: Action<ImportBatch, BatchReport> = {
  name: 'transfer.import',
  async run(tx, caller, batch, random) {
    const plan = await planImport(groundIn(tx, caller, random), caller, batch, random)
    await listPostsAsJson(tx, caller, plan.written, random)
    const scope = { projectId: caller.projectId, source: batch.source }
    await insertSources(tx, scope, plan.newEntries)
    for (const entry of plan.changedEntries) await saveSource(tx, scope, entry)
    await logTerms(tx, caller, plan.madeTerms)
    await logPostChanges(tx, caller, plan.written)
    return plan.report
  },
}

function groundIn(tx: Tx, caller: Caller, random: Random): Ground {
  return {
    db: tx,
    foresight: noForesight(),
    makeAuthor: (author) => insertAuthor(tx, caller.projectId, author),
    makeCategory: (name) => insertNewCategory(tx, caller, { name }, random),
  }
}

async function listPostsAsJson(tx: Tx, caller: Caller, written: readonly WrittenPost[], random: Random): Promise<void> {
  const added = written.flatMap(({ before, change }) => (before ? [] : change.post))
  await insertPosts(tx, caller.projectId, added, random)
  for (const { before, change } of written) if (before) await saveEdited(tx, caller, before, change.post, random)
}

async function logTerms(tx: Tx, caller: Caller, terms: readonly Term[]): Promise<void> {
  const created = { publicBefore: false, publicAfter: true }
  const changes = terms.map((term): Change => {
    if (term.kind === 'author') return { ...term, ...created, news: ['author.created'] }
    return { ...term, ...created, news: ['category.created'] }
  })
  if (changes.length > 0) await recordChanges(tx, caller, changes)
}
