import fastify, { type FastifyInstance } from 'fastify'
import type { Scope } from '../../actions/caller.ts'
import { noCompilers } from '../fastify-compilers.ts'
import type { Operation } from './operation.ts'

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof methods)[number]

/** A route as it was registered, with all that its documentation is made from. */
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

/** Keeps every route that is registered from now on; one that does not say what it is is refused. HEAD goes with its GET, and preflights need no words. */
export function collectRoutes(app: FastifyInstance): readonly DocumentedRoute[] {
  const found: DocumentedRoute[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    const { operation, access = 'key', scope, body = 'none' } = config ?? {}
    for (const each of [method].flat().filter((name) => name !== 'HEAD' && name !== 'OPTIONS')) {
      const known = methods.find((name) => name.toUpperCase() === each)
      if (!known || !operation) throw new Error(`the route ${each} ${url} does not say what it is`)
      found.push({ method: known, url, access, scope, body, operation })
    }
  })
  return found
}

/** The routes that a registration makes, learned from a server that never listens. */
export function routesOf(register: (app: FastifyInstance) => void): readonly DocumentedRoute[] {
  const app = fastify({ schemaController: { compilersFactory: noCompilers } })
  const routes = collectRoutes(app)
  register(app)
  return routes
}
