import type { Engine, Tx } from '../database/engine.ts'
import { markForReindex, markReindexed, needsReindex } from '../database/migrate.ts'
import type { ProjectId } from '../values/ids.ts'
import { Problem } from '../values/problems.ts'
import { countPosts, forgetWords, listStalePosts, type Place, refreshNext, refreshWords } from './stale-word-store.ts'
import { fillTitles, forgetNumbers } from './title-index-store.ts'

/** This many of all posts are in the index. */
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

/** Posts that one turn indexes: some tenths of a second. */
const postsPerTurn = 200
/** Longer than a waiting writer of another process pauses, so that it gets its turn. */
const pauseMs = 75

/** Between two turns of a repair that may run beside a service. */
export function pauseForOthers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs))
}

/**
 * Rebuilds the search index in short turns, between which others write. Until it is done, searches find what is indexed again, and a start
 * would begin anew.
 */
export async function reindex(engine: Engine, reached: Reached = () => undefined): Promise<void> {
  const all = await countPosts(engine.db)
  await engine.alone(async (tx) => {
    await markForReindex(tx)
    await forgetIndex(tx)
  })
  await refreshInTurns(engine, (done) => reached(done, all))
  await engine.alone(markReindexed)
}

/**
 * The same in a sharded database, project by project. Leaves out projects whose server is away, and returns them: their index stays as it is,
 * unless the server went away in the middle.
 */
export async function reindexProjects(
  engine: Engine,
  projects: readonly ProjectId[],
  reached: Reached = () => undefined,
): Promise<readonly ProjectId[]> {
  const { db } = engine
  const left: ProjectId[] = []
  let [before, all] = [0, 0]
  await engine.alone(markForReindex)
  for (const projectId of projects) {
    try {
      all += (await db.engine.servers?.ask(projectId, () => countPosts(db, projectId))) ?? 0
      await engine.alone((tx) => forgetWords(tx, projectId))
      before += await refreshInTurns(engine, (done) => reached(before + done, all), projectId)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      left.push(projectId)
    }
  }
  await engine.alone(markReindexed)
  return left
}

/** Indexes the posts of all projects or of one, and returns how many there were. */
async function refreshInTurns(engine: Engine, reached: (done: number) => void, projectId?: ProjectId): Promise<number> {
  const { invertedIndex } = engine.db.engine
  let [done, after]: [number, Place | undefined] = [0, ['', '']]
  while (after) {
    await pauseForOthers()
    const from: Place = after
    const turn = await engine.alone((tx) => refreshNext(tx, invertedIndex, { after: from, most: postsPerTurn, projectId }))
    done += turn.seen
    after = turn.next
    reached(done)
  }
  return done
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
  await forgetIndex(tx)
  for await (const { seen, stale } of listStalePosts(tx, invertedIndex)) {
    await refreshWords(tx, invertedIndex, stale)
    done += seen
    reached(done, all)
  }
  await markReindexed(tx)
}

/** Forgets all words. Numbers and titles are made again at once: triggers keep them up to date from then on. */
async function forgetIndex(tx: Tx): Promise<void> {
  if (tx.engine.invertedIndex === 'fts5') {
    await forgetNumbers(tx)
    await fillTitles(tx)
  } else await forgetWords(tx)
}
