import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Authenticated, Authenticator, Caller } from '../../actions/caller.ts'
import type { Durability } from '../../database/engine.ts'
import { BoundedMap } from '../../values/bounded-map.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import { type AccessLog, inHundredths } from '../access-log.ts'
import { endWith } from '../connection/paced-response.ts'
import { admit } from '../limits/limit-requests.ts'
import { type RateLimiter, rateLimitHeaders } from '../limits/rate-limiter.ts'
import { acceptsJson } from '../request/accept.ts'
import { codingOf, preferredCoding } from '../request/accept-encoding.ts'
import { authenticateKey, tokenOf } from '../request/authentication.ts'
import { hasCurrent } from '../request/if-none-match.ts'
import { isHost, isRead, repeatedHeader } from '../request/request-line.ts'
import { asksForTiming } from '../server-timing.ts'
import type { ResponseVariant } from './cached-response.ts'
import type { CacheEntry, ResponseCache } from './response-cache.ts'

interface FastPathParts {
  readonly responses: ResponseCache
  readonly log: FastifyBaseLogger
  readonly logRequest: AccessLog
  readonly authenticator: Authenticator
  readonly limiter: RateLimiter | undefined
  readonly durability: Durability | undefined
  requestIdFor(request: IncomingMessage): string
  isStopping(): boolean
}

/** Answers a GET or HEAD from the response cache, before the framework sees it. `next` hands it to the framework when it is not there. */
export function fastPath(parts: FastPathParts) {
  const { authenticator, limiter, responses, durability, isStopping } = parts
  const mayBeCached = cacheability()
  const prefer = memoized(preferredCoding)
  const send = sending(parts)

  const keyOf = ({ url = '' }: IncomingMessage, { view }: Authenticated) => ({ view, url })
  const find = (request: IncomingMessage, authenticated: Authenticated) =>
    responses.find(keyOf(request, authenticated), authenticated.revision)

  /** Where a look-up, a flush or an encoding is needed first. Problems are left to the framework, which knows whether the path needs a key. */
  const sendLater = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const authenticated = await authenticateKey(authenticator, request)
    const entry = find(request, authenticated)
    if (!entry) return false
    const variant = await responses.variantOf(keyOf(request, authenticated), entry, codingOf(request, prefer))
    if (!hasCurrent(request, variant.etag)) request.admission = await admit(limiter, request, authenticated.caller)
    await durability?.flush()
    return !isStopping() && send(request, response, { entry, variant, caller: authenticated.caller })
  }

  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    request.elapsedMs = startStopwatch()
    const token = mayBeCached(request) && !isStopping() ? tokenOf(request) : undefined
    const flushed = token === undefined ? undefined : authenticator.cached?.flushed(token)
    const entry = flushed && find(request, flushed)
    if (entry) {
      const variant = entry.response.ready(codingOf(request, prefer))
      if (variant && send(request, response, { entry, variant, caller: flushed.caller })) return
    }
    if (token === undefined) next()
    else
      sendLater(request, response).then(
        (isSent) => isSent || next(),
        () => next(),
      )
  }
}

interface Answer {
  readonly entry: CacheEntry
  readonly variant: ResponseVariant
  readonly caller: Caller
}

/** Sends a response from the cache. Sends nothing, and returns false, if only its tag is known or if the key is beyond its rate. */
function sending({ limiter, log, logRequest, requestIdFor }: FastPathParts) {
  return (request: IncomingMessage, response: ServerResponse, { entry: { route }, variant, caller }: Answer): boolean => {
    const isUnmodified = hasCurrent(request, variant.etag)
    if (!isUnmodified && variant.body === undefined) return false
    // A 304 is free.
    const admission = isUnmodified ? undefined : admit(limiter, request, caller)
    if (admission && !('isAdmitted' in admission && admission.isAdmitted)) return false
    const status = isUnmodified ? 304 : 200
    const common = isUnmodified ? variant.headersUnmodified : variant.headers
    const headers = admission ? [...common, ...Object.entries(rateLimitHeaders(admission)).flat()] : common
    const requestId = requestIdFor(request)
    headers[1] = requestId
    response.writeHead(status, headers)
    endWith(response, isUnmodified ? undefined : variant.body)
    const durationMs = inHundredths(request.elapsedMs?.() ?? 0)
    logRequest(log, { requestId, method: request.method ?? '', route, status, durationMs }, request.headers)
    return true
  }
}

/** Whether nothing but the URL, the key, the coding and `If-None-Match` decides the response. Requests that are to be timed are done anew. */
function cacheability(): (request: IncomingMessage) => boolean {
  const takesJson = memoized(acceptsJson)
  return (request) => {
    const { method, url = '', headers } = request
    const { accept, host, prefer } = headers
    if (!isRead(method) || !url.startsWith('/v1/') || url.includes('preview_token')) return false
    if (host === undefined || !isHost(host) || asksForTiming(prefer)) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    return repeatedHeader(request) === undefined && (accept === undefined || takesJson(accept))
  }
}

/** Clients send few different headers again and again; those that always send others cost no more memory than this. */
const maxHeaders = 200
const maxHeaderLength = 200

/** A function of a header that remembers its results. */
export function memoized<T>(read: (header: string) => T): (header: string) => T {
  const results = new BoundedMap<string, T>(maxHeaders)
  return (header) => {
    const known = results.get(header)
    if (known !== undefined) return known
    const result = read(header)
    if (header.length <= maxHeaderLength) results.set(header, result)
    return result
  }
}
