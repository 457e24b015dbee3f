import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { CachedResponse } from '../cache/cached-response.ts'
import type { OpenApiDocument } from '../openapi/openapi-types.ts'
import { allowAnyOrigin } from '../request/cors.ts'
import { codingOf } from '../response/compression.ts'
import { isKnown, tagOf, validatorOf } from '../response/etag.ts'
import { handle, open } from '../route-config.ts'
import { docsPage, docsPolicy } from './docs-page.ts'

const tag = 'Service'

export const docsOperations = {
  document: open('GET /openapi.json', {
    id: 'getOpenApi',
    tag,
    summary: 'This document',
    description: 'OpenAPI 3.1, generated from the shapes that validate. Web pages of any origin may read it.',
    responses: { 200: Type.Object({}, { description: 'An OpenAPI document.', additionalProperties: true }), 304: null },
  }),
  page: open('GET /docs', {
    id: 'getDocs',
    tag,
    summary: 'The same to read',
    description: 'One page that needs nothing else: no script, no network.',
    responses: { 200: Type.String({ contentMediaType: 'text/html', description: 'HTML.' }), 304: null },
  }),
}

/** `/openapi.json` and `/docs`: what the service can do, these two included. `describe` is asked once, after all routes are there. */
export function documentationRoutes(app: FastifyInstance, describe: () => OpenApiDocument): void {
  const document = once(() => answerOf(JSON.stringify(describe()), 'application/json; charset=utf-8'))
  const page = once(() => answerOf(docsPage(describe()), 'text/html; charset=utf-8'))

  handle(app, docsOperations.document, async (request, reply) => {
    allowAnyOrigin(reply)
    return answerFixed(request, reply, document())
  })

  handle(app, docsOperations.page, async (request, reply) => {
    reply.header('content-security-policy', docsPolicy).header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    return answerFixed(request, reply, page())
  })
}

/** An answer that stays as it is as long as the program runs. */
interface FixedAnswer {
  readonly type: string
  readonly forms: CachedResponse
}

function answerOf(text: string, type: string): FixedAnswer {
  const validator = validatorOf(text)
  return { type, forms: new CachedResponse({ bytes: Buffer.from(text), headers: [], tag: (wanted) => tagOf(validator, wanted) }) }
}

async function answerFixed(request: FastifyRequest, reply: FastifyReply, { type, forms }: FixedAnswer): Promise<FastifyReply> {
  const { etag, coding, body } = await forms.make(codingOf(request))
  reply.headers({ 'cache-control': 'public, max-age=0, must-revalidate', vary: 'Accept-Encoding', etag })
  if (isKnown(request, etag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(type).send(body)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
