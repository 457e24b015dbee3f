import type { FastifyRequest } from 'fastify'
import type { Perform } from '../actions/action.ts'
import type { LogWatch } from '../actions/change-log/log-watch.ts'
import type { Db, Durability, Engine } from '../database/engine.ts'
import type { ResponseCache } from './cache/response-cache.ts'

export interface Service {
  readonly db: Db
  readonly longRead: Engine['longRead']
  /** Wakes requests that wait for changes. */
  readonly watch: LogWatch
  /** 401 if the key of a request that has waited has ended meanwhile, or may do something else by now. */
  requireSameRights(request: FastifyRequest): Promise<unknown>
  readonly durability: Durability | undefined
  readonly perform: Perform
  /** The random mark of the installation, part of every ETag of a list. */
  readonly epoch: string
  /** The path of the public URL, before every link, without a trailing slash. */
  readonly basePath: string
  /** The address of this service for others, without a slash at its end. */
  publicUrl(): string
  /** How long shared caches may serve responses to public keys without revalidation; missing if not configured. */
  readonly sharedMaxAgeSeconds: number | undefined
  readonly responses: ResponseCache
}
