import type { Authenticated, Scope } from '../actions/caller.ts'
import type { Operation } from './openapi/operation.ts'
import type { Timing } from './server-timing.ts'

/** What every route must say of itself; a route that does not is refused when it is registered. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open` needs no key, and tells nothing of what is stored; `key` needs one, and the scope named beside it. */
    access?: 'open' | 'key'
    scope?: Scope
    /** Takes a preview token, in the query, instead of a key. */
    preview?: true
    /** Whether the request has a JSON body. */
    body?: 'required' | 'optional' | 'none'
    /** What the documentation says of it; preflights alone are without. */
    operation?: Operation
  }

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

/** A route that reads, for keys with this scope. */
export function reads(scope: Scope, operation: Operation) {
  return { config: { access: 'key', scope, body: 'none', operation } } as const
}

/** A route that a preview token opens too. */
export function opensForPreviews<C extends object>({ config }: { readonly config: C }) {
  return { config: { ...config, preview: true } } as const
}

/** A route that writes, for keys with this scope; none where the action decides which it takes. */
export function writes(scope: Scope | undefined, operation: Operation, body: 'required' | 'optional' | 'none' = 'required') {
  return { config: { access: 'key', body, operation, ...(scope && { scope }) } } as const
}

/** A route that needs no key. */
export function open(operation?: Operation) {
  return { config: { access: 'open', body: 'none', ...(operation && { operation }) } } as const
}
