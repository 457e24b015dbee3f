import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, sightOf } from '../../actions/caller.ts'
import type { ListPlan, ListSpec } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import { version } from '../../values/version.ts'
import { sendKept, sendUnmodified } from '../cache/send-cached.ts'
import { type Coding, codingFor } from '../content-coding.ts'
import { formatQuery, pathOf, queryOf } from '../request/query.ts'
import type { Service } from '../route-services.ts'
import { codingOf } from './compression.ts'
import { isKnown, tagOf, type Validator, validatorOf, validatorOfResource } from './etag.ts'
import { linkHeader } from './link.ts'
import { listBytes } from './list-json.ts'
import type { Resource } from './write-response.ts'

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
  const tag = (wanted: Coding) => tagOf(validator, wanted)
  setCaching(reply, caller, service.sharedMaxAgeSeconds)
  if (tellTag(request, reply, tag)) return sendUnmodified(service, request, reply, tag)
  request.timing?.passed('validate')
  const page = await readOnce(service, request, plan, read)
  request.timing?.passed('query')
  setLinks(service, request, reply, plan, page)
  return sendKept(service, request, reply, tag, listBytes(plan, page))
}

/** Reads a page, but counts only what was not counted at this revision before. */
async function readOnce<S extends ListSpec, T>(
  { totals }: Service,
  request: FastifyRequest,
  plan: ListPlan<S>,
  read: (plan: ListPlan<S>) => Promise<Page<T>>,
): Promise<Page<T>> {
  const { view, revision } = request.authenticated
  if (!plan.total) return read(plan)
  const key = `${view} ${request.routeOptions.url} ${JSON.stringify(plan.filters)}`
  const known = totals.find(key, revision)
  if (known !== undefined) return { ...(await read({ ...plan, total: false })), total: known }
  const page = await read(plan)
  if (page.total !== undefined) totals.keep(key, revision, page.total)
  return page
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
  if (tellTag(request, reply, tagOfBytes(validatorOf(String(bytes)), bytes))) return reply.code(304).send()
  setLinks(service, request, reply, plan, page)
  return sendJson(reply, bytes)
}

/** One resource. Its tag tells its version where it has one. */
export async function sendOne(service: Service, request: FastifyRequest, reply: FastifyReply, resource: Resource): Promise<FastifyReply> {
  request.timing?.passed('query')
  const bytes = JSON.stringify(resource)
  const tag = tagOfBytes(validatorOfResource(resource, bytes), bytes)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  return tellTag(request, reply, tag) ? sendUnmodified(service, request, reply, tag) : sendKept(service, request, reply, tag, bytes)
}

/** A resource that is no content: it changes without a row in the log. */
export function sendFreshOne(service: Service, request: FastifyRequest, reply: FastifyReply, resource: Resource): FastifyReply {
  request.timing?.passed('query')
  const bytes = JSON.stringify(resource)
  setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds)
  const known = tellTag(request, reply, tagOfBytes(validatorOf(String(bytes)), bytes))
  return known ? reply.code(304).send() : sendJson(reply, bytes)
}

/** 301 to where a resource is now; what was asked of it, the query, is asked there. */
export function sendRedirect(service: Service, request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const location = `${service.basePath}${path}${formatQuery(queryOf(request))}`
  return setCaching(reply, request.authenticated.caller, service.sharedMaxAgeSeconds).code(301).header('location', location).send()
}

/** What caches may do with an answer (contract §6.2): it depends on the kind of key and on configuration, never on data. */
export function setCaching(reply: FastifyReply, { kind }: Caller, sharedMaxAgeSeconds: number | undefined): FastifyReply {
  const shared = sharedMaxAgeSeconds === undefined ? '' : `, s-maxage=${sharedMaxAgeSeconds}`
  if (kind === 'preview') return reply.header('cache-control', 'private, no-store')
  return reply.header('cache-control', kind === 'public' ? `public, max-age=0, must-revalidate${shared}` : 'private, no-cache')
}

function setLinks({ basePath }: Service, request: FastifyRequest, reply: FastifyReply, plan: ListPlan, page: Page<unknown>): void {
  reply.header('link', linkHeader(`${basePath}${pathOf(request)}`, queryOf(request), plan, page))
}

/** The tag of what is sent as these bytes, in whichever coding. */
function tagOfBytes(validator: Validator, bytes: string | Buffer): (wanted: Coding) => string {
  const length = Buffer.byteLength(bytes)
  return (wanted) => tagOf(validator, codingFor(wanted, length))
}

/** Tells the tag of the form that is wanted, and returns whether the client has just that. */
function tellTag(request: FastifyRequest, reply: FastifyReply, tag: (wanted: Coding) => string): boolean {
  const etag = tag(codingOf(request))
  reply.header('etag', etag)
  return isKnown(request, etag)
}

function sendJson(reply: FastifyReply, bytes: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(bytes)
}
