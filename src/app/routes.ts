import type { FastifyInstance } from 'fastify'
import { docsOperations, documentationRoutes } from '../http/docs-page/docs-routes.ts'
import { type Health, healthOperations, healthRoutes } from '../http/health-routes.ts'
import { homeOperations, homeRoutes } from '../http/home-routes.ts'
import { type MetricsPage, metricsOperation, metricsRoutes } from '../http/metrics-routes.ts'
import examples from '../http/openapi/examples.json' with { type: 'json' }
import type { OpenApiDocument } from '../http/openapi/openapi-document.ts'
import { toOpenApi } from '../http/openapi/openapi-document.ts'
import { type Route, requireDeclaredRoutes } from '../http/route-config.ts'
import type { Service } from '../http/route-services.ts'
import { studioPages, studioRoutes } from '../http/studio-page/studio-routes.ts'
import type { AgentCalls } from '../mcp/agent-calls.ts'
import { mcpPage, mcpRoutes } from '../mcp/mcp-routes.ts'
import { changeOperations, changeRoutes } from '../resources/changes/change-routes.ts'
import { type FeedParts, feedOperations, feedRoutes } from '../resources/feeds/feed-routes.ts'
import { personOperations, personRoutes } from '../resources/people/person-routes.ts'
import { type SessionParts, sessionPages, sessionRoutes } from '../resources/people/sessions/session-routes.ts'
import type { PostRendering } from '../resources/posts/rendering/include-fields.ts'
import { previewOperations, previewRoutes } from '../resources/preview-tokens/preview-routes.ts'
import { keyOperations, keyRoutes } from '../resources/projects/keys/key-routes.ts'
import { projectOperations, projectRoutes } from '../resources/projects/project-routes.ts'
import { redirectOperations, redirectRoutes } from '../resources/redirects/redirect-routes.ts'
import { tagOperations, tagRoutes } from '../resources/tags/tag-routes.ts'
import { deliveryOperations, deliveryRoutes } from '../resources/webhooks/delivery-routes.ts'
import type { WebhookSettings } from '../resources/webhooks/webhook-actions.ts'
import { documentedEvents } from '../resources/webhooks/webhook-event-schema.ts'
import { webhookOperations, webhookRoutes } from '../resources/webhooks/webhook-routes.ts'
import { version } from '../values/version.ts'
import { allKinds, feedKinds, wholeSchemas } from './resource-registry.ts'

interface RouteParts {
  readonly service: Service
  readonly health: Health
  readonly publicUrl: URL | undefined
  /** None where metrics are off. */
  readonly metrics?: MetricsPage | undefined
  readonly webhooks: WebhookSettings
  readonly rendering: PostRendering
  readonly feeds: FeedParts
  /** Missing where the studio is off. */
  readonly studio: SessionParts | undefined
  /** Missing where agents are not served. */
  readonly agentCalls: AgentCalls | undefined
}

/** Every route of Verso. */
const declaredRoutes: readonly Route[] = [
  ...allKinds.flatMap(({ routes }) => routes),
  ...[
    projectOperations,
    redirectOperations,
    previewOperations,
    tagOperations,
    feedOperations,
    changeOperations(feedKinds),
    keyOperations,
    personOperations,
    webhookOperations,
    deliveryOperations,
  ].flatMap((operations): readonly Route[] => Object.values(operations)),
  ...Object.values(homeOperations),
  ...Object.values(healthOperations),
  metricsOperation,
  ...Object.values(docsOperations),
]

/** Registers every route of Verso, those of the documentation included. */
export function addRoutes(server: FastifyInstance, parts: RouteParts): void {
  const { service, health, publicUrl, metrics, webhooks, rendering, feeds, studio, agentCalls } = parts
  requireDeclaredRoutes(server, [...declaredRoutes, mcpPage, ...Object.values(studioPages), ...Object.values(sessionPages)])
  homeRoutes(server, { basePath: service.basePath, studio: studio !== undefined })
  healthRoutes(server, health)
  metricsRoutes(server, metrics)
  for (const kind of allKinds) kind.serve(server, service, rendering)
  projectRoutes(server, service)
  redirectRoutes(server, service)
  previewRoutes(server, service)
  tagRoutes(server, service)
  feedRoutes(server, service, feeds)
  changeRoutes(server, service, feedKinds)
  keyRoutes(server, service)
  personRoutes(server, service)
  webhookRoutes(server, service, webhooks)
  deliveryRoutes(server, service)
  documentationRoutes(server, () => describeApi(publicUrl))
  if (agentCalls) mcpRoutes(server, service, agentCalls)
  if (!studio) return
  sessionRoutes(server, studio)
  studioRoutes(server)
}

/** The OpenAPI document of this version, made without a database and without listening. */
export function describeApi(publicUrl?: URL): OpenApiDocument {
  return toOpenApi(declaredRoutes, { version, publicUrl, examples, events: documentedEvents(wholeSchemas) })
}
