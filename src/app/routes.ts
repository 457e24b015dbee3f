import type { FastifyInstance } from 'fastify'
import type { BehindHandle, Db } from '../database/engine.ts'
import { StatementCache } from '../database/statement-cache.ts'
import { ResponseCache } from '../http/cache/response-cache.ts'
import { TotalCache } from '../http/cache/total-cache.ts'
import { documentationRoutes } from '../http/docs-page/docs-routes.ts'
import { type Health, healthRoutes } from '../http/health-routes.ts'
import { type MetricsPage, metricsRoutes } from '../http/metrics-routes.ts'
import examples from '../http/openapi/examples.json' with { type: 'json' }
import { toOpenApi } from '../http/openapi/openapi-document.ts'
import type { OpenApiDocument } from '../http/openapi/openapi-types.ts'
import { collectRoutes, routesOf } from '../http/openapi/route-collector.ts'
import type { Service } from '../http/route-services.ts'
import { authorRoutes } from '../resources/authors/author-routes.ts'
import { categoryRoutes } from '../resources/categories/category-routes.ts'
import { changeRoutes } from '../resources/changes/change-routes.ts'
import { mediaRoutes } from '../resources/media/media-routes.ts'
import { postRoutes } from '../resources/posts/post-routes.ts'
import { previewRoutes } from '../resources/preview-tokens/preview-routes.ts'
import { keyRoutes } from '../resources/projects/keys/key-routes.ts'
import { tagRoutes } from '../resources/tags/tag-routes.ts'
import { deliveryRoutes } from '../resources/webhooks/delivery-routes.ts'
import { webhookRoutes } from '../resources/webhooks/webhook-routes.ts'
import { version } from '../values/version.ts'
import { feedKinds } from './resource-registry.ts'

interface RouteParts {
  readonly service: Service
  readonly health: Health
  readonly publicUrl: URL | undefined
  /** None where metrics are off. */
  readonly metrics?: MetricsPage | undefined
  readonly webhookAllow: readonly string[]
}

/** Registers every route of Verso, the documentation of them all included. */
export function addRoutes(server: FastifyInstance, { service, health, publicUrl, metrics, webhookAllow }: RouteParts): void {
  const routes = collectRoutes(server)
  healthRoutes(server, health)
  metricsRoutes(server, metrics)
  postRoutes(server, service)
  previewRoutes(server, service)
  authorRoutes(server, service)
  categoryRoutes(server, service)
  tagRoutes(server, service)
  mediaRoutes(server, service)
  changeRoutes(server, service, feedKinds)
  keyRoutes(server, service)
  webhookRoutes(server, service, webhookAllow)
  deliveryRoutes(server, service)
  documentationRoutes(server, () => toOpenApi(routes, { version, publicUrl, examples }))
}

/** The OpenAPI document of this version, made without a database and without listening. */
export function describeApi(publicUrl?: URL): OpenApiDocument {
  const never = () => {
    throw new Error('this route is described, not served')
  }
  const engine: BehindHandle = {
    memo: new StatementCache(),
    invertedIndex: 'gin',
    skipsLockedRows: false,
    mergesWhole: true,
    isAmong: never,
    clock: never,
    nowSql: never,
    claim: never,
    await: never,
  }
  const db: Db = { selectFrom: never, selectNoFrom: never, with: never, getExecutor: never, executeQuery: never, engine }
  const service: Service = {
    db,
    perform: never,
    durability: undefined,
    watch: { beyond: never, look: never, nudge: never, stop: never },
    epoch: '',
    basePath: '',
    sharedMaxAgeSeconds: undefined,
    answers: new ResponseCache(0),
    totals: new TotalCache(0),
  }
  const health: Health = { state: { stopping: false, settling: true }, database: never }
  return toOpenApi(
    routesOf((server) => addRoutes(server, { service, health, publicUrl, webhookAllow: [] })),
    { version, publicUrl, examples },
  )
}
