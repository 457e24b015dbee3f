import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticated, Scope } from '../actions/caller.ts'
import type { Problem } from '../values/problems.ts'
import type { Coding } from './content-coding.ts'
import type { Admission } from './limits/rate-limiter.ts'
import type { Operation } from './openapi/operation.ts'
import type { Timing } from './server-timing.ts'

declare module 'node:http' {
  /** What is read from a request once, shared by the fast path and the framework. */
  interface IncomingMessage {
    /** Whether the rate of its key admits it; undefined if that is not limited or not asked yet. */
    admission?: Admission | Promise<Admission> | undefined
    requestId?: string
    /** Milliseconds since the request arrived. */
    elapsedMs?: () => number
    /** The token of its Authorization header. */
    token?: string | undefined
    authenticated?: Authenticated | Promise<Authenticated>
    /** The coding that the client prefers for the response. */
    coding?: Coding
  }
}

/** The declaration of a route, apart from its method and path. */
interface RouteConfig {
  /**
   * `open` needs no key and shows no stored content; `key` needs a key with the scope; `site` needs no key and shows what the project in the
   * path shows to everyone; `studio` is for the studio's own pages, by the cookie of their session.
   */
  readonly access: 'open' | 'key' | 'site' | 'studio'
  /** Missing if the action decides which scope it needs. */
  readonly scope?: Scope
  /** Its rate is that of reads, although it is a POST: what it writes is counted by requests of its own. */
  readonly countedAs?: 'reads'
  /** Accepts a preview token in the query instead of a key. */
  readonly preview?: true
  /** Whether the request has a JSON body. */
  readonly body: 'required' | 'optional' | 'none'
  /** The documentation; only preflights have none. */
  readonly operation?: Operation
  /** With `*` in the path: which paths are there. The others are unknown. */
  readonly covers?: (path: string) => boolean
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}

  interface FastifyRequest {
    /** Not set on routes with `access: 'open'`. */
    authenticated: Authenticated
    /** Whether a part of the body had still to arrive when the request was authenticated. */
    isBodyLate: boolean
    /** The answer unless it is free: the request is beyond the rate of its key. */
    refusal?: Problem
    /** Measures the stages of the request, if the client asked for that. */
    timing: Timing | undefined
    /** How long a request with `wait` waited for changes. */
    waitedMs?: number
    /** SHA-256 of the body in hex, if the request has a body and an idempotency key. */
    bodyHash?: string
  }
}

/** A method and a path in the syntax of the router: `GET /v1/posts/:idOrSlug`. */
type Endpoint = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

/** A route without its handler, so that the OpenAPI document can be made without a running service. */
export interface Route<E extends Endpoint = Endpoint> extends RouteConfig {
  readonly endpoint: E
  readonly operation: Operation
}

/** The parameters in a path: `{ id: string }` for `/v1/posts/:id/restore`. */
type PathParameters<E extends string> = E extends `${string}/:${infer Name}/${infer Rest}`
  ? { readonly [N in Name]: string } & PathParameters<`/${Rest}`>
  : E extends `${string}/:${infer Name}`
    ? { readonly [N in Name]: string }
    : unknown

type Handler<E extends Endpoint> = (request: FastifyRequest<{ Params: PathParameters<E> }>, reply: FastifyReply) => Promise<FastifyReply>

export function handle<E extends Endpoint>(app: FastifyInstance, route: Route<E> | Page<E>, handler: Handler<E>): void {
  const { method, path: url } = partsOf(route)
  app.route<{ Params: PathParameters<E> }>({ method, url, config: route, handler })
}

export function partsOf({ endpoint }: Pick<Route, 'endpoint'>): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = endpoint.split(' ')
  return { method, path }
}

/** The path of a route as OpenAPI writes it: `/v1/posts/{idOrSlug}` for `/v1/posts/:idOrSlug`. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** Throws if an undeclared route is registered, so that no route stays undocumented. HEAD belongs to its GET; preflights need no documentation. */
export function requireDeclaredRoutes(app: FastifyInstance, routes: readonly Pick<Route, 'endpoint'>[]): void {
  const declared = new Set<string>(routes.map(({ endpoint }) => endpoint))
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'HEAD' || method === 'OPTIONS' || declared.has(`${method} ${url}`)) return
    throw new Error(`the route ${method} ${url} is not declared`)
  })
}

/** A route that reads, for keys with this scope. */
export function reads<E extends Endpoint>(endpoint: E, scope: Scope, operation: Operation): Route<E> {
  return { endpoint, access: 'key', scope, body: 'none', operation }
}

/** A route that reads what every key may know. */
export function readsAsAnyKey<E extends Endpoint>(endpoint: E, operation: Operation): Route<E> {
  return { endpoint, access: 'key', body: 'none', operation }
}

/** A route that also accepts a preview token. */
export function opensForPreviews<E extends Endpoint>(route: Route<E>): Route<E> {
  return { ...route, preview: true }
}

/** A route that writes, for keys with this scope; without a scope, the action decides. */
export function writes<E extends Endpoint>(
  endpoint: E,
  scope: Scope | undefined,
  operation: Operation,
  body: RouteConfig['body'] = 'required',
): Route<E> {
  return { endpoint, access: 'key', body, operation, ...(scope && { scope }) }
}

/** A route that reads what the site of the project in its path may show to everyone. */
export function opensForEveryone<E extends `GET /v1/${string}/:project/${string}`>(endpoint: E, operation: Operation): Route<E> {
  return { endpoint, access: 'site', body: 'none', operation }
}

/** A page for people. It is no part of the API, so the OpenAPI document does not have it. */
export interface Page<E extends Endpoint = Endpoint> extends RouteConfig {
  readonly endpoint: E
}

export function page<E extends Endpoint>(endpoint: E): Page<E> {
  return { endpoint, access: 'open', body: 'none' }
}

/** What the pages of the studio use to sign in. */
export function studioSession<E extends `${string} /studio/session${string}` & Endpoint>(endpoint: E, body: RouteConfig['body']): Page<E> {
  return { endpoint, access: 'studio', body }
}

export function open<E extends Endpoint>(endpoint: E, operation: Operation): Route<E> {
  return { endpoint, access: 'open', body: 'none', operation }
}
