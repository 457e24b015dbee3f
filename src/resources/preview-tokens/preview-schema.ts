import Type, { type Static } from 'typebox'
import { InstantIn, InstantOut, idSchema, line, listOf, nullable, text } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { maxLifeSeconds } from './preview.ts'

/** The address of a site, a permalink and a token. */
const maxLinkLength = 8_192

const Name = line(100, { description: 'What the token is for.', examples: ['Proofreading'] })

const Preview = Type.Object(
  { id: idSchema('prev'), name: nullable(Name), createdAt: InstantOut, expiresAt: InstantOut },
  { title: 'PreviewToken' },
)

const Url = nullable(text(maxLinkLength), {
  description:
    'The link to share: the post on the project’s site, with the token. `null` unless the project has a `siteUrl` and a `permalink`.',
})

/** The result of a dry run: without the token, and without a link that contains it. */
export const PreviewDryRun = Type.Object({ ...Preview.properties, url: Type.Optional(Url) }, { title: 'TriedPreviewToken' })

export const NewPreview = Type.Object(
  {
    ...Preview.properties,
    token: Type.String({ maxLength: 100, description: 'The token. It is shown only once and never stored.' }),
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
  {
    title: 'PreviewTokenCreate',
    description: 'Nothing, or a name and when the token ends: in 7 days by default, in 90 at most.',
    additionalProperties: false,
  },
)
export type PreviewCreate = Static<typeof PreviewCreate>

export const previewList = {
  noun: 'preview tokens',
  filters: {},
  sorts: ['created_at', 'expires_at'],
  defaultSort: { name: 'created_at', descending: true },
} as const satisfies ListSpec
