import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { sightOf } from '../../../actions/caller.ts'
import { InstantOut, idSchema, nullable, oneOf } from '../../../actions/validation/schema-types.ts'
import { queryOf } from '../../../http/request/query.ts'
import { sendFreshOne } from '../../../http/response/responses.ts'
import { handle, reads } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { readText, refuseOtherParameters } from '../../../lists/query-parameters.ts'
import { isId } from '../../../values/ids.ts'
import { notFound } from '../../../values/problems.ts'
import { statuses } from '../post.ts'
import { findPost, findPostOrTrash } from '../post-store.ts'
import { visibilityOf, visibilityRules } from './post-visibility.ts'
import { findPast, findReader } from './post-visibility-store.ts'

const Visibility = Type.Object(
  {
    id: idSchema('post'),
    visible: Type.Boolean(),
    status: oneOf(statuses),
    since: nullable(InstantOut, { description: 'Since when; `null` if the log does not reach back that far.' }),
    until: nullable(InstantOut, { description: 'When this will change by itself: when the post is due, or when the key expires.' }),
    rule: oneOf(visibilityRules, {
      description: 'The rule that decides: `published` and `read_drafts` show the post, all others hide it.',
    }),
    detail: Type.String({ description: 'The reason in words.' }),
  },
  { title: 'Visibility' },
)

export const visibilityOperation = reads('GET /v1/posts/:idOrSlug/visibility', 'posts:read_drafts', {
  id: 'getPostVisibility',
  tag: 'Posts',
  summary: 'Explain why a post is visible or hidden',
  description: 'For one key of the project or, without `key`, for the public. A post in the trash is found by its id.',
  texts: { key: 'The id of a key of this project.' },
  responses: { 200: Visibility, 304: null },
  problems: ['not_found'],
})

/** `/v1/posts/{idOrSlug}/visibility`. */
export function visibilityRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, visibilityOperation, async (request, reply) => {
    const { caller } = request.authenticated
    const { projectId, now } = caller
    const { idOrSlug } = request.params
    const query = queryOf(request)
    refuseOtherParameters(query, ['key'])
    const keyId = readText(query, 'key')
    const sight = sightOf(caller)
    const post = isId('post', idOrSlug) ? await findPostOrTrash(db, sight, idOrSlug, now) : await findPost(db, sight, idOrSlug)
    if (!post) throw notFound('post')
    const reader = keyId !== undefined && isId('key', keyId) ? await findReader(db, projectId, keyId) : undefined
    if (keyId !== undefined && !reader) throw notFound('key')
    const past = await findPast(db, projectId, post.id)
    return sendFreshOne(service, request, reply, { id: post.id, ...visibilityOf(post, past, reader, now) })
  })
}
