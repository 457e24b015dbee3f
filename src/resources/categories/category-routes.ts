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
import { createCategory, editCategory, removeCategory } from './category-actions.ts'
import { Category, CategoryCreate, CategoryList, CategoryPatch, categoryList } from './category-schema.ts'
import { findCategoryBody, listCategories } from './category-store.ts'

const tag = 'Categories'
const administration = 'Administration'

/** The routes of categories and their documentation. */
export const categoryOperations = {
  list: reads('GET /v1/categories', 'posts:read', {
    id: 'listCategories',
    tag,
    summary: 'List categories',
    description: 'Sorted by name. `postCount` counts the posts that the key can see.',
    list: categoryList,
    responses: { 200: CategoryList, 304: null },
  }),
  read: reads('GET /v1/categories/:idOrSlug', 'posts:read', {
    id: 'getCategory',
    tag,
    summary: 'Read a category by id or slug',
    description: '`postCount` counts the posts that the key can see.',
    responses: { 200: Category, 304: null },
    problems: ['not_found'],
  }),
}

export const categoryAdminOperations = {
  list: reads('GET /v1/admin/categories', 'categories:write', {
    id: 'listCategoriesAsAdmin',
    tag: administration,
    summary: 'List categories for administration',
    description: 'As `GET /v1/categories`, for keys that have `categories:write` without `posts:read`.',
    list: categoryList,
    responses: { 200: CategoryList, 304: null },
  }),
  read: reads('GET /v1/admin/categories/:idOrSlug', 'categories:write', {
    id: 'getCategoryAsAdmin',
    tag: administration,
    summary: 'Read a category for administration',
    description: 'As `GET /v1/categories/{idOrSlug}`, for keys that have `categories:write` without `posts:read`.',
    responses: { 200: Category, 304: null },
    problems: ['not_found'],
  }),
  create: writes('POST /v1/admin/categories', 'categories:write', {
    id: 'createCategory',
    tag: administration,
    summary: 'Create a category',
    description: 'The slug is made from the name unless `slug` is given.',
    body: CategoryCreate,
    responses: { 201: Category },
    problems: ['slug_conflict'],
  }),
  patch: writes('PATCH /v1/admin/categories/:idOrSlug', 'categories:write', {
    id: 'updateCategory',
    tag: administration,
    summary: 'Change a category',
    description:
      'A JSON merge patch (RFC 7396). The slug stays when the name changes. With `If-Match`, it does not overwrite another client’s change.',
    body: CategoryPatch,
    responses: { 200: Category },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
  delete: writes(
    'DELETE /v1/admin/categories/:idOrSlug',
    'categories:write',
    {
      id: 'deleteCategory',
      tag: administration,
      summary: 'Delete a category',
      description:
        'A category that posts name is in use, even if those posts are in the trash: the answer is 409 unless `reassign_to` names another category for them. Deleting a category again by its id answers 204.',
      texts: { reassign_to: 'The id or slug of the category that the posts get instead. This changes each of those posts.' },
      responses: { 204: null },
      problems: ['not_found', 'stale_version', 'in_use'],
    },
    'none',
  ),
}

/** `/v1/categories`, which is read-only, and `/v1/admin/categories`. */
export function categoryRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service, categoryOperations)
  readRoutes(app, service, categoryAdminOperations)
  writeRoutes(app, service)
}

type ReadOperations = Pick<typeof categoryOperations | typeof categoryAdminOperations, 'list' | 'read'>

function readRoutes(app: FastifyInstance, service: Service, operations: ReadOperations): void {
  const { db } = service

  handle(app, operations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(categoryList, queryOf(request), caller)
    return sendList(service, request, reply, plan, (asked, reads) => reads.long((snapshot) => listCategories(snapshot, reads.sight, asked)))
  })

  handle(app, operations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const category = await findCategoryBody(db, sightOf(request.authenticated.caller), request.params.idOrSlug)
    if (!category) throw notFound('category')
    return sendOne(service, request, reply, category)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(CategoryCreate)
  const patchBody = bodyOf(CategoryPatch)

  handle(app, categoryAdminOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return sendWriteResult(service, request, reply, {
      action: createCategory,
      input,
      response: { kind: 'created', under: '/v1/admin/categories' },
    })
  })

  handle(app, categoryAdminOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: editCategory, input, response: { kind: 'written' } })
  })

  handle(app, categoryAdminOperations.delete, async (request, reply) => {
    const reassignTo = writeQueryOf(request, ['reassign_to'], (read) => read('reassign_to', (slugOrId) => slugOrId))
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), reassignTo }
    return sendWriteResult(service, request, reply, { action: removeCategory, input, response: { kind: 'deleted' } })
  })
}
