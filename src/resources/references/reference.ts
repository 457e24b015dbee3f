import type { AuthorId, CategoryId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'

/** What a post can name and cannot do without while it does. */
export type Reference = { readonly kind: 'author'; readonly id: AuthorId } | { readonly kind: 'category'; readonly id: CategoryId }

/** 409 for what posts name. It says where to look, for those in the trash are in no list. */
export function inUse(kind: Reference['kind']): Problem {
  return new Problem('in_use', `Posts name this ${kind}, be it in the trash; say with reassign_to which ${kind} they get instead.`)
}

/** 400 for a `reassign_to` that posts cannot get. */
export function badTarget(code: 'not_found' | 'not_allowed', detail: string): Problem {
  return new Problem('invalid_parameter', detail, { errors: [{ parameter: 'reassign_to', code, detail }] })
}
