import type { Engine } from '../../database/engine.ts'
import { changePostCounts, listWrongCounts } from '../../lists/post-count-store.ts'
import type { ProjectId } from '../../values/ids.ts'
import { repairTagCopies } from './tag-copy-store.ts'

/** Makes right, while nobody writes, what lists are read from and every write keeps. Returns how much of it was wrong. */
export async function repairLists(engine: Engine, projects: readonly { readonly id: ProjectId }[]): Promise<number> {
  return engine.alone(async (tx) => {
    let repaired = 0
    for (const { id } of projects) {
      const wrong = await listWrongCounts(tx, id)
      await changePostCounts(tx, id, wrong)
      repaired += wrong.length + (await repairTagCopies(tx, id))
    }
    return repaired
  })
}
