import type { PostId, PreviewId, ProjectId } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import type { TokenPrefix } from '../../values/token.ts'
import { permalinkOf, type Site } from './permalink.ts'

/** What is kept of a preview token: everything but the token. */
export interface Preview {
  readonly id: PreviewId
  /** What it is for, in words of those who made it. */
  readonly name: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** What a token opens: one post. */
export interface Previewed {
  readonly id: PreviewId
  readonly projectId: ProjectId
  readonly postId: PostId
  readonly expiresAt: Instant
}

export const previewPrefix: TokenPrefix = 'verso_preview_'

const daySeconds = 24 * 60 * 60
const defaultLifeSeconds = 7 * daySeconds
/** A preview that is needed for longer is no preview any more, and what leaks out stops leaking. */
export const maxLifeSeconds = 90 * daySeconds
/** As many tokens as one post has at once. */
export const maxPreviews = 100

/** When a token ends that is made now; by default in a week. */
export function endOf(asked: { readonly expiresAt?: Instant | undefined; readonly expiresIn?: number | undefined }, now: Instant): Instant {
  return asked.expiresAt ?? later(now, (asked.expiresIn ?? defaultLifeSeconds) * 1_000)
}

/** What is wrong with the end that was asked for. */
export function endFaults(expiresAt: Instant, now: Instant): readonly Fault[] {
  if (expiresAt <= now) return [fault('in_the_past', 'expiresAt must lie in the future.')]
  if (expiresAt > later(now, maxLifeSeconds * 1_000)) return [fault('too_far', 'A preview ends after 90 days at most.')]
  return []
}

/** The link that shows a post to those who have it; none where the project does not say where its posts stand. */
export function previewUrl(site: Site, post: { readonly id: PostId; readonly slug: string }, token: string): string | null {
  const url = permalinkOf(site, post)
  url?.searchParams.append('preview_token', token)
  return url?.href ?? null
}

function fault(code: string, detail: string): Fault {
  return { pointer: '/expiresAt', code, detail }
}
