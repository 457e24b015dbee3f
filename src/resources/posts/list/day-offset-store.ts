import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import type { PostCountTable } from '../../../database/tables.ts'
import type { ProjectId } from '../../../values/ids.ts'

type Counted = { readonly projectId: ProjectId; readonly statuses: readonly PostCountTable['status'][] }

/** Where to start reading: at posts older than this, after `skipped` rows. */
interface DayOffset {
  readonly olderThan: string
  readonly skipped: number
}

/**
 * The start of a distant page of a list, newest first. Skips whole days by their counts (measured for page 10,000 with 20 posts: p50 2.7 ms
 * instead of 44 ms).
 */
export async function findDayOffset(db: Db, counted: Counted, skipped: number): Promise<DayOffset> {
  let left = skipped
  for (const { day, posts } of await postsByDay(db, counted)) {
    if (Number(posts) > left) return { skipped: left, olderThan: afterAllOf(day) }
    left -= Number(posts)
  }
  return { skipped: left, olderThan: beforeEveryDay }
}

const postsByDay = prepared((db, { projectId, statuses }: Counted) =>
  db
    .selectFrom('post_counts')
    .select((eb) => ['ref as day', eb.fn.sum<number | string>('posts').as('posts')])
    .where('project_id', '=', projectId)
    .where('dimension', '=', 'day')
    .where('status', 'in', statuses)
    .groupBy('ref')
    .orderBy('ref', 'desc'),
)

/** In an instant a `T` follows the day. */
function afterAllOf(day: string): string {
  return `${day}U`
}

/** A post without a date is older than every post with one. */
const beforeEveryDay = '0'
