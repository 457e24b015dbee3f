import type { Observations } from '../../values/observations.ts'
import { Counter, Gauge, type MetricsRegistry } from './prom-client.ts'

/** What is still to be sent to endpoints that are not disabled. */
export interface WebhookQueue {
  readonly deliveries: number
  /** How many milliseconds ago the oldest of them was made; 0 where there is none. */
  readonly oldestMs: number
}

type Told = Pick<Observations, 'webhookTried' | 'webhookDisabled'>

/** Whether webhooks arrive, and what waits. */
export function webhookMetrics(registry: MetricsRegistry, queue: () => Promise<WebhookQueue>): Told {
  queueGauges(registry, queue)
  const tries = new Counter({
    name: 'verso_webhook_tries_total',
    help: 'Webhooks that were sent, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const disabled = new Counter({
    name: 'verso_webhook_disabled_total',
    help: 'Times that an endpoint was disabled because of how its tries went.',
    registers: [registry],
  })
  return { webhookTried: (outcome) => tries.inc({ outcome }), webhookDisabled: () => disabled.inc() }
}

/** Both numbers are asked for once each time that somebody looks: the library begins to collect all metrics before it waits for any. */
function queueGauges(registry: MetricsRegistry, queue: () => Promise<WebhookQueue>): void {
  const unknown: WebhookQueue = { deliveries: Number.NaN, oldestMs: Number.NaN }
  let asked: Promise<WebhookQueue> | undefined
  const ask = () => {
    asked ??= queue()
      .catch(() => unknown)
      .finally(() => {
        asked = undefined
      })
    return asked
  }
  const gauge = (name: string, help: string, read: (queue: WebhookQueue) => number) => {
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect: async () => made.set(read(await ask())) })
  }
  gauge(
    'verso_webhook_queue_deliveries',
    'Deliveries that wait or are being sent; NaN where the database does not say.',
    (all) => all.deliveries,
  )
  gauge('verso_webhook_queue_oldest_seconds', 'How long the oldest of them has been there.', (all) => all.oldestMs / 1_000)
}
