import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { sendList } from '../../http/response/responses.ts'
import { handle, reads } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { BoundedMap } from '../../values/bounded-map.ts'
import { findSite } from '../site/site-store.ts'
import { requireLinks } from './redirect.ts'
import { RedirectList, redirectList } from './redirect-schema.ts'
import { findHiddenPaths, type HiddenPaths, listRedirects } from './redirect-store.ts'

/** The projects whose hidden paths are kept. */
const maxKept = 20

export const redirectOperations = {
  list: reads('GET /v1/redirects', 'posts:read', {
    id: 'listRedirects',
    tag: 'Site',
    summary: 'List redirects',
    description:
      'What leads to published posts: aliases, and paths with former slugs by the permalink of the project. Every redirect leads straight to a post. A path at which a post is now is left out, and where an alias and a former slug are the same path, the alias counts. Without a permalink, the answer is 404.',
    list: redirectList,
    responses: { 200: RedirectList, 304: null },
    problems: ['not_found'],
  }),
}

/** `/v1/redirects`. */
export function redirectRoutes(app: FastifyInstance, service: Service): void {
  const kept = new BoundedMap<string, { readonly revision: number; readonly hidden: HiddenPaths }>(maxKept)

  handle(app, redirectOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const { projectId } = caller
    const plan = planList(redirectList, queryOf(request), caller)
    requireLinks(await findSite(service.db, projectId))
    return sendList(service, request, reply, plan, (asked, reads) =>
      reads.long(async (db, revision) => {
        const site = requireLinks(await findSite(db, projectId))
        const key = `${projectId} ${reads.sight.drafts}`
        const found = kept.get(key)
        const hidden = found?.revision === revision ? found.hidden : await findHiddenPaths(db, projectId, site)
        kept.set(key, { revision, hidden })
        return listRedirects(db, { projectId }, asked, { site, hidden })
      }),
    )
  })
}
