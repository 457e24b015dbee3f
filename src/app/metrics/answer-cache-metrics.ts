import { countedElsewhere } from './external-counter.ts'
import { Gauge, type MetricsRegistry } from './prom-client.ts'

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
