import type { PostId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** Derived: the number of a post in the indexes, and the columns that filter and sort matches. Not on engines with inverted indexes. */
export interface SearchPostTable {
  /** Has the number of the project in its upper 32 bits. */
  number: number
  project_id: ProjectId
  id: PostId
  status: string
  published_at: Instant | ''
  deleted_at: Instant | null
}

/** Derived: the trigrams of titles, by number. Only beside `search_posts`. */
export interface SearchTitleTable {
  rowid: number
}

/** Derived: the words of posts, by number if there is `search_posts`, else by project and id. */
export interface SearchWordTable {
  rowid: number
  project_id: ProjectId
  id: PostId
  /** See `wordsDigest`. */
  digest: string
}
