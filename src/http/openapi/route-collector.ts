import type { Scope } from '../../actions/caller.ts'
import { partsOf, type Route } from '../route-config.ts'
import type { Operation } from './operation.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** A route with its method and path apart. */
export interface DocumentedRoute {
  readonly method: Method
  /** As the router knows it: `/v1/posts/:idOrSlug`. */
  readonly url: string
  readonly access: 'open' | 'key'
  /** None where the action decides which it takes. */
  readonly scope: Scope | undefined
  readonly body: 'required' | 'optional' | 'none'
  readonly operation: Operation
}

export function toDocumentedRoute(route: Route): DocumentedRoute {
  const { method, path } = partsOf(route)
  const known = methods.find((name) => name.toUpperCase() === method)
  if (!known) throw new Error(`the route ${route.endpoint} has no method that OpenAPI knows`)
  return { method: known, url: path, access: route.access, scope: route.scope, body: route.body, operation: route.operation }
}
