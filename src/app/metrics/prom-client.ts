import { createRequire } from 'node:module'
import type * as library from 'prom-client'

/** The parts of the library that are needed, each by its own file: the whole of it would load three more packages for what is not. */
const load = createRequire(import.meta.url)

export const Counter = load('prom-client/lib/counter.js') as typeof library.Counter
export type Counter = library.Counter
export const Gauge = load('prom-client/lib/gauge.js') as typeof library.Gauge
export type Gauge = library.Gauge
export const Histogram = load('prom-client/lib/histogram.js') as typeof library.Histogram
const Registry = load('prom-client/lib/registry.js') as typeof library.Registry

/** All metrics of one running program. */
export type MetricsRegistry = library.Registry<library.OpenMetricsContentType>

export function newRegistry(): MetricsRegistry {
  const registry: MetricsRegistry = new Registry()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  return registry
}
