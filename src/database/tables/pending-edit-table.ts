import type { PostId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** What a post is going to be: one row for each post that has a pending edit. */
export interface PendingEditTable {
  project_id: ProjectId
  post_id: PostId
  version: number
  /** The version of the post that the edit started from. */
  based_on: number
  /** JSON object of the edited fields, without the content. */
  edits: string
  /** Who saved it last. */
  actor: string
  created_at: Instant
  updated_at: Instant
  /** When the clock applies it; `''` if it is not scheduled. */
  scheduled_for: Instant | ''
  /** JSON: why the clock could not apply it. */
  problem: string | null
  row_hash: string
  /** The edited Markdown; null if the content is not edited. */
  content: string | null
  /** JSON: the edit before its last save; null if that began it. */
  previous: string | null
}
