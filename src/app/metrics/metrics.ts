import { type Observations, tellAll } from '../../values/observations.ts'
import { answerCacheMetrics, type CacheCounts } from './answer-cache-metrics.ts'
import { databaseMetrics } from './database-metrics.ts'
import { duePostMetrics } from './due-post-metrics.ts'
import { jobMetrics } from './job-metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { newRegistry } from './prom-client.ts'
import { requestMetrics } from './request-metrics.ts'
import { type WebhookQueue, webhookMetrics } from './webhook-metrics.ts'

export interface MetricsParts {
  readonly version: string
  answerCache(): CacheCounts
  /** How many milliseconds ago the post was due that has waited for the longest; 0 where none waits. */
  duePostLagMs(): Promise<number>
  webhookQueue(): Promise<WebhookQueue>
}

/** Listens to the program and tells what it heard in OpenMetrics text. */
export interface Metrics {
  readonly observations: Observations
  readonly contentType: string
  text(): Promise<string>
  close(): void
}

/** Opens all metrics, each group in a file of its own; docs/operations.md has a row for each of them. */
export function openMetrics({ version, answerCache, duePostLagMs, webhookQueue }: MetricsParts): Metrics {
  const registry = newRegistry()
  const { close } = processMetrics(registry, version)
  answerCacheMetrics(registry, answerCache)
  const observations = tellAll([
    requestMetrics(registry),
    databaseMetrics(registry),
    duePostMetrics(registry, duePostLagMs),
    jobMetrics(registry),
    webhookMetrics(registry, webhookQueue),
  ])
  return { observations, contentType: registry.contentType, text: () => registry.metrics(), close }
}
