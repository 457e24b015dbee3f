import type { PostId, ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'

/** Tables for searching; what they say is said by others. The first two are there only where the inverted index is a table. */

/** The number of a post in an index, with what lists of matches are sorted and judged by. */
export interface SearchPostTable {
  /** That of the project is in the upper 32 bits. */
  number: number
  project_id: ProjectId
  id: PostId
  status: string
  published_at: Instant | ''
  deleted_at: Instant | null
}

/** Which numbers have which three letters in their titles. */
export interface SearchTitleTable {
  rowid: number
}

/** Which posts have which words. Where the inverted index is a table its rows are known by number, elsewhere by project and id. */
export interface SearchWordTable {
  rowid: number
  project_id: ProjectId
  id: PostId
  /** What was indexed: see `wordsDigest`. */
  digest: string
}
