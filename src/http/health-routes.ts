import type { FastifyInstance } from 'fastify'
import { healthOperations } from './health-operations.ts'

/** What the service knows of its own state. */
export interface Health {
  readonly state: { readonly stopping: boolean; readonly settling: boolean }
  /** Whether the database answers. */
  database(): Promise<boolean>
}

/** `/healthz`: the process lives. `/readyz`: it can serve; 503 while it stops, and while the database is away. */
export function healthRoutes(app: FastifyInstance, { state, database }: Health): void {
  app.get('/healthz', healthOperations.alive, async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', healthOperations.ready, async (_, reply) => {
    const answers = await database()
    const status = state.stopping ? 'stopping' : answers ? 'ready' : 'unavailable'
    const checks = { database: answers ? 'ok' : 'unavailable', scheduling: state.settling ? 'ok' : 'failing' }
    reply.header('cache-control', 'no-store')
    if (status !== 'ready') reply.code(503).header('retry-after', '5')
    return reply.send({ status, checks })
  })
}
