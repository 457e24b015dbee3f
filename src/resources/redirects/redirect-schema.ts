import Type, { type Static } from 'typebox'
import { idSchema, listOf, oneOf, text } from '../../actions/validation/schema-types.ts'
import type { ListSpec } from '../../lists/list-spec.ts'

const redirectKinds = ['alias', 'slug'] as const

/** Three letters for every byte of an alias; a permalink is shorter. */
const maxPathLength = 8 * 1024

const path = (description: string, example: string) => text(maxPathLength, { description, examples: [example] })

export const Redirect = Type.Object(
  {
    from: path('A path of the site, escaped as in URLs, perhaps with a query.', '/2019/03/old-name/'),
    to: path('The path of the post, by the permalink of the project.', '/blog/new-name'),
    postId: idSchema('post'),
    kind: oneOf(redirectKinds, { description: '`alias`: an alias of the post. `slug`: its path with a former slug.' }),
  },
  { title: 'Redirect' },
)
export type Redirect = Static<typeof Redirect>

export const RedirectList = listOf('RedirectList', Redirect)

export const redirectList = {
  noun: 'redirects',
  filters: {},
  sorts: ['from'],
  defaultSort: { name: 'from', descending: false },
} as const satisfies ListSpec
