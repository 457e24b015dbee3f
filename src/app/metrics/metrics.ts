import { type Observations, observeAll } from '../../values/observations.ts'
import { processMetrics } from './process-metrics.ts'
import { addCounter, addGauge, Counter, Histogram, type MetricsRegistry, newRegistry } from './prom-client.ts'
import { requestMetrics } from './request-metrics.ts'
import { type WebhookQueue, webhookMetrics } from './webhook-metrics.ts'

const writeBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const batchBuckets = [1, 2, 4, 8, 16, 32, 64]

interface MetricsParts {
  readonly version: string
  responseCache(): CacheCounts
  /** How long the oldest due post has waited to be published, in milliseconds; 0 if none waits. */
  duePostLagMs(): Promise<number>
  webhookQueue(): Promise<WebhookQueue>
}

/** Collects observations of the program as OpenMetrics text. */
export interface Metrics {
  readonly observations: Observations
  readonly contentType: string
  text(): Promise<string>
  close(): void
}

/** Opens all metrics. docs/reference/metrics.md has a row for each. */
export function openMetrics({ version, responseCache, duePostLagMs, webhookQueue }: MetricsParts): Metrics {
  const registry = newRegistry()
  const { close } = processMetrics(registry, version)
  responseCacheMetrics(registry, responseCache)
  const observations = observeAll([
    requestMetrics(registry),
    databaseMetrics(registry),
    duePostMetrics(registry, duePostLagMs),
    jobMetrics(registry),
    webhookMetrics(registry, webhookQueue),
  ])
  return { observations, contentType: registry.contentType, text: () => registry.metrics(), close }
}

interface CacheCounts {
  readonly hits: number
  readonly misses: number
  readonly bytes: number
  readonly answers: number
}

/** The response cache: hits, misses and size. */
function responseCacheMetrics(registry: MetricsRegistry, counts: () => CacheCounts): void {
  addCounter(registry, 'verso_answer_cache_hits_total', 'Requests answered from the response cache.', () => counts().hits)
  addCounter(registry, 'verso_answer_cache_misses_total', 'Responses that were put into the response cache.', () => counts().misses)
  addGauge(registry, 'verso_answer_cache_bytes', 'Approximate size of the response cache.', () => counts().bytes)
  addGauge(registry, 'verso_answer_cache_answers', 'Responses in the response cache.', () => counts().answers)
}

/** Statements and write transactions. */
function databaseMetrics(registry: MetricsRegistry): Pick<Observations, 'statement' | 'written' | 'writeBatch'> {
  let statements = 0
  let totalMs = 0
  addCounter(registry, 'verso_database_statements_total', 'Statements that ran.', () => statements)
  addCounter(registry, 'verso_database_statement_seconds_total', 'Total time of statements.', () => totalMs / 1_000)
  const writes = new Histogram({
    name: 'verso_write_duration_seconds',
    help: 'How long write transactions took, with the wait for their turn, by outcome.',
    labelNames: ['outcome'],
    buckets: writeBuckets,
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'verso_write_batch_size',
    help: 'How many writes shared one transaction and its flush.',
    buckets: batchBuckets,
    registers: [registry],
  })
  return {
    statement(_, ms) {
      statements += 1
      totalMs += ms
    },
    written: (outcome, ms) => writes.observe({ outcome }, ms / 1_000),
    writeBatch: (size) => batches.observe(size),
  }
}

/** Whether scheduled posts are published on time. */
function duePostMetrics(registry: MetricsRegistry, lagMs: () => Promise<number>): Pick<Observations, 'publishDueFailed'> {
  const lag = 'How long the oldest due post has waited to be published; NaN if the database does not answer.'
  addGauge(registry, 'verso_due_post_lag_seconds', lag, () =>
    lagMs().then(
      (ms) => ms / 1_000,
      () => Number.NaN,
    ),
  )
  const failures = new Counter({
    name: 'verso_settling_failures_total',
    help: 'Failures to publish due posts.',
    registers: [registry],
  })
  return { publishDueFailed: () => failures.inc() }
}

/** Background jobs. */
function jobMetrics(registry: MetricsRegistry): Pick<Observations, 'jobStarted' | 'jobTook' | 'jobFailed'> {
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames: ['job'], registers: [registry] })
  const turns = counter('verso_job_turns_total', 'Runs of background jobs.')
  const seconds = counter('verso_job_seconds_total', 'Total time of runs of background jobs.')
  const failures = counter('verso_job_failures_total', 'Runs of background jobs that failed.')
  return {
    // A counter that appears with its first failure has grown by nothing for `increase()`.
    jobStarted(job) {
      for (const each of [turns, seconds, failures]) each.inc({ job }, 0)
    },
    jobTook(job, ms) {
      turns.inc({ job })
      seconds.inc({ job }, ms / 1_000)
    },
    jobFailed: (job) => failures.inc({ job }),
  }
}
