import Type, { type Static } from 'typebox'
import { InstantOut, idShape, listOf, oneOf, Version } from '../../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../../lists/list-spec.ts'
import { revised } from '../post-fields.ts'

const revisedFields = revised.map(({ shownAs }) => shownAs)

/** One version of a post, in the list of them. */
export const PostRevision = Type.Object(
  {
    version: Version,
    createdAt: InstantOut,
    actor: Type.String({ description: 'The id of the API key that wrote it; or `cli`, `import`, or `schedule` for the clock.' }),
    changed: Type.Array(oneOf(revisedFields), {
      description: 'The fields in which it differs from the version before; `deletedAt` where it went into the trash or came back.',
    }),
  },
  { title: 'PostRevision' },
)
export type PostRevision = Static<typeof PostRevision>

export const PostRevisionList = listOf('PostRevisionList', PostRevision)

const ContentDiff = Type.Object(
  {
    added: Type.Integer({ description: 'Lines.' }),
    removed: Type.Integer({ description: 'Lines.' }),
    diff: Type.String({ description: 'In the unified format, with three lines around each change.' }),
  },
  { title: 'ContentDiff' },
)

const FieldChange = Type.Object(
  {
    field: oneOf(revisedFields.filter((field) => field !== 'content')),
    before: Type.Unknown({ description: 'As the post’s representation has it.' }),
    after: Type.Unknown(),
  },
  { title: 'FieldChange' },
)

/** What is different between two versions of a post. */
export const PostDiff = Type.Object(
  {
    id: idShape('post'),
    version: Version,
    against: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'The other version; `null` for nothing at all.' }),
    fields: Type.Array(FieldChange),
    content: Type.Unsafe<Static<typeof ContentDiff> | null>({
      anyOf: [ContentDiff, { type: 'null' }],
      description: 'Line by line; `null` where it is the same.',
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
