import Type, { type Static } from 'typebox'
import { InstantOut, idSchema, line, listOf, nullable, Slug, text, Version } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'

const Name = line(200, { description: 'White space at both ends is removed.', examples: ['Releases'] })
const Description = nullable(text(1_000))

export const Category = Type.Object(
  {
    id: idSchema('cat'),
    name: Name,
    slug: Slug,
    description: Description,
    postCount: Type.Integer({ minimum: 0, description: 'The number of posts in this category that the key can see.' }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    version: Version,
  },
  { title: 'Category' },
)
export type Category = Static<typeof Category>

export const CategoryList = listOf('CategoryList', Category)

const optional = { slug: Type.Optional(Slug), description: Type.Optional(Description) }

export const CategoryCreate = Type.Object(
  { name: Name, ...optional },
  { title: 'CategoryCreate', description: 'A new category. Only `name` is required.', additionalProperties: false },
)
export type CategoryCreate = Static<typeof CategoryCreate>

export const CategoryPatch = Type.Object(
  { name: Type.Optional(Name), ...optional },
  {
    title: 'CategoryPatch',
    description: 'The fields to change. Fields that are left out stay as they are; `null` empties a field.',
    additionalProperties: false,
  },
)
export type CategoryPatch = Static<typeof CategoryPatch>

export const categoryList = {
  noun: 'categories',
  filters: {},
  sorts: ['name', 'created_at', 'slug', 'post_count'],
  defaultSort: { name: 'name', descending: false },
} as const satisfies ListSpec
