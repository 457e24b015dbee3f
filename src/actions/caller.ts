import type { PostId, ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { Problem } from '../values/problems.ts'

export const scopes = [
  'posts:read',
  'posts:read_drafts',
  'posts:propose',
  'posts:write',
  'posts:publish',
  'posts:delete',
  'authors:read',
  'authors:read_email',
  'media:read',
  'media:write',
  'changes:read',
  'authors:write',
  'categories:write',
  'people:manage',
  'admin',
] as const

export type Scope = (typeof scopes)[number]

/** What `admin` includes beside keys, webhooks and settings. */
const administered = ['authors:write', 'categories:write', 'people:manage'] as const satisfies readonly Scope[]

/** Scopes that a key has only where they are asked for. */
export const administrativeScopes: readonly Scope[] = [...administered, 'admin']

/** Scopes that a scope includes. */
const includes: Partial<Record<Scope, readonly Scope[]>> = {
  'posts:read_drafts': ['posts:read'],
  'posts:propose': ['posts:read_drafts', 'posts:read'],
  'posts:write': ['posts:propose', 'posts:read_drafts', 'posts:read'],
  'posts:publish': ['posts:read_drafts', 'posts:read'],
  'posts:delete': ['posts:read_drafts', 'posts:read'],
  'authors:read_email': ['authors:read'],
  'media:write': ['media:read'],
  admin: administered,
}

/** Who makes the request, for which project, with which scopes, and when. Serialisable. Actions know nothing else about the request. */
export interface Caller {
  readonly projectId: ProjectId
  /** As in the log: the id of a key, person or preview token, or `cli`, `import`, `schedule`. */
  readonly actor: string
  /** The program that the actor uses, as it says itself. */
  readonly client?: string
  readonly kind: 'secret' | 'public' | 'preview' | 'operator'
  /** Closed under inclusion: see `withIncluded`. */
  readonly scopes: readonly Scope[]
  readonly now: Instant
  /** With a preview token: the only post that exists for this caller. */
  readonly onlyPost?: PostId
}

/** Characters of the name of a client. */
export const maxClientLength = 80

/** What a caller may see. */
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

/** 403 `insufficient_scope` naming the scope, unless the caller has it. A caller who may not even propose is told of the scope that keys have. */
export function requireScope(caller: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (caller.scopes.includes(scope)) return
  const named: Scope = scope === 'posts:propose' ? 'posts:write' : scope
  throw new Problem('insufficient_scope', `This needs the scope ${named}, which the API key does not have.`, {
    members: { scope: named },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${named}"` },
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
  /** Part of the cache key: project, kind of key, scopes. Equal for callers who get the same bytes. */
  readonly view: string
  /** The version of the database state in which this was found, if the engine knows it. */
  readonly state: number | undefined
}

/** What authentication needs of a token, in one look-up: what it allows, the revisions of its project, and when the next post is due. */
export interface TokenLookUp extends TokenGrant {
  readonly revision: number
  readonly publicRevision: number
  readonly nextDueAt: Instant | null
}

/** What a token allows. */
export interface TokenGrant {
  readonly projectId: ProjectId
  /** Who is in the log as the actor. */
  readonly actor: string
  readonly kind: 'secret' | 'public'
  /** As granted. */
  readonly scopes: readonly Scope[]
  /** When it stops working. */
  readonly until: Instant | null
  /** The time of the look-up, by the clock of the engine. */
  readonly now: Instant
}

/** Authenticates requests by their tokens. */
export interface Authenticator {
  /**
   * Looks up an API key. One statement also returns the revision and whether posts are due; these are published first, so that no other code
   * deals with due posts. 401 `invalid_key` for an unknown token. Calls `passed` at the end of each stage.
   */
  authenticate(token: string, passed?: (stage: 'authenticate' | 'settle') => void): Promise<Authenticated>
  /** Present if look-ups can be cached. */
  readonly cached: CachedAuthentications | undefined
  /** Looks up a preview token; 404 `not_found` if it is unknown. */
  authenticatePreview(token: string): Promise<Authenticated>
  /** Everyone, as the site of the project with this slug may show it to them; 404 `not_found` if it has none. */
  authenticateSite(slug: string): Promise<Authenticated>
}

/** Cached look-ups. Excludes expired keys and projects with due posts. */
interface CachedAuthentications {
  /** A look-up that no write has followed. */
  current(token: string): Authenticated | undefined
  /** A look-up in a state that is on the disk, so that a crash cannot lose what a response shows. */
  flushed(token: string): Authenticated | undefined
}
