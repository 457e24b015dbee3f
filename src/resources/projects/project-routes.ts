import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { sendOne } from '../../http/response/responses.ts'
import { handle, readsAsAnyKey } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { findSite } from '../site/site-store.ts'
import { ProjectBody } from './project-schema.ts'

export const projectOperations = {
  read: readsAsAnyKey('GET /v1/project', {
    id: 'getProject',
    tag: 'Site',
    summary: 'Read the project of the key',
    description: 'Every key may read it. Its settings are changed on the command line: `verso project edit`.',
    responses: { 200: ProjectBody, 304: null },
  }),
}

/** `/v1/project`. */
export function projectRoutes(app: FastifyInstance, service: Service): void {
  handle(app, projectOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { slug, name, siteUrl, permalink } = await findSite(service.db, request.authenticated.caller.projectId)
    return sendOne(service, request, reply, { slug, name, siteUrl, permalink })
  })
}
