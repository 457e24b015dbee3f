import type { Id, ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'

/** An endpoint, and the last revision of the log that deliveries were made of. */
export interface WebhookTable {
  project_id: ProjectId
  id: Id<'whk'>
  name: string
  url: string
  /** Space-separated filters. */
  events: string
  /** In clear: it has to sign. */
  secret: string
  old_secret: string | null
  old_secret_until: Instant | null
  enabled: 0 | 1
  disabled_at: Instant | null
  disabled_reason: string | null
  /** The last revision of the log that deliveries were made of. */
  log_position: number
  /** Turns of tries without a success, one after the other. */
  failures: number
  failing_since: Instant | null
  wake_at: Instant | ''
  created_at: Instant
  updated_at: Instant
}

/** One event for one endpoint. What is sent is made when it is sent: no content is kept here. */
export interface WebhookDeliveryTable {
  project_id: ProjectId
  webhook_id: Id<'whk'>
  id: Id<'evt'>
  type: string
  revision: number
  /** Which of the events of its revision it is. */
  part: number
  resource_id: string
  happened_at: Instant
  status: 'waiting' | 'sending' | 'delivered' | 'failed'
  tries: number
  first_tried_at: Instant | null
  last_tried_at: Instant | null
  /** While it is sent, when others may take it over. */
  next_try_at: Instant
  /** The mark of the one who sends it. */
  lease: string | null
  last_status: number | null
  last_duration_ms: number | null
  last_error: string | null
  created_at: Instant
}
