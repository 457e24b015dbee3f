import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Site } from './site.ts'

/** The site of a project. */
export async function findSite(db: Db, projectId: ProjectId): Promise<Site & { readonly slug: string; readonly createdAt: Instant }> {
  const [site] = await siteOf(db, { projectId })
  if (!site) throw new Error('the project is not there')
  return site
}

const siteOf = prepared((db, { projectId }: { readonly projectId: ProjectId }) =>
  db
    .selectFrom('projects')
    .select(['slug', 'name', 'site_url as siteUrl', 'permalink', 'time_zone as timeZone'])
    .select(['feed_content as feedContent', 'feed_url as feedUrl', 'created_at as createdAt'])
    .where('id', '=', projectId),
)
