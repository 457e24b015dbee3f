import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticated, Scope } from '../actions/caller.ts'
import type { Coding } from './content-coding.ts'
import type { Operation } from './openapi/operation.ts'
import type { Timing } from './server-timing.ts'

declare module 'node:http' {
  /** What is found out about a request once and kept with it, for the fast path and the framework alike. */
  interface IncomingMessage {
    /** How long ago it arrived. */
    elapsedMs?: () => number
    /** The token of its Authorization header. */
    token?: string | undefined
    authenticated?: Authenticated | Promise<Authenticated>
    /** The coding that it prefers for its response. */
    coding?: Coding
  }
}

/** What a route says of itself beside its method and path. */
interface RouteConfig {
  /** `open` needs no key, and tells nothing of what is stored; `key` needs one, and the scope named beside it. */
  readonly access: 'open' | 'key'
  /** None where the action decides which scope it takes. */
  readonly scope?: Scope
  /** Takes a preview token, in the query, instead of a key. */
  readonly preview?: true
  /** Whether the request has a JSON body. */
  readonly body: 'required' | 'optional' | 'none'
  /** Its documentation; only preflights have none. */
  readonly operation?: Operation
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteConfig> {}

  interface FastifyRequest {
    /** Who asks; on routes with `access: 'key'` alone. */
    authenticated: Authenticated
    /** Measures the stages of the request, where that was asked for. */
    timing: Timing | undefined
    /** How long it waited because it had asked to. */
    waitedMs?: number
    /** SHA-256 of the bytes of the body, hex, where there is one and the request may come again. */
    bodyHash?: string
  }
}

/** A method and a path as the router knows it: `GET /v1/posts/:idOrSlug`. */
type Endpoint = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

/** A route declared apart from its handler, so that the OpenAPI document can be made without a service. */
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

/** Serves a declared route. */
export function handle<E extends Endpoint>(app: FastifyInstance, route: Route<E>, handler: Handler<E>): void {
  const { method, path: url } = partsOf(route)
  app.route<{ Params: PathParameters<E> }>({ method, url, config: route, handler })
}

export function partsOf({ endpoint }: Route): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = endpoint.split(' ')
  return { method, path }
}

/** Refuses to register routes that are not declared here, so that none stays undocumented. HEAD belongs to its GET; preflights need no documentation. */
export function requireDeclaredRoutes(app: FastifyInstance, routes: readonly Route[]): void {
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

/** A route that a preview token opens too. */
export function opensForPreviews<E extends Endpoint>(route: Route<E>): Route<E> {
  return { ...route, preview: true }
}

/** A route that writes, for keys with this scope; without one, the action decides which scope it takes. */
export function writes<E extends Endpoint>(
  endpoint: E,
  scope: Scope | undefined,
  operation: Operation,
  body: RouteConfig['body'] = 'required',
): Route<E> {
  return { endpoint, access: 'key', body, operation, ...(scope && { scope }) }
}

/** A route that needs no key. */
export function open<E extends Endpoint>(endpoint: E, operation: Operation): Route<E> {
  return { endpoint, access: 'open', body: 'none', operation }
}
