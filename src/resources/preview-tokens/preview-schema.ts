import Type, { type Static } from 'typebox'
import { InstantIn, InstantOut, idSchema, line, listOf, nullable } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { maxLifeSeconds } from './preview.ts'

const Name = line(100, { description: 'What the token is for.', examples: ['Proofreading'] })

const Preview = Type.Object(
  { id: idSchema('prev'), name: nullable(Name), createdAt: InstantOut, expiresAt: InstantOut },
  { title: 'PreviewToken' },
)

const Url = nullable(Type.String(), {
  description:
    'The link to share: the post on the project’s site, with the token. `null` unless the project has a `siteUrl` and a `permalink`.',
})

/** The result of a dry run: without the token, and without a link that contains it. */
export const PreviewDryRun = Type.Object({ ...Preview.properties, url: Type.Optional(Url) }, { title: 'TriedPreviewToken' })

export const NewPreview = Type.Object(
  {
    ...Preview.properties,
    token: Type.String({ description: 'The token. It is shown only once and never stored.' }),
    url: Url,
  },
  { title: 'NewPreviewToken' },
)

export const PreviewList = listOf('PreviewTokenList', Preview)

export const PreviewCreate = Type.Object(
  {
    name: Type.Optional(nullable(Name)),
    expiresAt: Type.Optional(InstantIn),
    expiresIn: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLifeSeconds, description: 'Seconds; 7 days by default. Excludes `expiresAt`.' }),
    ),
  },
  { title: 'PreviewTokenCreate', additionalProperties: false },
)
export type PreviewCreate = Static<typeof PreviewCreate>

export const previewList = {
  noun: 'preview tokens',
  filters: {},
  sorts: ['created_at', 'expires_at'],
  defaultSort: { name: 'created_at', descending: true },
} as const satisfies ListSpec
