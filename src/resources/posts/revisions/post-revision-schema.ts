import Type, { type Static } from 'typebox'
import { ActorName } from '../../../actions/actor-name-store.ts'
import { maxClientLength } from '../../../actions/caller.ts'
import { InstantOut, idSchema, listOf, nullable, oneOf, Version } from '../../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../../lists/list-spec.ts'
import { revised } from '../post-fields.ts'

const revisedFields = revised.map(({ shownAs }) => shownAs)

/** One entry in the list of a post's revisions. */
export const PostRevision = Type.Object(
  {
    version: Version,
    createdAt: InstantOut,
    actor: Type.String({
      maxLength: 40,
      description:
        'Who wrote it: the id of an API key or a person, `cli`, `import`, or `schedule` for a post that was published when it was due.',
    }),
    actorName: ActorName,
    client: nullable(Type.String({ maxLength: maxClientLength }), {
      description: 'The program that was used, as it said itself in the header `Verso-Client`; `null` if it said nothing.',
    }),
    changed: Type.Array(oneOf(revisedFields), {
      maxItems: revisedFields.length,
      description: 'The fields that differ from the version before; `deletedAt` if the post went to the trash or came back.',
    }),
  },
  { title: 'PostRevision' },
)
export type PostRevision = Static<typeof PostRevision>

export const PostRevisionList = listOf('PostRevisionList', PostRevision)

const ContentDiff = Type.Object(
  {
    added: Type.Integer({ minimum: 0, description: 'Lines.' }),
    removed: Type.Integer({ minimum: 0, description: 'Lines.' }),
    diff: Type.String({ description: 'In the unified format, with three lines around each change.' }),
  },
  { title: 'ContentDiff' },
)

const FieldChange = Type.Object(
  {
    field: oneOf(revisedFields.filter((field) => field !== 'content')),
    before: Type.Unknown({ description: 'As in the post’s representation.' }),
    after: Type.Unknown(),
  },
  { title: 'FieldChange' },
)

/** The difference between two versions of a post. */
export const PostDiff = Type.Object(
  {
    id: idSchema('post'),
    version: Version,
    against: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'The version compared with; `null` for the first version, which has none before it.',
    }),
    fields: Type.Array(FieldChange, { maxItems: revisedFields.length }),
    content: Type.Unsafe<Static<typeof ContentDiff> | null>({
      anyOf: [ContentDiff, { type: 'null' }],
      description: 'Line by line; `null` if the content is the same.',
    }),
  },
  { title: 'PostDiff' },
)
export type PostDiff = Static<typeof PostDiff>

export const revisionList = {
  noun: 'revisions',
  filters: {},
  sorts: ['version'],
  defaultSort: { name: 'version', descending: true },
} as const satisfies ListSpec
