import type { FastifyInstance } from 'fastify'
import { findActorNames } from '../../actions/actor-name-store.ts'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf } from '../../http/request/validate-body.ts'
import { sendFreshOne, sendOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, readsAsAnyKey, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { isId } from '../../values/ids.ts'
import { findSite } from '../site/site-store.ts'
import { changeSettings } from './project-actions.ts'
import { Asker, ProjectBody, ProjectPatch, ProjectSettings } from './project-schema.ts'
import { findProjectById } from './project-store.ts'

const administration = 'Administration'

export const projectOperations = {
  read: readsAsAnyKey('GET /v1/project', {
    id: 'getProject',
    tag: 'Site',
    summary: 'Read the project of the key',
    description:
      'Every key may read it. Its settings are changed with `PATCH /v1/admin/project`, or on the command line: `verso project edit`.',
    responses: { 200: ProjectBody, 304: null },
  }),
  whoami: readsAsAnyKey('GET /v1/whoami', {
    id: 'getAsker',
    tag: 'Site',
    summary: 'Read who is asking',
    description: 'The key or the person of the request, their scopes, and the notes of the project on how to write there.',
    responses: { 200: Asker, 304: null },
  }),
  readSettings: reads('GET /v1/admin/project', 'admin', {
    id: 'getProjectSettings',
    tag: administration,
    summary: 'Read the settings of the project',
    description: 'As `GET /v1/project`, with what feeds have and where they are.',
    responses: { 200: ProjectSettings, 304: null },
  }),
  patch: writes('PATCH /v1/admin/project', 'admin', {
    id: 'updateProject',
    tag: administration,
    summary: 'Change the settings of the project',
    description:
      'A JSON merge patch (RFC 7396). A change moves the public revision: every ETag of the project changes, and the webhook event `project.changed` is sent, after which sites rebuild. Nobody can change the slug: it is in the addresses of feeds.',
    body: ProjectPatch,
    responses: { 200: ProjectSettings },
  }),
}

/** `/v1/project`, which every key may read, and `/v1/admin/project`. */
export function projectRoutes(app: FastifyInstance, service: Service): void {
  handle(app, projectOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { slug, name, siteUrl, permalink, timeZone } = await findSite(service.db, request.authenticated.caller.projectId)
    return sendOne(service, request, reply, { slug, name, siteUrl, permalink, timeZone })
  })

  handle(app, projectOperations.whoami, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { projectId, actor, kind, scopes } = request.authenticated.caller
    const actorName = (await findActorNames(service.db, [actor])).get(actor) ?? null
    const asker: Asker = {
      actor,
      actorName,
      kind: isId('pers', actor) ? 'person' : kind === 'public' ? 'public' : 'secret',
      scopes: [...scopes],
      notes: scopes.includes('posts:read_drafts') ? (await findProjectById(service.db, projectId)).notes : null,
    }
    // Two keys with the same scopes share what is cached, but not who they are.
    return sendFreshOne(service, request, reply, asker)
  })

  handle(app, projectOperations.readSettings, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    return sendOne(service, request, reply, await findProjectById(service.db, request.authenticated.caller.projectId))
  })

  const patchBody = bodyOf(ProjectPatch)
  handle(app, projectOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: changeSettings, input, response: { kind: 'written' } })
  })
}
