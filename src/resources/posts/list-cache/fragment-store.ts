import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { PostId } from '../../../values/ids.ts'
import { type BodyRow, bodiesOf, filledUp, toBody } from '../post-body-store.ts'
import type { KnownPosts } from './fragment-cache.ts'
import { type PostPart, toPart } from './post-fragment.ts'

export interface PartReading {
  readonly db: Db
  readonly known: KnownPosts
  readonly sight: Sight
  readonly withContent: boolean
}

/** Reads posts that are in sight, in no order, and keeps their parts. */
export async function readParts(reading: PartReading, ids: readonly PostId[]): Promise<readonly { row: BodyRow; part: PostPart }[]> {
  if (ids.length === 0) return []
  const { projectId, onlyPost, drafts } = reading.sight
  const { withContent } = reading
  const rows = await bodiesOf(reading.db, { projectId, onlyPost, ids: filledUp(ids) }, { drafts, withContent })
  return rows.map((row) => ({ row, part: keepPart(reading, row) }))
}

export function keepPart({ known, sight, withContent }: PartReading, row: BodyRow): PostPart {
  const part = toPart(sight.projectId, toBody(row), withContent)
  known.keepPart(row.id, part)
  return part
}
