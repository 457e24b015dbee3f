import type { FastifyInstance } from 'fastify'
import { sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf } from '../../http/request/validate-body.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { sendList, sendOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { administratorSight } from './author.ts'
import { createAuthor, editAuthor, removeAuthor } from './author-actions.ts'
import { Author, AuthorCreate, AuthorList, AuthorPatch, authorList } from './author-schema.ts'
import { findAuthorBody, listAuthors } from './author-store.ts'

const tag = 'Authors'
const administration = 'Administration'

/** The routes of authors and their documentation. */
export const authorOperations = {
  list: reads('GET /v1/authors', 'authors:read', {
    id: 'listAuthors',
    tag,
    summary: 'List authors',
    description: 'Sorted by name. `email` is `null` unless the key has the scope `authors:read_email`.',
    list: authorList,
    responses: { 200: AuthorList, 304: null },
  }),
  read: reads('GET /v1/authors/:idOrSlug', 'authors:read', {
    id: 'getAuthor',
    tag,
    summary: 'Read an author by id or slug',
    description: '`email` is `null` unless the key has the scope `authors:read_email`.',
    responses: { 200: Author, 304: null },
    problems: ['not_found'],
  }),
}

export const authorAdminOperations = {
  list: reads('GET /v1/admin/authors', 'authors:write', {
    id: 'listAuthorsAsAdmin',
    tag: administration,
    summary: 'List authors with their e-mail addresses',
    description: 'As `GET /v1/authors`, with every `email`.',
    list: authorList,
    responses: { 200: AuthorList, 304: null },
  }),
  read: reads('GET /v1/admin/authors/:idOrSlug', 'authors:write', {
    id: 'getAuthorAsAdmin',
    tag: administration,
    summary: 'Read an author with the e-mail address',
    description: 'As `GET /v1/authors/{idOrSlug}`, with the `email`.',
    responses: { 200: Author, 304: null },
    problems: ['not_found'],
  }),
  create: writes('POST /v1/admin/authors', 'authors:write', {
    id: 'createAuthor',
    tag: administration,
    summary: 'Create an author',
    description: 'Several authors may have the same name. The slug is made from the name unless `slug` is given.',
    body: AuthorCreate,
    responses: { 201: Author },
    problems: ['slug_conflict'],
  }),
  patch: writes('PATCH /v1/admin/authors/:idOrSlug', 'authors:write', {
    id: 'updateAuthor',
    tag: administration,
    summary: 'Change an author',
    description: 'A JSON merge patch (RFC 7396). With `If-Match`, it does not overwrite another client’s change.',
    body: AuthorPatch,
    responses: { 200: Author },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
  delete: writes(
    'DELETE /v1/admin/authors/:idOrSlug',
    'authors:write',
    {
      id: 'deleteAuthor',
      tag: administration,
      summary: 'Delete an author',
      description:
        'An author whom posts name is in use, even if those posts are in the trash: the answer is 409 unless `reassign_to` names another author for them. Deleting an author again by its id answers 204.',
      texts: { reassign_to: 'The id or slug of the author that the posts get instead. This changes each of those posts.' },
      responses: { 204: null },
      problems: ['not_found', 'stale_version', 'in_use'],
    },
    'none',
  ),
}

/** `/v1/authors`, which is read-only, and `/v1/admin/authors`. */
export function authorRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service, authorOperations, sightOf)
  readRoutes(app, service, authorAdminOperations, administratorSight)
  writeRoutes(app, service)
}

type ReadOperations = Pick<typeof authorOperations | typeof authorAdminOperations, 'list' | 'read'>

function readRoutes(app: FastifyInstance, service: Service, operations: ReadOperations, sight: typeof sightOf): void {
  const { db } = service

  handle(app, operations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(authorList, queryOf(request), caller)
    return sendList(service, request, reply, plan, (asked, reads) => reads.long((snapshot) => listAuthors(snapshot, sight(caller), asked)))
  })

  handle(app, operations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const author = await findAuthorBody(db, sight(request.authenticated.caller), request.params.idOrSlug)
    if (!author) throw notFound('author')
    return sendOne(service, request, reply, author)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(AuthorCreate)
  const patchBody = bodyOf(AuthorPatch)

  handle(app, authorAdminOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return sendWriteResult(service, request, reply, {
      action: createAuthor,
      input,
      response: { kind: 'created', under: '/v1/admin/authors' },
    })
  })

  handle(app, authorAdminOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: editAuthor, input, response: { kind: 'written' } })
  })

  handle(app, authorAdminOperations.delete, async (request, reply) => {
    const reassignTo = writeQueryOf(request, ['reassign_to'], (read) => read('reassign_to', (slugOrId) => slugOrId))
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), reassignTo }
    return sendWriteResult(service, request, reply, { action: removeAuthor, input, response: { kind: 'deleted' } })
  })
}
