import type { FastifyInstance } from 'fastify'
import { isStorable } from '../../values/code-points.ts'
import { Problem } from '../../values/problems.ts'

/** 404 for a path that names something by a text which nothing can have: engines differ in what they say of it. */
export function requirePossibleNames(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ params }) => {
    const isPossible = Object.values((params ?? {}) as Readonly<Record<string, string>>).every(isStorable)
    if (!isPossible) throw new Problem('not_found', 'There is nothing of this name.')
  })
}
