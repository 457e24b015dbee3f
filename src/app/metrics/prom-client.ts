import { createRequire } from 'node:module'
import type * as library from 'prom-client'

/** Each part of the library by its own file: the library as a whole loads three packages that are not needed. */
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

/** A gauge that is read when metrics are collected. */
export function addGauge(registry: MetricsRegistry, name: string, help: string, read: () => number | Promise<number>): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: async () => gauge.set(await read()) })
}

/** A counter that the program keeps itself as a number, where counting must cost no more than an addition. */
export function addCounter(registry: MetricsRegistry, name: string, help: string, read: () => number): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      counter.reset()
      counter.inc(read())
    },
  })
}
