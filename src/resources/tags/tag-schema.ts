import Type, { type Static } from 'typebox'
import { idSchema, listOf, nullable, Slug, text } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'

export const Tag = Type.Object(
  {
    id: idSchema('tag'),
    name: text(80, { description: 'Spelled as in the first post with this tag that the key can see.', examples: ['Node.js'] }),
    slug: Slug,
    description: nullable(text(1_000)),
    postCount: Type.Integer({ minimum: 1, description: 'The number of posts with this tag that the key can see.' }),
  },
  { title: 'Tag' },
)
export type Tag = Static<typeof Tag>

export const TagList = listOf('TagList', Tag)

export const tagList = {
  noun: 'tags',
  filters: {},
  sorts: ['name', 'created_at', 'slug', 'post_count'],
  defaultSort: { name: 'name', descending: false },
} as const satisfies ListSpec
