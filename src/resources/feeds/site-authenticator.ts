import { type Authenticated, type Caller, operator } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { notFound } from '../../values/problems.ts'
import { lookUpSite } from './site-feed-store.ts'

interface SiteAuthenticatorParts {
  readonly db: Db
  /** Publishes the due posts of the project, unless that takes too long. */
  publishDueInTime(caller: Caller): Promise<boolean>
}

/** Opens what a project shows to everyone, by its slug. A project without a site gets the same 404 as one that does not exist. */
export function openSiteAuthenticator({ db, publishDueInTime }: SiteAuthenticatorParts): (slug: string) => Promise<Authenticated> {
  return async (slug) => {
    const found = await lookUpSite(db, slug)
    if (!found) throw notFound('feed')
    const { projectId, now, nextDueAt } = found
    const isDue = nextDueAt !== null && nextDueAt <= now
    const published = isDue && (await publishDueInTime(operator(projectId, 'schedule', now)))
    const { publicRevision } = (published ? await lookUpSite(db, slug) : undefined) ?? found
    const caller: Caller = { projectId, actor: `feeds of ${projectId}`, kind: 'public', scopes: ['posts:read', 'authors:read'], now }
    return { caller, revision: publicRevision, view: `${projectId} feeds`, state: undefined }
  }
}
