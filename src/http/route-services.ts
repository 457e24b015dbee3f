import type { Perform } from '../actions/action.ts'
import type { LogWatch } from '../actions/change-log/log-watch.ts'
import type { Db, Durability } from '../database/engine.ts'
import type { ResponseCache } from './cache/response-cache.ts'

/** What routes work with. */
export interface Service {
  readonly db: Db
  /** For those who wait for changes. */
  readonly watch: LogWatch
  readonly durability: Durability | undefined
  readonly perform: Perform
  /** Random, of this installation; part of every ETag of a list. */
  readonly epoch: string
  /** The path under which the service stands for the outside, without a slash at its end; before every link. */
  readonly basePath: string
  /** Seconds for which shared caches may keep answers to public keys unasked; none where it is not configured. */
  readonly sharedMaxAgeSeconds: number | undefined
  readonly responses: ResponseCache
}
