import type { PostId, ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'

/** Tables for searches, derived from other tables. The first two exist only where the inverted index is a table. */

/** The number of a post in the indexes, and the columns that search results are filtered and sorted by. */
export interface SearchPostTable {
  /** The project's number is in the upper 32 bits. */
  number: number
  project_id: ProjectId
  id: PostId
  status: string
  published_at: Instant | ''
  deleted_at: Instant | null
}

/** The trigrams of titles, by number. */
export interface SearchTitleTable {
  rowid: number
}

/** The words of posts: by number where the inverted index is a table, elsewhere by project and id. */
export interface SearchWordTable {
  rowid: number
  project_id: ProjectId
  id: PostId
  /** Of what was indexed: see `wordsDigest`. */
  digest: string
}
