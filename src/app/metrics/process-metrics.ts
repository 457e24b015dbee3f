import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { addCounter, addGauge, Gauge, type MetricsRegistry } from './prom-client.ts'

/** How often the event loop is sampled, in milliseconds. A sample that took this long was not delayed. */
const resolutionMs = 20
const quantiles = { 0.5: 50, 0.9: 90, 0.99: 99, 1: 100 } as const

/** The process itself, under the names that dashboards expect. */
export function processMetrics(registry: MetricsRegistry, version: string): { close(): void } {
  const build = new Gauge({
    name: 'verso_build_info',
    help: 'The versions of Verso and of Node.js; always 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  })
  build.set({ version, node: process.versions.node }, 1)
  addGauge(registry, 'process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  addGauge(registry, 'nodejs_heap_used_bytes', 'Memory in use by JavaScript.', () => process.memoryUsage().heapUsed)
  addGauge(registry, 'process_uptime_seconds', 'How long the process has been running.', () => process.uptime())
  addCounter(registry, 'process_cpu_seconds_total', 'CPU time of the process.', cpuSeconds)
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  eventLoopDelay(registry, delays)
  return { close: () => void delays.disable() }
}

function eventLoopDelay(registry: MetricsRegistry, delays: IntervalHistogram): void {
  const gauge = new Gauge({
    name: 'verso_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last collection, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      const isEmpty = delays.max === 0
      for (const [quantile, percent] of Object.entries(quantiles)) {
        const ms = isEmpty ? 0 : delays.percentile(percent) / 1_000_000 - resolutionMs
        gauge.set({ quantile }, Math.max(0, ms) / 1_000)
      }
      delays.reset()
    },
  })
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
