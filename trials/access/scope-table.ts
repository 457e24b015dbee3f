import { type Scope, scopes } from '../../src/actions/caller.ts'

/** What each operation needs, as the contract of the API says it: not read from the program. An operation that is not here fails the trial. */
const scopeTable: Readonly<Record<string, Scope | 'any'>> = {
  'GET /v1/project': 'any',
  'GET /v1/whoami': 'any',
  'GET /v1/redirects': 'posts:read',
  'GET /v1/posts': 'posts:read',
  'GET /v1/posts/{idOrSlug}': 'posts:read',
  'GET /v1/tags': 'posts:read',
  'GET /v1/tags/{idOrSlug}': 'posts:read',
  'GET /v1/categories': 'posts:read',
  'GET /v1/categories/{idOrSlug}': 'posts:read',
  'GET /v1/posts/{idOrSlug}/related': 'posts:read',
  'GET /v1/posts/{idOrSlug}/visibility': 'posts:read_drafts',
  'GET /v1/posts/{idOrSlug}/revisions': 'posts:read_drafts',
  'GET /v1/posts/{idOrSlug}/revisions/{version}': 'posts:read_drafts',
  'GET /v1/posts/{idOrSlug}/revisions/{version}/diff': 'posts:read_drafts',
  'GET /v1/posts/{idOrSlug}/preview-tokens': 'posts:read_drafts',
  'GET /v1/posts/{idOrSlug}/pending': 'posts:read_drafts',
  'POST /v1/posts': 'posts:propose',
  'POST /v1/posts/batch': 'posts:write',
  'PATCH /v1/posts/{idOrSlug}': 'posts:write',
  'DELETE /v1/posts/{idOrSlug}': 'posts:write',
  'POST /v1/posts/{id}/restore': 'posts:write',
  'POST /v1/posts/{idOrSlug}/revisions/{version}/restore': 'posts:write',
  'POST /v1/posts/{idOrSlug}/preview-tokens': 'posts:write',
  'PATCH /v1/posts/{idOrSlug}/pending': 'posts:propose',
  'DELETE /v1/posts/{idOrSlug}/pending': 'posts:propose',
  'POST /v1/posts/{idOrSlug}/pending/undo': 'posts:propose',
  'POST /v1/posts/{idOrSlug}/pending/apply': 'posts:write',
  'DELETE /v1/posts/{idOrSlug}/preview-tokens/{tokenId}': 'posts:write',
  'GET /v1/authors': 'authors:read',
  'GET /v1/authors/{idOrSlug}': 'authors:read',
  'GET /v1/media': 'media:read',
  'GET /v1/media/{id}': 'media:read',
  'POST /v1/media': 'media:write',
  'PATCH /v1/media/{id}': 'media:write',
  'DELETE /v1/media/{id}': 'media:write',
  'GET /v1/changes': 'changes:read',
  'GET /v1/admin/people': 'people:manage',
  'GET /v1/admin/people/{id}': 'people:manage',
}

/** The scopes of a key, and those that they include. */
export function withAll(granted: readonly Scope[]): readonly Scope[] {
  const drafts = granted.some((scope) =>
    ['posts:propose', 'posts:write', 'posts:publish', 'posts:delete', 'posts:read_drafts'].includes(scope),
  )
  const more: Partial<Record<Scope, boolean>> = {
    'posts:propose': granted.includes('posts:write'),
    'posts:read_drafts': drafts,
    'posts:read': drafts,
    'authors:read': granted.includes('authors:read_email'),
    'media:read': granted.includes('media:write'),
    'authors:write': granted.includes('admin'),
    'categories:write': granted.includes('admin'),
    'people:manage': granted.includes('admin'),
  }
  return scopes.filter((scope) => granted.includes(scope) || more[scope])
}

/** What the roles of people may do, as the contract says it. */
export const roleTable: Readonly<Record<'writer' | 'editor' | 'owner', readonly Scope[]>> = {
  writer: ['posts:write', 'authors:read', 'media:write', 'changes:read'],
  editor: [
    ...(['posts:write', 'posts:publish', 'posts:delete', 'authors:read_email', 'authors:write', 'categories:write'] as const),
    ...(['media:write', 'changes:read'] as const),
  ],
  owner: scopes,
}

/** `any`: every key may. */
export type Table = (operation: string) => Scope | 'any' | undefined

/** What the operations below a path need that are not in the table; the first path that fits counts. */
const scopesByPath: readonly (readonly [path: string, scope: Scope])[] = [
  ['/v1/admin/authors', 'authors:write'],
  ['/v1/admin/categories', 'categories:write'],
  ['/v1/admin/', 'admin'],
]

export const neededBy: Table = (operation) => scopeTable[operation] ?? scopesByPath.find(([path]) => operation.includes(` ${path}`))?.[1]

/** Beside `people:manage`, it needs every scope of the role that is given or taken; or `admin`. */
export const isAboutRoles = (operation: string) => / \/v1\/admin\/people/.test(operation) && !operation.startsWith('GET ')

type State = 'draft' | 'published' | 'scheduled' | 'archived'

/** A write of a post, and all scopes that it needs. `{…}` stands for a post in that state. */
export interface PostWrite {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly needs: readonly Scope[]
}

const scheduledFor = '2031-01-01T00:00:00Z'
const states: readonly State[] = ['draft', 'published', 'scheduled', 'archived']
const goesOut = (state: State) => state === 'published' || state === 'scheduled'
const bodyOf = (status: State) => ({ status, ...(status === 'scheduled' && { scheduledFor }) })

/** `posts:publish` whenever the state before or after is published or scheduled; `posts:delete` for permanent deletion. */
function needsOf(scope: Scope, ...around: readonly State[]): readonly Scope[] {
  return around.some(goesOut) ? [scope, 'posts:publish'] : [scope]
}

/** Every write of a post, from every state to every other. */
export const postWrites: readonly PostWrite[] = states.flatMap((state): readonly PostWrite[] => {
  const post = `/v1/posts/{${state}}`
  const batch = (operation: object, needs: readonly Scope[]) => ({
    method: 'POST',
    path: '/v1/posts/batch',
    body: { operations: [operation] },
    needs,
  })
  const write = needsOf('posts:write', state)
  return [
    {
      method: 'POST',
      path: '/v1/posts',
      body: { title: 'x', ...bodyOf(state) },
      needs: state === 'draft' ? ['posts:propose' as const] : ['posts:propose' as const, ...write],
    },
    batch({ op: 'create', body: { title: 'x', ...bodyOf(state) } }, write),
    { method: 'PATCH', path: post, body: { title: 'x' }, needs: write },
    batch({ op: 'update', id: `{${state}}`, body: { title: 'x' } }, write),
    // Saved and not applied, an edit needs no posts:publish.
    { method: 'PATCH', path: `${post}/pending`, body: { title: 'x' }, needs: ['posts:propose' as const] },
    { method: 'DELETE', path: post, needs: write },
    batch({ op: 'delete', id: `{${state}}` }, write),
    { method: 'DELETE', path: `${post}?permanent=true`, needs: needsOf('posts:delete', state) },
    batch({ op: 'delete', id: `{${state}}`, permanent: true }, [...new Set(['posts:write' as const, ...needsOf('posts:delete', state)])]),
    { method: 'POST', path: `/v1/posts/{trashed ${state}}/restore`, needs: write },
    batch({ op: 'restore', id: `{trashed ${state}}` }, write),
    { method: 'POST', path: `${post}/revisions/1/restore`, needs: write },
    ...states.map((after) => ({ method: 'PATCH', path: post, body: bodyOf(after), needs: needsOf('posts:write', state, after) })),
  ]
})

/** What the feed shows with each scope beside `changes:read`. */
export const feedTable: Readonly<Record<string, readonly string[]>> = {
  'posts:read': ['category', 'post'],
  'authors:read': ['author'],
  'media:read': ['media'],
  'authors:read_email': ['author'],
  'media:write': ['media'],
  'posts:read_drafts': ['category', 'pending_edit', 'post'],
  admin: [],
  'authors:write': [],
  'categories:write': [],
  'people:manage': [],
}
