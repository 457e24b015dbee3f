import { type Caller, type Sight, sightOf } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import type { AuthorId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** An author whom posts can name. */
export interface Author {
  readonly id: AuthorId
  readonly name: string
  readonly slug: string
  readonly email: string | null
  readonly bio: string | null
  readonly avatarUrl: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

const editable = ['name', 'slug', 'email', 'bio', 'avatarUrl'] as const

/** What a create or an update changes. A missing field stays as it is; `null` clears it. */
export type AuthorEdits = Partial<Pick<Author, (typeof editable)[number]>>

export function newAuthor(
  id: AuthorId,
  { name, slug, email = null, bio = null, avatarUrl = null }: AuthorEdits & { readonly name: string; readonly slug: string },
  now: Instant,
): Author {
  return { id, name: name.trim(), slug, email, bio, avatarUrl, createdAt: now, updatedAt: now, version: 1 }
}

/** The edited author; the same object if the edits change nothing. The slug stays when the name changes. */
export function editedAuthor(author: Author, edits: AuthorEdits, now: Instant): Author {
  const edited = { ...author, ...edits, name: edits.name?.trim() ?? author.name }
  if (editable.every((field) => edited[field] === author[field])) return author
  return { ...edited, version: author.version + 1, updatedAt: now }
}

/** The row in the log. Authors have no draft state: public keys see all of them. */
export function authorChange({ id, version }: Author, what: 'created' | 'updated' | 'deleted'): Change {
  return { kind: 'author', id, version, news: [`author.${what}`], publicBefore: what !== 'created', publicAfter: what !== 'deleted' }
}

/** Administrators see e-mail addresses, whatever other scopes their key has. */
export function administratorSight(caller: Caller): Sight {
  return { ...sightOf(caller), emails: true }
}
