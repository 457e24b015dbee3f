import type { FastifyInstance } from 'fastify'
import { sendWriteResult, writeQueryOf } from '../../../http/response/write-response.ts'
import { handle, writes } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { batchChecker } from './post-batch.ts'
import { batchPosts } from './post-batch-actions.ts'
import { PostBatch, PostBatchResults } from './post-batch-schema.ts'

export const batchOperation = writes('POST /v1/posts/batch', 'posts:write', {
  id: 'batchPosts',
  tag: 'Posts',
  summary: 'Write several posts at once',
  description:
    'Up to 100 operations, done in their order and in one transaction. Where one cannot be done, nothing is, and the problem names it in `operation`; with `"atomic": false` the others are done all the same, and 207 tells what became of each. Every operation takes the scopes that it takes alone.',
  body: PostBatch,
  severalAtOnce: true,
  responses: { 200: PostBatchResults, 207: PostBatchResults },
  problems: ['not_found', 'stale_version', 'slug_conflict'],
})

/** `POST /v1/posts/batch`; with every other method that path is the post whose slug is `batch`. */
export function batchRoutes(app: FastifyInstance, service: Service): void {
  const check = batchChecker()

  handle(app, batchOperation, async (request, reply) => {
    writeQueryOf(request)
    return sendWriteResult(service, request, reply, {
      action: batchPosts,
      input: { body: check(request.body) },
      shape: { kind: 'written' },
    })
  })
}
