import Type, { type Static } from 'typebox'
import { Count, InstantOut, idSchema, listOf, nullable, oneOf, text } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { kindOf } from '../../values/ids.ts'
import { type Delivery, deliveryStatuses } from './delivery.ts'
import { ping, projectChanged, resourceEvents } from './webhook.ts'

const types = [...resourceEvents, projectChanged, ping]

export const DeliveryBody = Type.Object(
  {
    id: { ...idSchema('evt'), description: 'The `webhook-id`: the same in every try.' },
    type: text(40, { examples: ['post.published'] }),
    thingId: nullable(text(40), { description: 'The id of the post, author, category or media record.' }),
    revision: Type.Integer({ minimum: 0, description: 'The revision of the change; 0 for a ping.' }),
    happenedAt: InstantOut,
    status: oneOf(deliveryStatuses, { description: '`failed` after seven days of tries.' }),
    tries: Count,
    lastTriedAt: nullable(InstantOut),
    nextTryAt: nullable(InstantOut),
    lastStatus: nullable(Type.Integer({ minimum: 100, maximum: 999 }), { description: 'The HTTP status of the last response.' }),
    lastDurationMs: nullable(Count),
    lastError: nullable(text(1_000), { description: 'What went wrong in the last try, for people.' }),
    createdAt: InstantOut,
  },
  { title: 'Delivery' },
)

export type DeliveryBody = Static<typeof DeliveryBody>

export const DeliveryList = listOf('DeliveryList', DeliveryBody)

export const deliveryList = {
  noun: 'deliveries',
  filters: {
    status: {
      kind: 'many',
      description: `Any of ${deliveryStatuses.join(', ')}.`,
      example: 'waiting',
      values: deliveryStatuses,
    },
    type: { kind: 'many', description: 'Events, any of them.', example: 'post.published', values: types },
  },
  sorts: ['created_at'],
  defaultSort: { name: 'created_at', descending: true },
} as const satisfies ListSpec

/** The representation of a delivery. */
export function toDeliveryBody({ resourceId, part: _, firstTriedAt: __, nextTryAt, ...delivery }: Delivery): DeliveryBody {
  const waits = delivery.status === 'waiting'
  return { ...delivery, thingId: kindOf(resourceId) ? resourceId : null, nextTryAt: waits ? nextTryAt : null }
}
