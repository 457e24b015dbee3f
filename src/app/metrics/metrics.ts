import { type Observations, tellAll } from '../../values/observations.ts'
import { databaseMetrics } from './database-metrics.ts'
import { countedElsewhere } from './external-counter.ts'
import { processMetrics } from './process-metrics.ts'
import { Counter, Gauge, type MetricsRegistry, newRegistry } from './prom-client.ts'
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

/** Opens all metrics, each group in a file of its own; docs/reference/metrics.md has a row for each of them. */
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

export interface CacheCounts {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly answers: number
}

/** Finished answers: how often one was there, and what they take. */
export function answerCacheMetrics(registry: MetricsRegistry, counts: () => CacheCounts): void {
  countedElsewhere(registry, 'verso_answer_cache_hits_total', 'Requests answered with an answer that was kept.', () => counts().hits)
  countedElsewhere(registry, 'verso_answer_cache_misses_total', 'Answers that were made to be kept.', () => counts().misses)
  const gauge = (name: string, help: string, read: (counts: CacheCounts) => number) => {
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read(counts())) })
  }
  gauge('verso_answer_cache_bytes', 'What the kept answers take, about.', ({ bytes }) => bytes)
  gauge('verso_answer_cache_answers', 'How many answers are kept.', ({ answers }) => answers)
}

/** Whether scheduled posts go out on time. */
export function duePostMetrics(registry: MetricsRegistry, lagMs: () => Promise<number>): Pick<Observations, 'publishDueFailed'> {
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
  return { publishDueFailed: () => failures.inc() }
}

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
