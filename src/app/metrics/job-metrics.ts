import type { Observations } from '../../values/observations.ts'
import { Counter, type MetricsRegistry } from './prom-client.ts'

/** The work in the background. */
export function jobMetrics(registry: MetricsRegistry): Pick<Observations, 'jobTook' | 'jobFailed'> {
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames: ['job'], registers: [registry] })
  const turns = counter('verso_job_turns_total', 'Turns of background jobs.')
  const seconds = counter('verso_job_seconds_total', 'How long the turns of background jobs took, together.')
  const failures = counter('verso_job_failures_total', 'Turns of background jobs that failed.')
  return {
    jobTook(job, ms) {
      turns.inc({ job })
      seconds.inc({ job }, ms / 1_000)
    },
    jobFailed: (job) => failures.inc({ job }),
  }
}
