import type { FastifyInstance } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { optionalBodyOf } from '../../http/request/validate-body.ts'
import { sendFreshList } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList, planWithin } from '../../lists/list-plan.ts'
import { notFound } from '../../values/problems.ts'
import { createPreview, revokePreview } from './preview-actions.ts'
import { NewPreview, PreviewCreate, PreviewDryRun, PreviewList, previewList } from './preview-schema.ts'
import { findLinkedPost, listPreviews } from './preview-store.ts'

const tag = 'Posts'

export const previewOperations = {
  list: reads('GET /v1/posts/:idOrSlug/preview-tokens', 'posts:read_drafts', {
    id: 'listPreviewTokens',
    tag,
    summary: 'List the preview tokens of a post',
    description: 'The valid ones, without the tokens themselves.',
    list: previewList,
    responses: { 200: PreviewList, 304: null },
    problems: ['not_found'],
  }),
  create: writes(
    'POST /v1/posts/:idOrSlug/preview-tokens',
    'posts:write',
    {
      id: 'createPreviewToken',
      tag,
      summary: 'Create a preview token',
      description:
        'Anyone with the token can read the current state of this one post, with `GET /v1/posts/{idOrSlug}?preview_token=…` and no key.',
      body: PreviewCreate,
      responses: { 200: PreviewDryRun, 201: NewPreview },
      problems: ['not_found'],
    },
    'optional',
  ),
  revoke: writes(
    'DELETE /v1/posts/:idOrSlug/preview-tokens/:tokenId',
    'posts:write',
    {
      id: 'revokePreviewToken',
      tag,
      summary: 'Revoke a preview token',
      description: 'Takes effect with the next request.',
      responses: { 204: null },
      problems: ['not_found'],
    },
    'none',
  ),
}

export function previewRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service
  const createBody = optionalBodyOf(PreviewCreate)

  handle(app, previewOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const { projectId, now } = caller
    const plan = planList(previewList, queryOf(request), caller)
    const post = await findLinkedPost(db, sightOf(caller), request.params.idOrSlug)
    if (!post) throw notFound('post')
    return sendFreshList(service, request, reply, planWithin(plan, post.id), (checked, snapshot) =>
      listPreviews(snapshot, { projectId, postId: post.id, now }, checked),
    )
  })

  handle(app, previewOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug } = request.params
    const input = { idOrSlug, body: createBody(request) }
    const response = { kind: 'created', under: `/v1/posts/${idOrSlug}/preview-tokens`, secret: 'token' } as const
    return sendWriteResult(service, request, reply, { action: createPreview, input, response })
  })

  handle(app, previewOperations.revoke, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug, tokenId } = request.params
    return sendWriteResult(service, request, reply, {
      action: revokePreview,
      input: { idOrSlug, id: tokenId },
      response: { kind: 'deleted' },
    })
  })
}
