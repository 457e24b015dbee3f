import type { PostId, PreviewId, ProjectId } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import type { TokenPrefix } from '../../values/token.ts'
import { type LinkedPost, permalinkOf, type Site } from '../site/site.ts'

/** A stored preview token, without the token itself. */
export interface Preview {
  readonly id: PreviewId
  readonly name: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** The post that a token opens. */
export interface PreviewAccess {
  readonly id: PreviewId
  readonly projectId: ProjectId
  readonly postId: PostId
  readonly expiresAt: Instant
}

export const previewPrefix: TokenPrefix = 'verso_preview_'

const daySeconds = 24 * 60 * 60
const defaultLifeSeconds = 7 * daySeconds
/** Limits how long a leaked token works. */
export const maxLifeSeconds = 90 * daySeconds
/** The most valid tokens of one post. */
export const maxPreviews = 100

/** The expiry of a new token, by default in a week. */
export function expiryOf(
  requested: { readonly expiresAt?: Instant | undefined; readonly expiresIn?: number | undefined },
  now: Instant,
): Instant {
  return requested.expiresAt ?? later(now, (requested.expiresIn ?? defaultLifeSeconds) * 1_000)
}

export function expiryFaults(expiresAt: Instant, now: Instant): readonly Fault[] {
  if (expiresAt <= now) return [fault('in_the_past', 'expiresAt must lie in the future.')]
  if (expiresAt > later(now, maxLifeSeconds * 1_000)) return [fault('too_far', 'A preview token expires after 90 days at most.')]
  return []
}

/** The link to a post with its preview token; `null` if the project has no site URL or permalink. */
export function previewUrl(site: Pick<Site, 'siteUrl' | 'permalink'>, post: LinkedPost, token: string): string | null {
  const url = permalinkOf(site, post)
  url?.searchParams.append('preview_token', token)
  return url?.href ?? null
}

function fault(code: string, detail: string): Fault {
  return { pointer: '/expiresAt', code, detail }
}
