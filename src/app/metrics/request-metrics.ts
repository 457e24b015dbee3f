import { pathTemplate } from '../../http/route-config.ts'
import type { Observations } from '../../values/observations.ts'
import { Counter, Histogram, type MetricsRegistry } from './prom-client.ts'

/** In seconds, from cached responses to what should not happen. */
const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Requests of one method and route, by the first digit of the status. */
interface Tally {
  readonly method: string
  /** As in the OpenAPI document. */
  readonly route: string
  readonly byClass: number[]
  observe(seconds: number): void
}

/** Requests by route and status class, and how long they took. Counting is an addition; the rest is done when metrics are collected. */
export function requestMetrics(registry: MetricsRegistry): Pick<Observations, 'answered' | 'rateLimited'> {
  const tallies = new Map<string, Map<string, Tally>>()
  const histogram = new Histogram({
    name: 'verso_http_request_duration_seconds',
    help: 'How long requests took, by method and route, without the time that they asked to wait.',
    labelNames: ['method', 'route'],
    buckets: latencyBuckets,
    registers: [registry],
  })
  countRequests(registry, tallies)
  const limited = new Counter({
    name: 'verso_rate_limited_total',
    help: 'Requests answered 429, by what limited them.',
    labelNames: ['limit'],
    registers: [registry],
  })
  const begin = (method: string, route: string): Tally => {
    const label = pathTemplate(route)
    const child = histogram.labels(method, label)
    const tally = { method, route: label, byClass: [0, 0, 0, 0, 0, 0], observe: (seconds: number) => child.observe(seconds) }
    const ofRoute = tallies.get(route) ?? new Map<string, Tally>()
    tallies.set(route, ofRoute.set(method, tally))
    return tally
  }
  return {
    answered({ method, route, status, durationMs, waitedMs = 0 }) {
      const tally = tallies.get(route)?.get(method) ?? begin(method, route)
      const digit = Math.floor(status / 100)
      tally.byClass[digit] = (tally.byClass[digit] ?? 0) + 1
      tally.observe(Math.max(0, durationMs - waitedMs) / 1_000)
    },
    rateLimited: (limit) => limited.inc({ limit }),
  }
}

function countRequests(registry: MetricsRegistry, tallies: ReadonlyMap<string, ReadonlyMap<string, Tally>>): void {
  const counter = new Counter({
    name: 'verso_http_requests_total',
    help: 'Requests, by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      counter.reset()
      for (const { method, route, byClass } of [...tallies.values()].flatMap((ofRoute) => [...ofRoute.values()]))
        for (const [digit, count] of byClass.entries()) if (count > 0) counter.inc({ method, route, status: `${digit}xx` }, count)
    },
  })
}
