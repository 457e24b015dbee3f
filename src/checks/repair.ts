import { changePostCounts, listWrongCounts } from '../counts/post-count-store.ts'
import type { Engine } from '../database/engine.ts'
import type { ProjectId } from '../ids.ts'

/** Makes the counts of posts right where they are wrong, while nobody writes. Returns how many were wrong. */
export async function repairCounts(engine: Engine, projects: readonly { readonly id: ProjectId }[]): Promise<number> {
  return engine.alone(async (tx) => {
    let repaired = 0
    for (const { id } of projects) {
      const wrong = await listWrongCounts(tx, id)
      await changePostCounts(tx, id, wrong)
      repaired += wrong.length
    }
    return repaired
  })
}
