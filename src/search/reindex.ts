import type { Engine, Tx } from '../database/engine.ts'
import { markReindexed, needsReindex } from '../database/migrate.ts'
import { countPosts, listStalePosts, refreshWords } from './stale-word-store.ts'
import { fillTitles, forgetNumbers } from './title-index-store.ts'

/** So many of all posts are in the index. */
type Reached = (done: number, all: number) => void

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
export async function reindex(engine: Engine, reached: Reached = () => undefined): Promise<void> {
  await engine.alone((tx) => reindexWithin(tx, reached))
}

/** Rebuilds it if a migration asks for that. Of several nodes that start together, the first one does it. */
export async function reindexIfNeeded(engine: Engine, reached: Reached): Promise<void> {
  if (!(await needsReindex(engine.db))) return
  await engine.alone(async (tx) => {
    if (await needsReindex(tx)) await reindexWithin(tx, reached)
  })
}

async function reindexWithin(tx: Tx, reached: Reached): Promise<void> {
  const { invertedIndex } = tx.engine
  const all = await countPosts(tx)
  let done = 0
  if (invertedIndex === 'fts5') {
    await forgetNumbers(tx)
    await fillTitles(tx)
  } else await tx.deleteFrom('search_words').execute()
  for await (const { seen, stale } of listStalePosts(tx, invertedIndex)) {
    await refreshWords(tx, invertedIndex, stale)
    done += seen
    reached(done, all)
  }
  await markReindexed(tx)
}
