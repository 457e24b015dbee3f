import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { TSchema } from 'typebox'
import type { SchemaCollection } from './component-schemas.ts'

/** What webhooks send, by the type of the event. */
export type DocumentedEvents = Readonly<
  Record<string, { readonly schema: TSchema; readonly summary: string; readonly description: string }>
>

const headers: readonly OpenApi.ParameterObject[] = [
  [
    'webhook-id',
    'The id of the event, the same in every try. Take an event with an id that you know for a repeat.',
    'evt_01kt3kth60fmhrqcet944q40x4',
    '^evt_[0-9a-hjkmnp-tv-z]{26}$',
  ],
  ['webhook-timestamp', 'When this try was signed, in seconds since 1970.', '1780000000', '^[0-9]+$'],
  [
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256; one for each secret, separated by blanks (Standard Webhooks).',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    '^v1,[A-Za-z0-9+/=, ]+$',
  ],
].map(([name = '', description, example, pattern = '']) => ({
  name,
  in: 'header',
  required: true,
  description: description ?? '',
  schema: { type: 'string', pattern, maxLength: 1_000 },
  example,
}))

/** The requests that Verso makes to the endpoints of webhooks. */
export function toWebhooks(events: DocumentedEvents, { refer }: SchemaCollection): Record<string, { post: OpenApi.OperationObject }> {
  return Object.fromEntries(
    Object.entries(events).map(([type, { schema, summary, description }]) => [
      type,
      {
        post: {
          operationId: `on${type
            .split('.')
            .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
            .join('')}`,
          tags: ['Webhooks'],
          summary,
          description,
          security: [],
          parameters: [...headers],
          requestBody: { required: true, description: 'The event.', content: { 'application/json': { schema: refer(schema) } } },
          responses: { '204': { description: 'Received. Every 2xx within 15 seconds counts; anything else is tried again.' } },
        },
      },
    ]),
  )
}
