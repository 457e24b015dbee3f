import { type OpenMetricsContentType, Registry } from 'prom-client'

/** All metrics of one running program. */
export type MetricsRegistry = Registry<OpenMetricsContentType>

export function newRegistry(): MetricsRegistry {
  const registry: MetricsRegistry = new Registry()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  return registry
}
