import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { sightOf } from '../../../actions/caller.ts'
import { queryOf } from '../../../http/request/query.ts'
import { dataBytes } from '../../../http/response/list-response.ts'
import { sendReadyOne, untilGone } from '../../../http/response/responses.ts'
import { handle, reads } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { planShown } from '../../../lists/list-plan.ts'
import { maxLimit } from '../../../lists/list-spec.ts'
import { readsFor } from '../../../lists/read-at-revision.ts'
import { notFound } from '../../../values/problems.ts'
import { pick } from '../post-fields.ts'
import { Post, postList } from '../post-schema.ts'
import { findPost } from '../post-store.ts'
import { findPublished, listRelatedIds } from './related-post-store.ts'

const defaultRelated = 5

const RelatedPosts = Type.Object(
  { data: Type.Array(Post, { maxItems: maxLimit, description: 'The most related post first.' }) },
  { title: 'RelatedPosts' },
)

export const relatedOperation = reads('GET /v1/posts/:idOrSlug/related', 'posts:read', {
  id: 'listRelatedPosts',
  tag: 'Posts',
  summary: 'List related posts',
  description:
    'Published posts for “read on”: those that share most tags with this post first, among equals those of its category, then the newest; then others of its category, then the newest of all. The same posts in the same order until something published changes.',
  selects: postList.fields,
  numbers: { limit: { description: 'The number of posts.', minimum: 1, maximum: maxLimit, default: defaultRelated } },
  responses: { 200: RelatedPosts, 304: null },
  problems: ['not_found'],
})

/** `/v1/posts/{idOrSlug}/related`. */
export function relatedRoutes(app: FastifyInstance, service: Service): void {
  handle(app, relatedOperation, async (request, reply) => {
    const { caller, revision } = request.authenticated
    const { projectId } = caller
    const shown = planShown({ fields: postList.fields, maxLimit }, queryOf(request), caller)
    const { limit = defaultRelated } = shown
    const fields = (shown.fields ?? postList.fields) as readonly (keyof Post)[]
    const seen = await readsFor(service, request.authenticated, () => untilGone(request, reply)).long(async (db) => {
      const post = await findPost(db, sightOf(caller), request.params.idOrSlug)
      if (!post) throw notFound('post')
      const ids = await listRelatedIds(db, { projectId, post, limit })
      return findPublished(db, projectId, ids, fields.includes('content'))
    })
    const bytes = await dataBytes(seen.value.map((post) => pick(post, fields)))
    return sendReadyOne(service, request, reply, {}, { bytes, isTransient: seen.revision !== revision })
  })
}
