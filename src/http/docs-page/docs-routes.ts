import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { once } from '../../values/once.ts'
import { Problem } from '../../values/problems.ts'
import { CachedResponse } from '../cache/cached-response.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { allowAnyOrigin } from '../request/cors.ts'
import { hasCurrent } from '../request/if-none-match.ts'
import { tagOf, validatorOf } from '../response/etag.ts'
import { handle, open } from '../route-config.ts'
import { docsPolicy, makeDocsPage } from './docs-page.ts'

const tag = 'Service'

export const docsOperations = {
  document: open('GET /openapi.json', {
    id: 'getOpenApi',
    tag,
    summary: 'Read this document',
    description: 'OpenAPI 3.1, generated from the schemas that validate. Web pages of any origin may read it.',
    responses: { 200: Type.Object({}, { description: 'An OpenAPI document.', additionalProperties: true }), 304: null },
  }),
  page: open('GET /docs', {
    id: 'getDocs',
    tag,
    summary: 'Open the documentation in a browser',
    description: 'Shows this document as a page, where requests can be tried with a key.',
    responses: { 200: Type.String({ contentMediaType: 'text/html', description: 'HTML.' }), 304: null },
  }),
  script: open('GET /docs/:version/docs.js', {
    id: 'getDocsScript',
    tag,
    summary: 'Load the script of the documentation',
    description: 'Belongs to `/docs`, which names its version.',
    responses: { 200: Type.String({ contentMediaType: 'text/javascript', description: 'JavaScript.' }), 304: null },
    problems: ['not_found'],
  }),
  style: open('GET /docs/:version/docs.css', {
    id: 'getDocsStyle',
    tag,
    summary: 'Load the style sheet of the documentation',
    description: 'Belongs to `/docs`, which names its version.',
    responses: { 200: Type.String({ contentMediaType: 'text/css', description: 'CSS.' }), 304: null },
    problems: ['not_found'],
  }),
}

const checkedEveryTime = 'public, max-age=0, must-revalidate'
const cachedForEver = 'public, max-age=31536000, immutable'

/** `/openapi.json`, and `/docs` with its files. The document and the page are made when they are first asked for. */
export function documentationRoutes(app: FastifyInstance, describe: () => OpenApiDocument): void {
  const document = once(async () => fixedResponse(JSON.stringify(describe()), 'application/json', checkedEveryTime))
  const docs = once(async () => {
    const { html, script, style, version } = await makeDocsPage(describe())
    return {
      version,
      page: fixedResponse(html, 'text/html', checkedEveryTime),
      script: fixedResponse(script, 'text/javascript', cachedForEver),
      style: fixedResponse(style, 'text/css', cachedForEver),
    }
  })

  handle(app, docsOperations.document, async (request, reply) => {
    allowAnyOrigin(reply)
    return sendFixed(request, reply, await document())
  })

  handle(app, docsOperations.page, async (request, reply) => {
    reply.header('content-security-policy', docsPolicy)
    return sendFixed(request, reply, (await docs()).page)
  })

  for (const name of ['script', 'style'] as const) {
    handle(app, docsOperations[name], async (request, reply) => {
      const { version, [name]: file } = await docs()
      if (request.params.version !== version) throw new Problem('not_found', 'This version of the documentation has no such file.')
      return sendFixed(request, reply, file)
    })
  }
}

/** A response that stays the same while the program runs. */
interface FixedResponse {
  readonly type: string
  readonly cacheControl: string
  readonly variants: CachedResponse
}

function fixedResponse(text: string, type: string, cacheControl: string): FixedResponse {
  const validator = validatorOf(text)
  const variants = new CachedResponse({ bytes: Buffer.from(text), headers: [], tag: (wanted) => tagOf(validator, wanted) })
  return { type: `${type}; charset=utf-8`, cacheControl, variants }
}

async function sendFixed(request: FastifyRequest, reply: FastifyReply, response: FixedResponse): Promise<FastifyReply> {
  const { etag, coding, body } = await response.variants.make(codingOf(request.raw))
  reply.headers({ 'cache-control': response.cacheControl, vary: 'Accept-Encoding', etag })
  if (hasCurrent(request.raw, etag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.type(response.type).send(body)
}
