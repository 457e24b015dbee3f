import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { oneOf } from '../actions/validation/schema-types.ts'
import { handle, open } from './route-config.ts'

export interface Health {
  readonly state: { readonly stopping: boolean; readonly publishing: boolean }
  /** Whether the database answers. */
  database(): Promise<boolean>
}

const tag = 'Service'

const Alive = Type.Object({ status: oneOf(['ok']) }, { title: 'Alive' })

const Readiness = Type.Object(
  {
    status: oneOf(['ready', 'stopping', 'unavailable']),
    checks: Type.Object({
      database: oneOf(['ok', 'unavailable']),
      scheduling: oneOf(['ok', 'failing'], { description: '`failing` while posts that are due cannot be published.' }),
    }),
  },
  { title: 'Readiness' },
)

export const healthOperations = {
  alive: open('GET /healthz', {
    id: 'getHealth',
    tag,
    summary: 'Check that the process is alive',
    description: 'Does not ask the database. A process that does not answer should be restarted.',
    responses: { 200: Alive },
  }),
  ready: open('GET /readyz', {
    id: 'getReadiness',
    tag,
    summary: 'Check that the service is ready',
    description: '503 while it stops and while the database cannot be reached. A load balancer should then send requests elsewhere.',
    responses: { 200: Readiness, 503: Readiness },
  }),
}

export function healthRoutes(app: FastifyInstance, { state, database }: Health): void {
  handle(app, healthOperations.alive, async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  handle(app, healthOperations.ready, async (_, reply) => {
    const answers = await database()
    const status = state.stopping ? 'stopping' : answers ? 'ready' : 'unavailable'
    const checks = { database: answers ? 'ok' : 'unavailable', scheduling: state.publishing ? 'ok' : 'failing' }
    reply.header('cache-control', 'no-store')
    if (status !== 'ready') reply.code(503).header('retry-after', '5')
    return reply.send({ status, checks })
  })
}
