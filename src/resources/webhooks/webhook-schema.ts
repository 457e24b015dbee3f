import Type, { type Static } from 'typebox'
import { InstantOut, idSchema, line, listOf, nullable, oneOf, text, WebUrl } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { eventFilters, maxNameLength } from './webhook.ts'

const Name = line(maxNameLength, { description: 'What receives the events. Defaults to the host of the URL.', examples: ['Website build'] })
const Url = { ...WebUrl, description: 'Absolute, http or https, without user and password.', examples: ['https://example.com/hooks/verso'] }
const Events = Type.Array(oneOf(eventFilters), {
  minItems: 1,
  maxItems: eventFilters.length,
  description: '`*` is every event of a post, author, category or media record. `project.changed` must be named.',
  examples: [['post.*']],
})
const Secret = Type.String({
  maxLength: 100,
  description: '`whsec_` and base64 of 24 to 64 random bytes. Generated if omitted.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
})

export const Webhook = Type.Object(
  {
    id: idSchema('whk'),
    name: Name,
    url: Url,
    events: Events,
    enabled: Type.Boolean(),
    disabledAt: nullable(InstantOut),
    disabledReason: nullable(text(1_000), { description: 'Why it is disabled.' }),
    failingSince: nullable(InstantOut, {
      description: 'When the first try failed after the last success, or after two days without a try.',
    }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'Webhook' },
)

export const NewWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ maxLength: 100, description: 'Signs the requests. It is shown only once.' }),
  },
  { title: 'NewWebhook' },
)

export const WebhookList = listOf('WebhookList', Webhook)

export const WebhookCreate = Type.Object(
  { url: Url, name: Type.Optional(Name), events: Type.Optional(Events), secret: Type.Optional(Secret) },
  {
    title: 'WebhookCreate',
    description: 'A new webhook. Only `url` is required; without `events` it gets every event.',
    additionalProperties: false,
  },
)
export type WebhookCreate = Static<typeof WebhookCreate>

export const WebhookPatch = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean({ description: '`true` sends the events that it missed while disabled.' })),
  },
  { title: 'WebhookPatch', description: 'The fields to change. Fields that are left out stay as they are.', additionalProperties: false },
)
export type WebhookPatch = Static<typeof WebhookPatch>

export const SecretRotate = Type.Object(
  {
    secret: Type.Optional(Secret),
    graceHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        description: 'How long the old secret also signs. Defaults to 24.',
      }),
    ),
  },
  { title: 'SecretRotate', description: 'Nothing, or the new secret and how long the old one also signs.', additionalProperties: false },
)
export type SecretRotate = Static<typeof SecretRotate>

export const Replay = Type.Object(
  {
    since: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Events after this revision are sent again. 0 for everything that the log still has.',
    }),
  },
  { title: 'Replay', description: 'The revision to begin after.', additionalProperties: false },
)
export type Replay = Static<typeof Replay>

export const webhookList = {
  noun: 'webhooks',
  filters: {},
  sorts: ['name', 'created_at'],
  defaultSort: { name: 'name', descending: false },
} as const satisfies ListSpec
