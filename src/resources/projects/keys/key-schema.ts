import Type, { type Static } from 'typebox'
import { scopes } from '../../../actions/caller.ts'
import { InstantIn, InstantOut, idSchema, line, listOf, nullable, oneOf } from '../../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../../lists/list-spec.ts'
import { keyKinds } from './api-key.ts'

const Name = line(100, { description: 'Where the key is used.', examples: ['Website build'] })
const Scopes = Type.Array(oneOf(scopes), { maxItems: scopes.length, description: 'What the key may do.' })

export const ApiKey = Type.Object(
  {
    id: idSchema('key'),
    name: Name,
    kind: oneOf(keyKinds),
    scopes: Scopes,
    last4: Type.String({
      pattern: '^[0-9A-Za-z]{4}$',
      maxLength: 4,
      description: 'The last four characters of the token, to identify the key.',
    }),
    createdAt: InstantOut,
    expiresAt: nullable(InstantOut),
    lastUsedAt: nullable(InstantOut, { description: 'Accurate to about a minute.' }),
    revokedAt: nullable(InstantOut, {
      description: 'When the key was revoked. A rotated key works until then: it is in the future for the grace period.',
    }),
  },
  { title: 'ApiKey' },
)

export const NewApiKey = Type.Object(
  {
    ...ApiKey.properties,
    token: Type.String({ maxLength: 100, description: 'The token of the key. It is shown only once and never stored.' }),
  },
  { title: 'NewApiKey' },
)

export const ApiKeyList = listOf('ApiKeyList', ApiKey)

export const KeyCreate = Type.Object(
  {
    name: Name,
    kind: oneOf(keyKinds),
    scopes: Type.Optional(
      Type.Array(oneOf(scopes), { minItems: 1, maxItems: scopes.length, description: 'By default, the scopes of its kind.' }),
    ),
    expiresAt: Type.Optional(nullable(InstantIn, { description: 'In the future. Without it, the key never expires.' })),
  },
  { title: 'KeyCreate', description: 'A new key: its name and kind, and optionally its scopes and expiry.', additionalProperties: false },
)
export type KeyCreate = Static<typeof KeyCreate>

export const KeyRotate = Type.Object(
  {
    graceHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 720, description: 'How long the old key continues to work; 24 by default.' }),
    ),
  },
  { title: 'KeyRotate', description: 'Nothing, or how long the old key continues to work.', additionalProperties: false },
)
export type KeyRotate = Static<typeof KeyRotate>

export const keyList = {
  noun: 'keys',
  filters: {},
  sorts: ['created_at', 'name'],
  defaultSort: { name: 'created_at', descending: true },
} as const satisfies ListSpec
