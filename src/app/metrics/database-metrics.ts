import type { Observations } from '../../values/observations.ts'
import { countedElsewhere } from './external-counter.ts'
import { Histogram, type MetricsRegistry } from './prom-client.ts'

const writeBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const batchBuckets = [1, 2, 4, 8, 16, 32, 64]

/** Statements and the writing transactions that they are a part of. */
export function databaseMetrics(registry: MetricsRegistry): Pick<Observations, 'statement' | 'written' | 'writeBatch'> {
  let statements = 0
  let totalMs = 0
  countedElsewhere(registry, 'verso_database_statements_total', 'Statements that ran.', () => statements)
  countedElsewhere(registry, 'verso_database_statement_seconds_total', 'How long statements took, together.', () => totalMs / 1_000)
  const writes = new Histogram({
    name: 'verso_write_duration_seconds',
    help: 'How long writing transactions took, waiting for their turn included, by outcome.',
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
