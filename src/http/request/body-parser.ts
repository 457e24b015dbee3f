import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openTurns } from '../../values/event-loop.ts'
import { Problem } from '../../values/problems.ts'
import { ArrivingBodies } from '../connection/arriving-bodies.ts'
import { hashOf, hasIdempotencyKey } from './idempotency-key.ts'
import { parseJson } from './json-body.ts'
import { isRead } from './request-line.ts'

const mergePatch = 'application/merge-patch+json'

/** The largest body: 1 MiB of Markdown with every character escaped, and the rest of a post (docs/reference/api.md#limits). */
const maxBodyBytes = 2 * 1024 * 1024
/** For those who are not signed in yet: a name and a password, or a passkey. */
const maxStudioBytes = 16 * 1024

/** Parsing a larger body takes milliseconds, and so does validating it: each has a turn of its own, even if several arrive at once. */
const largeBytes = 64 * 1024

/** Parses bodies, which must be JSON in valid UTF-8. */
export function parseJsonBodies(app: FastifyInstance): void {
  const bodies = new ArrivingBodies()
  const turn = openTurns()
  const parseInTurn = async (bytes: Buffer): Promise<unknown> => {
    await turn()
    const value = parseJson(bytes)
    await turn()
    return value
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', mergePatch], async (request: FastifyRequest) => {
    const { access, body } = request.routeOptions.config
    const bytes = await bodies.read(request.raw, access === 'studio' ? maxStudioBytes : maxBodyBytes)
    if (hasIdempotencyKey(request)) request.bodyHash = hashOf(bytes)
    if (bytes.length > largeBytes) return parseInTurn(bytes)
    if (bytes.length > 0) return parseJson(bytes)
    if (body === 'required') throw new Problem('malformed_json', 'The body is empty; it must be a JSON object.')
    return undefined
  })
  app.addHook('onRequest', async (request) => requireJson(request))
}

/** 415 for a body that is not JSON in UTF-8, before it is read, also where none is wanted. Of a read or a preflight, none is read. */
function requireJson(request: FastifyRequest): void {
  const { access, body } = request.routeOptions.config
  if (body === undefined || access === 'open' || isRead(request.method)) return
  const type = request.headers['content-type']
  if (type === undefined) {
    if (body === 'required' || hasBody(request)) throw unsupported('The request needs the header Content-Type: application/json.')
    return
  }
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isJson = essence === 'application/json' || (essence === mergePatch && request.method !== 'POST')
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
