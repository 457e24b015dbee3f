import Type, { type Static } from 'typebox'
import { InstantOut, idSchema, line, listOf, nullable, oneOf } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'
import { roles } from './person.ts'

const Name = line(100, { description: 'What the person signs in with, in any case. No two people have the same.', examples: ['Mira Holt'] })
/** Two names that look alike must not be two people. */
const NewName = { ...Name, format: 'visible' }
const Role = oneOf(roles, { description: 'What the person may do in this project.' })

export const Person = Type.Object(
  {
    id: idSchema('pers'),
    name: Name,
    role: Role,
    hasPassword: Type.Boolean(),
    passkeys: Type.Integer({ minimum: 0, description: 'How many passkeys the person has.' }),
    linkExpiresAt: nullable(InstantOut, { description: 'Until when the last one-time link works, unless it was used.' }),
    createdAt: InstantOut,
    lastSeenAt: nullable(InstantOut, { description: 'When the person last used the studio; accurate to some minutes.' }),
  },
  { title: 'Person' },
)

export const PersonWithLink = Type.Object(
  {
    ...Person.properties,
    link: Type.String({
      maxLength: 2_200,
      description: 'The one-time link, by which the person sets a password or a passkey. It is shown only once and never stored.',
    }),
  },
  { title: 'PersonWithLink' },
)

export const PersonList = listOf('PersonList', Person)

export const PersonInvite = Type.Object(
  { name: NewName, role: Role },
  { title: 'PersonInvite', description: 'A new person: their name and their role in this project.', additionalProperties: false },
)
export type PersonInvite = Static<typeof PersonInvite>

export const PersonPatch = Type.Object(
  { name: Type.Optional(NewName), role: Type.Optional(Role) },
  { title: 'PersonPatch', description: 'What changes; what is left out stays.', additionalProperties: false },
)
export type PersonPatch = Static<typeof PersonPatch>

export const personList = {
  noun: 'people',
  filters: {},
  sorts: ['name', 'created_at'],
  defaultSort: { name: 'name', descending: false },
} as const satisfies ListSpec
