import Type, { type Static } from 'typebox'
import { InstantOut, idSchema, line, listOf, nullable, Slug, text, Version, WebUrl } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'

/** The longest address that mail servers accept (RFC 5321 §4.5.3.1.3, without the brackets). */
const maxEmailCodePoints = 254

/** Some blogs name a whole team as one author, with affiliations; the longest name seen has a little over 200 characters. */
const Name = line(300, { description: 'White space at both ends is removed.', examples: ['Ada Lovelace'] })
const Email = Type.String({ format: 'email', maxLength: maxEmailCodePoints, examples: ['ada@example.com'] })
const Bio = text(10_000, { examples: ['Writes about engines.'] })

const optional = {
  slug: Type.Optional(Slug),
  email: Type.Optional(nullable(Email)),
  bio: Type.Optional(nullable(Bio)),
  avatarUrl: Type.Optional(nullable(WebUrl)),
}

export const Author = Type.Object(
  {
    id: idSchema('auth'),
    name: Name,
    slug: { ...Slug, description: 'Made from the name unless it is given.', examples: ['ada-lovelace'] },
    email: nullable(Email, { description: '`null` unless the key has the scope `authors:read_email`.' }),
    bio: nullable(Bio),
    avatarUrl: nullable(WebUrl),
    postCount: Type.Integer({ minimum: 0, description: 'The number of the author’s posts that the key can see.' }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    version: Version,
  },
  { title: 'Author' },
)

export type Author = Static<typeof Author>

export const AuthorList = listOf('AuthorList', Author)

export const AuthorCreate = Type.Object(
  { name: Name, ...optional },
  { title: 'AuthorCreate', description: 'A new author. Only `name` is required.', additionalProperties: false },
)
export type AuthorCreate = Static<typeof AuthorCreate>

export const AuthorPatch = Type.Object(
  { name: Type.Optional(Name), ...optional },
  {
    title: 'AuthorPatch',
    description: 'The fields to change. Fields that are left out stay as they are; `null` empties a field.',
    additionalProperties: false,
  },
)
export type AuthorPatch = Static<typeof AuthorPatch>

export const authorList = {
  noun: 'authors',
  filters: {},
  sorts: ['name', 'created_at'],
  defaultSort: { name: 'name', descending: false },
} as const satisfies ListSpec
