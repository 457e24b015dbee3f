import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { allowAnyOrigin } from './cors.ts'
import { docsPage, docsPolicy } from './docs-page.ts'
import { isKnown, tagOf } from './etag.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { open } from './route-config.ts'

const tag = 'Service'

const operations = {
  document: open({
    id: 'getOpenApi',
    tag,
    summary: 'This document',
    description: 'OpenAPI 3.1, generated from the shapes that validate. Web pages of any origin may read it.',
    answers: { 200: Type.Object({}, { description: 'An OpenAPI document.', additionalProperties: true }), 304: null },
  }),
  page: open({
    id: 'getDocs',
    tag,
    summary: 'The same to read',
    description: 'One page that needs nothing else: no script, no network.',
    answers: { 200: Type.String({ contentMediaType: 'text/html', description: 'HTML.' }), 304: null },
  }),
}

/** `/openapi.json` and `/docs`: what the service can do, these two included. `describe` is asked once, after all routes are there. */
export function documentationRoutes(app: FastifyInstance, describe: () => OpenApiDocument): void {
  const document = once(() => answerOf(JSON.stringify(describe()), 'application/json; charset=utf-8'))
  const page = once(() => answerOf(docsPage(describe()), 'text/html; charset=utf-8'))

  app.get('/openapi.json', operations.document, async (request, reply) => {
    allowAnyOrigin(reply)
    return answerFixed(request, reply, document())
  })

  app.get('/docs', operations.page, async (request, reply) => {
    reply.header('content-security-policy', docsPolicy).header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
    return answerFixed(request, reply, page())
  })
}

/** An answer that stays as it is as long as the program runs. */
interface FixedAnswer {
  readonly bytes: string
  readonly type: string
  readonly tag: string
}

function answerOf(bytes: string, type: string): FixedAnswer {
  return { bytes, type, tag: tagOf(bytes) }
}

function answerFixed(request: FastifyRequest, reply: FastifyReply, { bytes, type, tag: etag }: FixedAnswer): FastifyReply {
  reply.header('cache-control', 'public, max-age=0, must-revalidate').header('etag', etag)
  return isKnown(request, etag) ? reply.code(304).send() : reply.type(type).send(bytes)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
