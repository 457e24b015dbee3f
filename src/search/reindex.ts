import type { Engine, Tx } from '../database/engine.ts'
import { markReindexed, needsReindex } from '../database/migrate.ts'
import { listStalePosts, refreshWords } from './stale-word-store.ts'
import { fillTitles, forgetNumbers } from './title-index-store.ts'

/** Updates the index of words for posts that were not written by the program. Reports how many posts it has checked. */
export async function indexStalePosts(engine: Engine, reached: (posts: number) => void): Promise<void> {
  const { invertedIndex } = engine.db.engine
  let done = 0
  for await (const { seen, stale } of listStalePosts(engine.db, invertedIndex)) {
    if (stale.length > 0) await engine.alone((tx) => refreshWords(tx, invertedIndex, stale))
    done += seen
    reached(done)
  }
}

/** Rebuilds the search index while nobody writes. */
export async function reindex(engine: Engine): Promise<void> {
  await engine.alone(reindexWithin)
}

/** Rebuilds it if a migration asks for that. Of several nodes that start together, the first one does it. */
export async function reindexIfNeeded(engine: Engine): Promise<void> {
  if (!(await needsReindex(engine.db))) return
  await engine.alone(async (tx) => {
    if (await needsReindex(tx)) await reindexWithin(tx)
  })
}

async function reindexWithin(tx: Tx): Promise<void> {
  const { invertedIndex } = tx.engine
  if (invertedIndex === 'fts5') {
    await forgetNumbers(tx)
    await fillTitles(tx)
  } else await tx.deleteFrom('search_words').execute()
  for await (const { stale } of listStalePosts(tx, invertedIndex)) await refreshWords(tx, invertedIndex, stale)
  await markReindexed(tx)
}
