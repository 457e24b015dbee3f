import { type Caller, operator, type Scope, scopes, withIncluded } from '../../actions/caller.ts'
import type { PersonId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'

export const roles = ['writer', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

const writerScopes: readonly Scope[] = ['posts:write', 'authors:read', 'media:read', 'media:write', 'changes:read']
const editorScopes: readonly Scope[] = [
  ...writerScopes,
  'posts:publish',
  'posts:delete',
  'authors:read_email',
  'authors:write',
  'categories:write',
]

/** What each role may do, closed under inclusion: docs/how-to/people.md#roles. */
export const roleScopes: Readonly<Record<Role, readonly Scope[]>> = {
  writer: withIncluded(writerScopes),
  editor: withIncluded(editorScopes),
  owner: scopes,
}

/** A person with their role in one project. */
export interface Person {
  readonly id: PersonId
  readonly name: string
  readonly role: Role
  readonly hasPassword: boolean
  /** How many. */
  readonly passkeys: number
  /** When the open one-time link expires. */
  readonly linkExpiresAt: Instant | null
  readonly createdAt: Instant
  /** When they last used the studio. */
  readonly lastSeenAt: Instant | null
}

/** How long a one-time link works. */
export const linkHours = 72

/** The form in which names are compared: nobody has to type their name in the same case. */
export function foldedName(name: string): string {
  return fold(name.trim())
}

/** The addresses at which a service listens on this machine. Browsers accept passkeys for `localhost`, but for none of these. */
const thisMachine = /^http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=[:/]|$)/

/** The address that a one-time link opens. The token stands in the fragment, which no browser sends and no log has. */
export function linkTo(publicUrl: string, token: string): string {
  return `${publicUrl.replace(thisMachine, 'http://localhost').replace(/\/$/, '')}/studio/welcome#${token}`
}

/** The caller of writes by somebody who is not signed in yet, and so in no project. Such writes share transactions among themselves. */
export function signInCaller(now: Instant): Caller {
  return operator('prj_studio', 'cli', now)
}
