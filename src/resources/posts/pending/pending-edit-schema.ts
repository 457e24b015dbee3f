import Type, { type Static } from 'typebox'
import { ActorName } from '../../../actions/actor-name-store.ts'
import { InstantIn, InstantOut, idSchema, nullable, oneOf, Version } from '../../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../../lists/list-spec.ts'
import { ownFields, PostPatch } from '../post-schema.ts'
import { includedFields } from '../rendering/included-schema.ts'

/** The fields that a pending edit can change. Those of `seo` are merged one by one. */
export const editedFields = [
  'title',
  'slug',
  'content',
  'excerpt',
  'authorId',
  'categoryId',
  'tags',
  'aliases',
  'seo.title',
  'seo.description',
  'seo.canonicalUrl',
  'seo.ogImage',
] as const

const Fields = Type.Array(oneOf(editedFields), { maxItems: editedFields.length })

const ClockProblem = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z_]+$', maxLength: 40, description: 'A problem code.', examples: ['pending_conflict'] }),
    detail: Type.String(),
    at: { ...InstantOut, description: 'The time for which the edit was scheduled.' },
  },
  { title: 'ClockProblem' },
)

/** The representation of a pending edit: the post as it would be. */
export const PendingEdit = Type.Object(
  {
    ...ownFields,
    scheduledFor: nullable(InstantOut, { description: 'When the edit is applied by itself; `null` if it is not scheduled.' }),
    updatedAt: { ...InstantOut, description: 'When the pending edit was last saved.' },
    version: { ...Version, description: 'Of the pending edit. It counts its saves and never has a value twice.' },
    basedOn: { ...Version, description: 'The version of the post that the edit started from.' },
    actor: Type.String({ maxLength: 40, description: 'Who saved it last, as in revisions.' }),
    actorName: ActorName,
    changed: { ...Fields, description: 'The fields that differ from the version in `basedOn`.' },
    conflicts: {
      ...Fields,
      description:
        'The changed fields that have changed in the post, too, since `basedOn`. While there are any, the edit cannot be applied.',
    },
    problem: Type.Unsafe<Static<typeof ClockProblem> | null>({
      anyOf: [ClockProblem, { type: 'null' }],
      description: 'Why the edit could not be applied at the time for which it was scheduled; `null` once it is saved or scheduled again.',
    }),
    ...includedFields,
  },
  {
    title: 'PendingEdit',
    description: 'The post as it would be with its pending edit. `status` and the dates of publication are those of the post.',
  },
)
export type PendingEdit = Static<typeof PendingEdit>

/** What the changes feed tells of a pending edit: all but the text. */
export const PendingEditNotice = Type.Object(
  {
    id: idSchema('edit'),
    postId: idSchema('post'),
    ...Type.Pick(PendingEdit, ['version', 'basedOn', 'changed', 'actor', 'updatedAt', 'scheduledFor', 'problem']).properties,
  },
  { title: 'PendingEditNotice', description: 'A post has a pending edit. It is deleted when the edit is applied or discarded.' },
)
export type PendingEditNotice = Static<typeof PendingEditNotice>

export const noticeList = {
  noun: 'pending edits',
  filters: {},
  sorts: ['created_at'],
  defaultSort: { name: 'created_at', descending: false },
} as const satisfies ListSpec

const { title, slug, content, excerpt, tags, seo, authorId, categoryId, aliases } = PostPatch.properties

export const PendingEditPatch = Type.Object(
  {
    title,
    slug,
    content,
    excerpt,
    authorId,
    categoryId,
    tags,
    aliases,
    seo,
    scheduledFor: Type.Optional(
      Type.Unsafe<null>({
        type: 'null',
        'x-otherwise': 'to schedule the edit, send its time to POST …/pending/apply',
        description: '`null` takes the edit off the schedule.',
      }),
    ),
    basedOn: Type.Optional({
      ...Version,
      description:
        'The version of the post that the edit continues: the one that was read first, or, after a conflict, the one that it was merged with. Without it, a new edit is based on the current version.',
    }),
  },
  {
    title: 'PendingEditPatch',
    description: 'The fields to change. Fields that are left out stay as they are; `null` empties a field.',
    additionalProperties: false,
  },
)
export type PendingEditPatch = Static<typeof PendingEditPatch>

export const PendingEditApplication = Type.Object(
  { scheduledFor: Type.Optional({ ...InstantIn, description: 'When to apply it, in the future. Without it, the edit is applied now.' }) },
  { title: 'PendingEditApplication', description: 'Nothing, or a time.', additionalProperties: false },
)
export type PendingEditApplication = Static<typeof PendingEditApplication>
