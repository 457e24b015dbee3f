import type { FastifyInstance } from 'fastify'
import { Problem } from '../../values/problems.ts'
import { wantedOf } from './accept-encoding.ts'
import { isRead } from './request-line.ts'

/** 406 for a client that takes none of what a route with a key can answer: JSON, in the codings of reads or, of writes, in none. */
export function requireAcceptable(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers, method, routeOptions }) => {
    if (routeOptions.config.access !== 'key') return
    requireCoding(headers['accept-encoding'], method)
    const { accept } = headers
    if (accept === undefined || accept.trim() === '' || acceptsJson(accept)) return
    throw new Problem('not_acceptable', 'The answer is application/json, which the Accept header excludes.')
  })
}

function requireCoding(header: string | undefined, method: string): void {
  const wanted = wantedOf(header)
  if (wanted === undefined) throw new Problem('not_acceptable', 'The Accept-Encoding header excludes every coding, and to have none.')
  if (isRead(method) || !wanted.startsWith('only')) return
  throw new Problem('not_acceptable', 'The answer to a write has no content coding, which the Accept-Encoding header excludes.')
}

/** Whether an Accept header (RFC 9110 §12.5.1) leaves room for JSON: the most telling range decides, and `q=0` excludes. */
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
