import type { Observations } from '../../values/observations.ts'
import { addGauge, Counter, type MetricsRegistry } from './prom-client.ts'

/** Deliveries that still have to be sent to enabled endpoints. */
export interface WebhookQueue {
  readonly deliveries: number
  /** The age of the oldest one in milliseconds; 0 if there is none. */
  readonly oldestMs: number
}

type WebhookObservations = Pick<Observations, 'webhookTried' | 'webhookDisabled'>

/** Outcomes of webhooks, and the queue. */
export function webhookMetrics(registry: MetricsRegistry, queue: () => Promise<WebhookQueue>): WebhookObservations {
  queueGauges(registry, queue)
  const tries = new Counter({
    name: 'verso_webhook_tries_total',
    help: 'Attempts to send a webhook, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const disabled = new Counter({
    name: 'verso_webhook_disabled_total',
    help: 'Endpoints that were disabled after failed attempts.',
    registers: [registry],
  })
  return { webhookTried: (outcome) => tries.inc({ outcome }), webhookDisabled: () => disabled.inc() }
}

/** One query for both gauges: the library starts to collect all metrics before it waits for any. */
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
  const deliveries = 'Deliveries that wait or are being sent; NaN if the database does not answer.'
  addGauge(registry, 'verso_webhook_queue_deliveries', deliveries, async () => (await ask()).deliveries)
  const oldest = 'Age of the oldest of them.'
  addGauge(registry, 'verso_webhook_queue_oldest_seconds', oldest, async () => (await ask()).oldestMs / 1_000)
}
