import { type KeptAlive, withInstallation } from './kept-alive.ts'
import type { TrialReceiver } from './receivers.ts'

/** The events of the log, and the resource of each revision. */
export async function readLog({ address }: KeptAlive) {
  return withInstallation(address, async ({ db }) => {
    const rows = await db.selectFrom('changes').select(['seq', 'resource_id', 'news']).execute()
    const log = new Set(rows.flatMap(({ seq, news }) => (news === '' ? [] : news.split(' ').map((type) => `${seq} ${type}`))))
    return { log, resources: new Map(rows.map((row) => [row.seq, row.resource_id])) }
  })
}

/** How many requests came after one with a later event of the same post. */
export function disorderIn({ arrivals }: TrialReceiver, resources: ReadonlyMap<number, string>): number {
  const latest = new Map<string, number>()
  let disordered = 0
  for (const { revision } of arrivals) {
    const resource = resources.get(revision) ?? ''
    if (revision < (latest.get(resource) ?? 0)) disordered += 1
    latest.set(resource, Math.max(revision, latest.get(resource) ?? 0))
  }
  return disordered
}
