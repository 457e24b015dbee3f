import { reads, writes } from '../../http/route-config.ts'
import { Author, AuthorCreate, AuthorList, AuthorPatch, authorList } from './author-schema.ts'

const tag = 'Authors'
const administration = 'Administration'

/** What the documentation says of the routes of authors. */
export const authorOperations = {
  list: reads('authors:read', {
    id: 'listAuthors',
    tag,
    summary: 'List authors',
    description: 'By name. `email` is `null` unless the key has the scope `authors:read_email`.',
    list: authorList,
    answers: { 200: AuthorList, 304: null },
  }),
  read: reads('authors:read', {
    id: 'getAuthor',
    tag,
    summary: 'Read an author',
    description: '`email` is `null` unless the key has the scope `authors:read_email`.',
    answers: { 200: Author, 304: null },
    problems: ['not_found'],
  }),
}

export const authorAdminOperations = {
  list: reads('admin', {
    id: 'listAuthorsAsAdmin',
    tag: administration,
    summary: 'List authors with their e-mail addresses',
    list: authorList,
    answers: { 200: AuthorList, 304: null },
  }),
  read: reads('admin', {
    id: 'getAuthorAsAdmin',
    tag: administration,
    summary: 'Read an author with the e-mail address',
    answers: { 200: Author, 304: null },
    problems: ['not_found'],
  }),
  create: writes('admin', {
    id: 'createAuthor',
    tag: administration,
    summary: 'Create an author',
    body: AuthorCreate,
    answers: { 201: Author },
  }),
  patch: writes('admin', {
    id: 'updateAuthor',
    tag: administration,
    summary: 'Change an author',
    description: 'A JSON merge patch (RFC 7396). `If-Match` guards against overwriting somebody else’s change.',
    body: AuthorPatch,
    answers: { 200: Author },
    problems: ['not_found', 'stale_version'],
  }),
  delete: writes(
    'admin',
    {
      id: 'deleteAuthor',
      tag: administration,
      summary: 'Delete an author',
      description:
        'An author whom posts name, those in the trash included, is in use and stays, unless `reassign_to` says who becomes their author. Deleting again is no mistake.',
      texts: { reassign_to: 'The id of the author whom the posts get instead. Each of them is changed by this.' },
      answers: { 204: null },
      problems: ['not_found', 'stale_version', 'in_use'],
    },
    'none',
  ),
}
