import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, sightOf } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { Asker } from '../../database/queues/long-reads.ts'
import type { ListPlan, ListSpec } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import { type AtRevision, type Reads, readsFor } from '../../lists/read-at-revision.ts'
import { ownTurn } from '../../values/event-loop.ts'
import { isLong, jsonPieces } from '../../values/json-pieces.ts'
import { version } from '../../values/version.ts'
import { type Body, toBody } from '../body.ts'
import { CachedResponse, type ResponseVariant } from '../cache/cached-response.ts'
import type { CacheEntry, ResponseKey } from '../cache/response-cache.ts'
import { payloadOf } from '../connection/paced-response.ts'
import { type Coding, codingFor } from '../content-coding.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { hasCurrent } from '../request/if-none-match.ts'
import { pathOf, queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { stateOf, tagOf, type Validator, validatorOf, validatorOfBytes } from './etag.ts'
import { linkHeader, listBytes } from './list-response.ts'

const json = 'application/json; charset=utf-8'

/** The ETag for a client that prefers this coding. The function is cached with the response, so its closure must stay small. */
export type TagOf = (preferred: Coding) => string

/** Reads a page. It says at which revision it was read, which may be later than that of the caller. */
type ReadPage<S extends ListSpec, T> = (plan: ListPlan<S>, reads: Reads) => Promise<AtRevision<Page<T>>>

/** Sends a list. If the revision has not changed, a client that has the current ETag gets its 304 without a query. */
export async function sendList<S extends ListSpec, T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: ListPlan<S>,
  read: ReadPage<S, T>,
): Promise<FastifyReply> {
  request.timing?.passed('plan')
  const { caller, revision } = request.authenticated
  const { drafts, emails } = sightOf(caller)
  // Another version of the program may represent the same state differently.
  const validatorAt = (seen: number) =>
    validatorOf(version, service.epoch, [caller.projectId, seen, drafts, emails], request.routeOptions.url ?? '', plan)
  // The length of the list is unknown before the query, so the tag is of the preferred coding even if a short list is sent unencoded.
  const tagAt = (seen: number): TagOf => {
    const validator = validatorAt(seen)
    return (coding) => tagOf(validator, coding)
  }
  const tag = tagAt(revision)
  setCaching(reply, caller, service.sharedMaxAgeSeconds)
  if (setTag(request, reply, tag)) return sendNotModified(service, request, reply, tag)
  request.timing?.passed('validate')
  const {
    value: page,
    revision: seen,
    isTransient,
  } = await read(
    plan,
    readsFor(service, request.authenticated, () => untilGone(request, reply)),
  )
  request.timing?.passed('query')
  setLinks(service, request, reply, plan, page)
  const bytes = await listBytes(plan, page)
  if (isTransient) return sendUncached(request, reply, { bytes, validator: await validatorOfBytes(bytes) })
  return sendAndCache(service, request, reply, { tag: seen === revision ? tag : tagAt(seen), bytes, revision: seen })
}

/** Sends a list that can change without a new revision, so its ETag is made from its bytes. */
export async function sendFreshList<S extends ListSpec, T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: ListPlan<S>,
  read: (plan: ListPlan<S>, db: Db) => Promise<Page<T>>,
): Promise<FastifyReply> {
  request.timing?.passed('plan')
  const page = await service.longRead(askerOf(request, reply), (db) => read(plan, db))
  request.timing?.passed('query')
  const bytes = await listBytes(plan, page)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  if (setTag(request, reply, tagOfBytes(await validatorOfBytes(bytes), bytes))) return reply.code(304).send()
  setLinks(service, request, reply, plan, page)
  return reply.type(json).send(payloadOf(bytes))
}

/** Who asks for a long read. */
function askerOf(request: FastifyRequest, reply: FastifyReply): Asker {
  const { actor, projectId } = request.authenticated.caller
  return { name: actor, projectId, untilGone: () => untilGone(request, reply) }
}

/**
 * A signal that aborts when the client has gone away. One that closes its side while its request waits is taken for gone; one that closed it
 * right after the request, as `nc` does, still reads.
 */
export function untilGone({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    socket.off('end', leave)
    if (!raw.writableFinished) gone.abort()
  }
  if (raw.closed) gone.abort()
  else {
    socket.once('end', leave)
    raw.once('close', leave)
  }
  return gone.signal
}

/** Sends a resource. Its ETag contains its version, if it has one, even if the request leaves that out. */
export async function sendOne<R extends object>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: R & { readonly version?: number },
  version: number | undefined = resource.version,
): Promise<FastifyReply> {
  request.timing?.passed('query')
  return sendBytes(service, request, reply, version, { bytes: await jsonBytes(resource), isTransient: false })
}

/** Sends a resource that can change without a new revision, or that differs from caller to caller. It is never cached. */
export async function sendFreshOne<R extends object>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: R & { readonly version?: number },
): Promise<FastifyReply> {
  request.timing?.passed('query')
  return sendBytes(service, request, reply, resource.version, { bytes: await jsonBytes(resource), isTransient: true })
}

/** The JSON of a resource. */
async function jsonBytes(resource: object): Promise<Body> {
  if (!isLong(resource)) return Buffer.from(JSON.stringify(resource))
  await ownTurn()
  return toBody(await jsonPieces(resource))
}

/** JSON of a resource, made by others. */
interface ReadyJson {
  readonly bytes: Body
  readonly isTransient: boolean
}

/** Sends a resource whose JSON is ready. */
export async function sendReadyOne(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { version }: { readonly version?: number },
  ready: ReadyJson,
): Promise<FastifyReply> {
  request.timing?.passed('query')
  return sendBytes(service, request, reply, version, ready)
}

async function sendBytes(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  version: number | undefined,
  { bytes, isTransient }: ReadyJson,
): Promise<FastifyReply> {
  const validator = { ...(await validatorOfBytes(bytes)), ...(version !== undefined && { state: stateOf(service.epoch, version) }) }
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  if (isTransient) return sendUncached(request, reply, { bytes, validator })
  const tag = tagOfBytes(validator, bytes)
  if (setTag(request, reply, tag)) return sendNotModified(service, request, reply, tag)
  // After a write since authentication, the bytes may be newer than the revision that they would be cached under.
  const revision = isUntouched(service, request) ? request.authenticated.revision : undefined
  return sendAndCache(service, request, reply, { tag, bytes, revision })
}

/** Sends a body that no cache may keep, with an ETag of its bytes. */
export function sendUncached(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, validator, type = json }: { readonly bytes: Body; readonly validator: Validator; readonly type?: string },
): FastifyReply {
  return setTag(request, reply, tagOfBytes(validator, bytes)) ? reply.code(304).send() : reply.type(type).send(payloadOf(bytes))
}

/** Sends a 301 to the new path of a resource, with the same query as it was sent: encoded anew, it could grow threefold. */
export function sendRedirect(service: Service, request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const [, ...queries] = (request.raw.url ?? '').split('?')
  const location = [`${service.basePath}${path}`, ...queries].join('?')
  return setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds).code(301).header('location', location).send()
}

/** Sets Cache-Control, which depends on the kind of key and on configuration, never on data (docs/reference/api.md#caching). */
export function setCaching(reply: FastifyReply, { kind }: Caller, sharedMaxAgeSeconds: number | undefined): FastifyReply {
  const shared = sharedMaxAgeSeconds === undefined ? '' : `, s-maxage=${sharedMaxAgeSeconds}`
  if (kind === 'preview') return reply.header('cache-control', 'private, no-store')
  return reply.header('cache-control', kind === 'public' ? `public, max-age=0, must-revalidate${shared}` : 'private, no-cache')
}

function setLinks({ basePath }: Service, request: FastifyRequest, reply: FastifyReply, plan: ListPlan, page: Page<unknown>): void {
  const links = linkHeader(`${basePath}${pathOf(request)}`, queryOf(request), plan, page)
  if (links !== undefined) reply.header('link', links)
}

function tagOfBytes(validator: Validator, { length }: Body): TagOf {
  return (preferred) => tagOf(validator, codingFor(preferred, length))
}

/** Sets the ETag of the preferred variant, and returns whether the client has that variant. */
export function setTag(request: FastifyRequest, reply: FastifyReply, tag: TagOf): boolean {
  const etag = tag(codingOf(request.raw))
  reply.header('etag', etag)
  return hasCurrent(request.raw, etag)
}

/** A body that stays valid until the revision changes. */
interface ValidBody {
  readonly tag: TagOf
  readonly bytes: Body
  /** The revision at which it was read; undefined if that is not known. */
  readonly revision: number | undefined
  /** The media type; that of JSON if it is missing. */
  readonly type?: string
}

/** Sends a body, and caches it for equal requests with the same rights. */
export async function sendAndCache(
  { responses }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, bytes, revision, type = json }: ValidBody,
): Promise<FastifyReply> {
  reply.type(type)
  reply.raw.admit?.(bytes)
  if (request.authenticated.caller.kind === 'preview') return reply.send(payloadOf(bytes))
  const newEntry = entryOf(request, reply, tag, { bytes, revision: revision ?? 0 })
  const entry = revision === undefined ? newEntry : responses.add(keyOf(request), newEntry)
  return sendVariant(reply, await responses.variantOf(keyOf(request), entry, codingOf(request.raw)))
}

/** Sends a variant of a response whose type is set. Its headers have the order of the fast path, so that nobody can tell what was in memory. */
export function sendVariant(reply: FastifyReply, { etag, coding, body }: ResponseVariant): FastifyReply {
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.header('etag', etag).send(body && payloadOf(body))
}

/** Sends a 304 and caches its ETag, because a client that has the response asks again and again whether it has changed. */
export async function sendNotModified(service: Service, request: FastifyRequest, reply: FastifyReply, tag: TagOf): Promise<FastifyReply> {
  const { responses } = service
  const { caller, revision } = request.authenticated
  if (caller.kind !== 'preview' && isUntouched(service, request)) {
    const entry = responses.add(keyOf(request), entryOf(request, reply, tag, { bytes: undefined, revision }))
    if (!entry.response.isWhole) await responses.variantOf(keyOf(request), entry, codingOf(request.raw))
  }
  return reply.code(304).send()
}

export function keyOf({ authenticated, raw }: FastifyRequest): ResponseKey {
  return { view: authenticated.view, url: raw.url ?? '' }
}

interface EntryParts {
  readonly bytes: Body | undefined
  readonly revision: number
}

function entryOf({ routeOptions }: FastifyRequest, reply: FastifyReply, tag: TagOf, { bytes, revision }: EntryParts): CacheEntry {
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'x-request-id')
  const response = new CachedResponse({ bytes, headers: headers.flatMap(([name, value]) => [name, String(value)]), tag })
  return { revision, route: routeOptions.url ?? '', response }
}

/** Whether nothing was written since authentication, as far as the engine can tell. Where it cannot, tags are still right: they are made from the bytes. */
function isUntouched({ durability }: Service, { authenticated }: FastifyRequest): boolean {
  return durability?.readable() === authenticated.state
}
