import type { FastifyInstance } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { sendList, sendOne } from '../../http/response/responses.ts'
import { handle, reads } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { Tag, TagList, tagList } from './tag-schema.ts'
import { findTag, listTags } from './tag-store.ts'

const tag = 'Tags'

export const tagOperations = {
  list: reads('GET /v1/tags', 'posts:read', {
    id: 'listTags',
    tag,
    summary: 'List tags',
    description: 'The tags of the posts that the key can see. Naming a tag on a post creates it.',
    list: tagList,
    responses: { 200: TagList, 304: null },
  }),
  read: reads('GET /v1/tags/:idOrSlug', 'posts:read', {
    id: 'getTag',
    tag,
    summary: 'Read a tag by id or slug',
    description: 'A tag exists for a key while the key can see a post that names it.',
    responses: { 200: Tag, 304: null },
    problems: ['not_found'],
  }),
}

/** `/v1/tags`: read-only, because posts create tags. */
export function tagRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, tagOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(tagList, queryOf(request), caller)
    return sendList(service, request, reply, plan, (asked, reads) => reads.long((snapshot) => listTags(snapshot, reads.sight, asked)))
  })

  handle(app, tagOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const found = await findTag(db, sightOf(request.authenticated.caller), request.params.idOrSlug)
    if (!found) throw notFound('tag')
    return sendOne(service, request, reply, found)
  })
}
