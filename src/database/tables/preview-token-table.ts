import type { PostId, PreviewId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** A link that shows one unpublished post without a key. */
export interface PreviewTokenTable {
  project_id: ProjectId
  id: PreviewId
  post_id: PostId
  name: string | null
  /** SHA-256 of the token, hex. */
  hash: string
  created_at: Instant
  expires_at: Instant
  row_hash: string
}
