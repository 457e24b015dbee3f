import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Problem } from '../values/problems.ts'
import { tokenOf } from './request/authentication.ts'
import { handle, open } from './route-config.ts'

/** The metrics, and the token that protects them. */
export interface MetricsPage {
  readonly token: string
  readonly contentType: string
  text(): Promise<string>
}

export const metricsOperation = open('GET /metrics', {
  id: 'getMetrics',
  tag: 'Service',
  summary: 'Read the metrics',
  description:
    'OpenMetrics text. It needs the token of `VERSO_METRICS_TOKEN`, not an API key: `Authorization: Bearer <token>`. 404 if that variable is not set.',
  protectedBy: 'metricsToken',
  responses: { 200: Type.String({ contentMediaType: 'application/openmetrics-text', description: 'OpenMetrics 1.0.' }) },
  problems: ['unauthenticated', 'invalid_key', 'not_found', 'rate_limited'],
})

export function metricsRoutes(app: FastifyInstance, page: MetricsPage | undefined): void {
  handle(app, metricsOperation, async (request, reply) => {
    if (!page) throw new Problem('not_found', 'There is no such path.')
    requireToken(request, page.token)
    return reply
      .header('cache-control', 'no-store')
      .type(page.contentType)
      .send(await page.text())
  })
}

function requireToken({ raw }: FastifyRequest, token: string): void {
  const sent = tokenOf(raw)
  const refusal = (code: 'unauthenticated' | 'invalid_key', detail: string, challenge: string) =>
    new Problem(code, detail, { headers: { 'www-authenticate': challenge } })
  if (sent === undefined)
    throw refusal('unauthenticated', 'This path needs the metrics token; send the header Authorization: Bearer <token>.', 'Bearer')
  if (!isSame(sent, token)) throw refusal('invalid_key', 'The metrics token is wrong.', 'Bearer error="invalid_token"')
}

/** Compares in constant time. */
function isSame(sent: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(token))
}
