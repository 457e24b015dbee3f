import Type, { type Static } from 'typebox'
import { idShape, listOf, nullable, Slug } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'

export const Tag = Type.Object(
  {
    id: idShape('tag'),
    name: Type.String({ description: 'As the first post that carries it and that the key sees spells it.', examples: ['Node.js'] }),
    slug: Slug,
    description: nullable(Type.String()),
    postCount: Type.Integer({ minimum: 1, description: 'The posts that carry it and that the key sees.' }),
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
