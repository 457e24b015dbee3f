import { Counter, type MetricsRegistry } from './prom-client.ts'

/** A counter whose number the program keeps itself, where counting must cost no more than an addition. */
export function countedElsewhere(registry: MetricsRegistry, name: string, help: string, read: () => number): void {
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
