import type { FastifyInstance } from 'fastify'
import { Problem } from '../../values/problems.ts'

/** 406 for a client that does not accept JSON: routes with a key send nothing else. */
export function requireAcceptable(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (routeOptions.config.access !== 'key') return
    const { accept } = headers
    if (accept === undefined || accept.trim() === '' || acceptsJson(accept)) return
    throw new Problem('not_acceptable', 'The response is application/json, which the Accept header excludes.')
  })
}

/** Whether an Accept header (RFC 9110 §12.5.1) allows JSON. The most specific range decides, and `q=0` excludes. */
export function acceptsJson(accept: string): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, excluded: weight !== undefined && Number(weight.slice(2)) === 0 }
  })
  for (const type of ['application/json', 'application/problem+json', 'application/*', '*/*']) {
    const range = ranges.find((each) => each.type === type)
    if (range) return !range.excluded
  }
  return false
}
