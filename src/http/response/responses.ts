import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, sightOf } from '../../actions/caller.ts'
import type { ListPlan, ListSpec } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import { version } from '../../values/version.ts'
import { CachedResponse } from '../cache/cached-response.ts'
import type { CacheEntry, ResponseKey } from '../cache/response-cache.ts'
import { type Coding, codingFor } from '../content-coding.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { hasCurrent } from '../request/if-none-match.ts'
import { formatQuery, pathOf, queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { tagOf, type Validator, validatorOf, validatorOfResource } from './etag.ts'
import { linkHeader } from './link.ts'
import { listBytes } from './list-json.ts'
import type { Resource } from './write-response.ts'

const json = 'application/json; charset=utf-8'

/** The tag of a response for a client that prefers this coding. It is cached with the response, so it should hold nothing large. */
type TagOf = (preferred: Coding) => string

/** A list by its plan. While nothing changed that the caller may know of, a client that has the answer is told so without a query. */
export async function sendList<S extends ListSpec, T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: ListPlan<S>,
  read: (plan: ListPlan<S>) => Promise<Page<T>>,
): Promise<FastifyReply> {
  request.timing?.passed('plan')
  const { caller, revision } = request.authenticated
  const { drafts, emails } = sightOf(caller)
  // Another version of the program may say more of the same state.
  const validator = validatorOf(version, service.epoch, [caller.projectId, revision, drafts, emails], request.routeOptions.url ?? '', plan)
  // How long the list is nobody knows yet: its tag is that of the coding that is wanted, even where it turns out not to be worth it.
  const tag = (coding: Coding) => tagOf(validator, coding)
  setCaching(reply, caller, service.sharedMaxAgeSeconds)
  if (setTag(request, reply, tag)) return sendNotModified(service, request, reply, tag)
  request.timing?.passed('validate')
  const page = await read(plan)
  request.timing?.passed('query')
  setLinks(service, request, reply, plan, page)
  return sendAndCache(service, request, reply, tag, listBytes(plan, page))
}

/** A list whose bytes change with time alone, or with what is no content: its tag is made from the bytes. */
export async function sendFreshList<S extends ListSpec, T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: ListPlan<S>,
  read: (plan: ListPlan<S>) => Promise<Page<T>>,
): Promise<FastifyReply> {
  request.timing?.passed('plan')
  const page = await read(plan)
  request.timing?.passed('query')
  const bytes = listBytes(plan, page)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  if (setTag(request, reply, tagOfBytes(validatorOf(String(bytes)), bytes))) return reply.code(304).send()
  setLinks(service, request, reply, plan, page)
  return sendJson(reply, bytes)
}

/** One resource. Its tag tells its version where it has one. */
export async function sendOne(service: Service, request: FastifyRequest, reply: FastifyReply, resource: Resource): Promise<FastifyReply> {
  request.timing?.passed('query')
  const bytes = JSON.stringify(resource)
  const tag = tagOfBytes(validatorOfResource(resource, bytes), bytes)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  return setTag(request, reply, tag) ? sendNotModified(service, request, reply, tag) : sendAndCache(service, request, reply, tag, bytes)
}

/** A resource that is no content: it changes without a row in the log. */
export function sendFreshOne(service: Service, request: FastifyRequest, reply: FastifyReply, resource: Resource): FastifyReply {
  request.timing?.passed('query')
  const bytes = JSON.stringify(resource)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  const known = setTag(request, reply, tagOfBytes(validatorOf(String(bytes)), bytes))
  return known ? reply.code(304).send() : sendJson(reply, bytes)
}

/** 301 to where a resource is now; what was asked of it, the query, is asked there. */
export function sendRedirect(service: Service, request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const location = `${service.basePath}${path}${formatQuery(queryOf(request))}`
  return setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds).code(301).header('location', location).send()
}

/** What caches may do with a response: it depends on the kind of key and on configuration, never on data (docs/reference/api.md#caching). */
function setCaching(reply: FastifyReply, { kind }: Caller, sharedMaxAgeSeconds: number | undefined): FastifyReply {
  const shared = sharedMaxAgeSeconds === undefined ? '' : `, s-maxage=${sharedMaxAgeSeconds}`
  if (kind === 'preview') return reply.header('cache-control', 'private, no-store')
  return reply.header('cache-control', kind === 'public' ? `public, max-age=0, must-revalidate${shared}` : 'private, no-cache')
}

function setLinks({ basePath }: Service, request: FastifyRequest, reply: FastifyReply, plan: ListPlan, page: Page<unknown>): void {
  reply.header('link', linkHeader(`${basePath}${pathOf(request)}`, queryOf(request), plan, page))
}

/** The tag of what is sent as these bytes, in whichever coding. */
function tagOfBytes(validator: Validator, bytes: string | Buffer): TagOf {
  const length = Buffer.byteLength(bytes)
  return (preferred) => tagOf(validator, codingFor(preferred, length))
}

/** Sets the tag of the variant that is preferred, and returns whether the client has that variant. */
function setTag(request: FastifyRequest, reply: FastifyReply, tag: TagOf): boolean {
  const etag = tag(codingOf(request.raw))
  reply.header('etag', etag)
  return hasCurrent(request.raw, etag)
}

function sendJson(reply: FastifyReply, bytes: string | Buffer): FastifyReply {
  return reply.type(json).send(bytes)
}

/** Sends JSON that holds until the log moves, and caches it for those who ask the same with the same rights. */
async function sendAndCache(
  { responses, durability }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: TagOf,
  body: string | Buffer,
): Promise<FastifyReply> {
  reply.type(json)
  const { caller, state } = request.authenticated
  if (caller.kind === 'preview') return reply.send(body)
  const made = entryOf(request, reply, tag, typeof body === 'string' ? Buffer.from(body) : body)
  // What was written since the key was looked up may be in these bytes, and is not in its revision.
  const entry = durability?.readable() === state ? responses.add(keyOf(request), made) : made
  const { etag, coding, body: encoded } = await responses.variantOf(keyOf(request), entry, codingOf(request.raw))
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.header('etag', etag).send(encoded)
}

/** Answers 304, and caches that: a client that has the response goes on asking whether it has changed. */
async function sendNotModified(
  { responses, durability }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  tag: TagOf,
): Promise<FastifyReply> {
  const { caller, state } = request.authenticated
  if (caller.kind !== 'preview' && durability?.readable() === state) {
    const entry = responses.add(keyOf(request), entryOf(request, reply, tag, undefined))
    if (!entry.response.isWhole) await responses.variantOf(keyOf(request), entry, codingOf(request.raw))
  }
  return reply.code(304).send()
}

function keyOf({ authenticated, raw }: FastifyRequest): ResponseKey {
  return { view: authenticated.view, url: raw.url ?? '' }
}

function entryOf({ authenticated, routeOptions }: FastifyRequest, reply: FastifyReply, tag: TagOf, bytes: Buffer | undefined): CacheEntry {
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'x-request-id' && name !== 'etag')
  const response = new CachedResponse({ bytes, headers: headers.flatMap(([name, value]) => [name, String(value)]), tag })
  return { revision: authenticated.revision, route: routeOptions.url ?? '', response }
}
