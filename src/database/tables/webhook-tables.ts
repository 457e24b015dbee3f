import type { Id, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

export interface WebhookTable {
  project_id: ProjectId
  id: Id<'whk'>
  name: string
  url: string
  /** Space-separated filters. */
  events: string
  /** Sealed with a key of `VERSO_SECRET`. */
  secret: string
  old_secret: string | null
  old_secret_until: Instant | null
  enabled: 0 | 1
  disabled_at: Instant | null
  disabled_reason: string | null
  /** The last revision of the log for which deliveries were created. */
  log_position: number
  /** Consecutive rounds of tries without a success. */
  failures: number
  failing_since: Instant | null
  wake_at: Instant | ''
  created_at: Instant
  updated_at: Instant
}

/** One event for one endpoint. Its body is built when it is sent, so the row has no content. */
export interface WebhookDeliveryTable {
  project_id: ProjectId
  webhook_id: Id<'whk'>
  id: Id<'evt'>
  type: string
  revision: number
  /** The index of the event within its revision. */
  part: number
  resource_id: string
  happened_at: Instant
  status: 'waiting' | 'sending' | 'delivered' | 'failed'
  tries: number
  first_tried_at: Instant | null
  last_tried_at: Instant | null
  /** For a delivery that is being sent: when another process may take it over. */
  next_try_at: Instant
  /** The random id of the sender's claim. */
  lease: string | null
  last_status: number | null
  last_duration_ms: number | null
  last_error: string | null
  created_at: Instant
}
