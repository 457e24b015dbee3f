import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'
import { hashOf, hasIdempotencyKey } from './idempotency-key.ts'

/** The deepest nesting of objects and arrays in a body; no schema goes beyond 3. */
const maxDepth = 20
const mergePatch = 'application/merge-patch+json'

/** Parses bodies, which must be JSON in valid UTF-8. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', mergePatch], { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (hasIdempotencyKey(request)) request.bodyHash = hashOf(bytes)
    if (bytes.length > 0) return parseJson(bytes)
    if (request.routeOptions.config.body === 'required') throw new Problem('malformed_json', 'The body is empty; it must be a JSON object.')
    return undefined
  })
  app.addHook('onRequest', async (request) => requireJson(request))
}

/** 415 for a body that is not JSON in UTF-8, before it is read. */
function requireJson(request: FastifyRequest): void {
  const { body } = request.routeOptions.config
  if (body === undefined || body === 'none') return
  const type = request.headers['content-type']
  if (type === undefined) {
    if (body === 'required' || hasBody(request)) throw unsupported('The request needs the header Content-Type: application/json.')
    return
  }
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isJson = essence === 'application/json' || (essence === mergePatch && request.method === 'PATCH')
  if (!isJson) throw unsupported('The body must be JSON (Content-Type: application/json).')
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('The body must be encoded in UTF-8.')
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupported('The body must not be compressed.')
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported_content_type', detail, { headers: { accept: 'application/json' } })
}

function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('malformed_json', `The body is not valid JSON${positionIn(error)}.`)
  }
  if (isDeeperThan(value, maxDepth)) throw new Problem('malformed_json', `The body is nested deeper than ${maxDepth} levels.`)
  return value
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8.')
  }
}

/** Where the parser stopped. The rest of its message would repeat the body. */
function positionIn(error: unknown): string {
  const position = error instanceof Error && / at position (\d+)/.exec(error.message)
  return position ? `: the error is at character ${position[1]}` : ''
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
