import type { Engine, Tx } from '../../database/engine.ts'
import { changePostCounts, listWrongCounts } from '../../lists/post-count-store.ts'
import { pauseForOthers } from '../../search/reindex.ts'
import type { ProjectId } from '../../values/ids.ts'
import { listWrongTagCopies, repairTagCopies } from './check-store.ts'
import { derivedFaults } from './derived-posts.ts'
import { deriveAnew } from './derived-store.ts'

/** Posts that one turn derives anew: some tenths of a second. */
const derivedPerTurn = 100
/** Posts whose tags one turn repairs. */
const copiesPerTurn = 500

/**
 * Repairs what writes derive from posts for lists: folded titles, tags, aliases, and then the totals that count them. Others write meanwhile,
 * except during the turns that repair something. Returns how many posts and rows were wrong.
 */
export async function repairLists(engine: Engine, projects: readonly { readonly id: ProjectId }[]): Promise<number> {
  let repaired = 0
  for (const { id } of projects) {
    const derived = await repairDerived(engine, id)
    // An alias that another post held by mistake is free only now.
    if (derived > 0) await repairDerived(engine, id)
    repaired += derived
    if ((await listWrongCounts(engine.db, id)).length > 0) repaired += await engine.alone((tx) => repairCounts(tx, id))
    for (;;) {
      if ((await listWrongTagCopies(engine.db, id, 1)).length === 0) break
      repaired += await engine.alone((tx) => repairTagCopies(tx, id, copiesPerTurn))
    }
  }
  return repaired
}

async function repairDerived(engine: Engine, projectId: ProjectId): Promise<number> {
  const now = await engine.now()
  let repaired = 0
  for await (const faulty of derivedFaults(engine, projectId))
    for (let start = 0; start < faulty.length; start += derivedPerTurn) {
      const ids = faulty.slice(start, start + derivedPerTurn).map(({ id }) => id)
      repaired += await engine.alone((tx) => deriveAnew(tx, projectId, ids, now))
      await pauseForOthers()
    }
  return repaired
}

async function repairCounts(tx: Tx, projectId: ProjectId): Promise<number> {
  const wrong = await listWrongCounts(tx, projectId)
  await changePostCounts(tx, projectId, wrong)
  return wrong.length
}
