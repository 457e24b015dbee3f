import type { PostId, ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { Problem } from '../values/problems.ts'

export const scopes = [
  'posts:read',
  'posts:read_drafts',
  'posts:write',
  'posts:publish',
  'posts:delete',
  'authors:read',
  'authors:read_email',
  'media:read',
  'media:write',
  'changes:read',
  'admin',
] as const

export type Scope = (typeof scopes)[number]

/** Scopes that a scope includes. */
const includes: Partial<Record<Scope, readonly Scope[]>> = {
  'posts:read_drafts': ['posts:read'],
  'posts:write': ['posts:read_drafts', 'posts:read'],
  'posts:publish': ['posts:read_drafts', 'posts:read'],
  'posts:delete': ['posts:read_drafts', 'posts:read'],
  'authors:read_email': ['authors:read'],
  'media:write': ['media:read'],
}

/** Who makes the request, for which project, with which scopes, and when. Serialisable: all that an action knows of the outside. */
export interface Caller {
  readonly projectId: ProjectId
  /** As the log names it: the id of a key or preview token, or `cli`, `import`, `schedule`. */
  readonly actor: string
  readonly kind: 'secret' | 'public' | 'preview' | 'operator'
  /** Closed under inclusion: see `withIncluded`. */
  readonly scopes: readonly Scope[]
  readonly now: Instant
  /** With a preview token: the only post that exists for this caller. */
  readonly onlyPost?: PostId
}

/** What a caller may see: all that visibility depends on. */
export interface Sight {
  readonly projectId: ProjectId
  /** Unpublished posts exist for this caller. */
  readonly drafts: boolean
  /** Authors' e-mail addresses are shown. */
  readonly emails: boolean
  /** No other post exists for this caller. */
  readonly onlyPost?: PostId
}

export function withIncluded(granted: readonly Scope[]): readonly Scope[] {
  return scopes.filter((scope) => granted.includes(scope) || granted.some((has) => includes[has]?.includes(scope)))
}

export function sightOf(caller: Caller): Sight {
  return {
    projectId: caller.projectId,
    drafts: caller.scopes.includes('posts:read_drafts'),
    emails: caller.scopes.includes('authors:read_email'),
    ...(caller.onlyPost !== undefined && { onlyPost: caller.onlyPost }),
  }
}

/** 403 `insufficient_scope` naming the scope, unless the caller has it. */
export function requireScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (caller.scopes.includes(scope)) return
  throw new Problem('insufficient_scope', `This needs the scope ${scope}, which the API key does not have.`, {
    members: { scope },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}

/** The operator of the installation: every scope, in one project. */
export function operator(projectId: ProjectId, actor: 'cli' | 'import' | 'schedule', now: Instant): Caller {
  return { projectId, actor, kind: 'operator', scopes, now }
}

/** An authenticated request: the caller, and the revision of the log that the caller may see. */
export interface Authenticated {
  readonly caller: Caller
  readonly revision: number
  /** The same for all whom the same request is answered with the same bytes: project, kind of key, scopes. */
  readonly view: string
  /** The state of the database that this was found in; none where only asking would tell. */
  readonly state: number | undefined
}

/** Finds out whose token a request has. */
export interface Authenticator {
  /**
   * Looks a key up: one statement tells whose it is, how far the log is and whether posts are due. Those are published first, so that nothing
   * else in the program knows of them. 401 `invalid_key` where the token is nobody's. `passed` is called at the end of each stage.
   */
  authenticate(token: string, passed?: (stage: 'authenticate' | 'settle') => void): Promise<Authenticated>
  /** Missing where only the database can tell. */
  readonly cached: CachedAuthentications | undefined
  /** Looks a preview token up; 404 `not_found` where it opens nothing. */
  authenticatePreview(token: string): Promise<Authenticated>
}

/** Earlier look-ups of keys that have not expired, of projects in which no post is due since. */
interface CachedAuthentications {
  /** One after which nothing was written. */
  current(token: string): Authenticated | undefined
  /** One in the last state that is known to be on the disk: no crash can make what is told from it untrue. */
  flushed(token: string): Authenticated | undefined
}
