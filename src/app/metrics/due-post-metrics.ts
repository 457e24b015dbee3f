import type { Observations } from '../../values/observations.ts'
import { Counter, Gauge, type MetricsRegistry } from './prom-client.ts'

/** Whether scheduled posts go out on time. */
export function duePostMetrics(registry: MetricsRegistry, lagMs: () => Promise<number>): Pick<Observations, 'settlingFailed'> {
  const lag: Gauge = new Gauge({
    name: 'verso_due_post_lag_seconds',
    help: 'How long the post has been due that waits for the longest to be published; NaN where the database does not say.',
    registers: [registry],
    async collect() {
      lag.set(
        await lagMs().then(
          (ms) => ms / 1_000,
          () => Number.NaN,
        ),
      )
    },
  })
  const failures = new Counter({
    name: 'verso_settling_failures_total',
    help: 'Times that due posts could not be published.',
    registers: [registry],
  })
  return { settlingFailed: () => failures.inc() }
}
