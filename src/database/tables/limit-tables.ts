import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** The last minute in which a key was counted, shared by all nodes (src/http/limits). */
export interface RateWindowTable {
  project_id: ProjectId
  key_id: string
  requests: 'reads' | 'writes'
  ends_at: Instant
  /** Requests that nodes have taken for themselves, used or not. May exceed the limit by those that were refused. */
  used: number
}

/** The present minute of an address, where nodes share a database. */
export interface FailedAuthenticationTable {
  address: string
  failures: number
  ends_at: Instant
}
