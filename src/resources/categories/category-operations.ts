import { reads, writes } from '../../http/route-config.ts'
import { Category, CategoryCreate, CategoryList, CategoryPatch, categoryList } from './category-schema.ts'

const tag = 'Categories'
const administration = 'Administration'

/** What the documentation says of the routes of categories. */
export const categoryOperations = {
  list: reads('posts:read', {
    id: 'listCategories',
    tag,
    summary: 'List categories',
    description: 'By name. `postCount` counts the posts that the key may see.',
    list: categoryList,
    answers: { 200: CategoryList, 304: null },
  }),
  read: reads('posts:read', {
    id: 'getCategory',
    tag,
    summary: 'Read a category by id or slug',
    answers: { 200: Category, 304: null },
    problems: ['not_found'],
  }),
}

export const categoryAdminOperations = {
  list: reads('admin', {
    id: 'listCategoriesAsAdmin',
    tag: administration,
    summary: 'List categories',
    list: categoryList,
    answers: { 200: CategoryList, 304: null },
  }),
  read: reads('admin', {
    id: 'getCategoryAsAdmin',
    tag: administration,
    summary: 'Read a category by id or slug',
    answers: { 200: Category, 304: null },
    problems: ['not_found'],
  }),
  create: writes('admin', {
    id: 'createCategory',
    tag: administration,
    summary: 'Create a category',
    description: 'The slug is made from the name unless `slug` is given.',
    body: CategoryCreate,
    answers: { 201: Category },
    problems: ['slug_conflict'],
  }),
  patch: writes('admin', {
    id: 'updateCategory',
    tag: administration,
    summary: 'Change a category',
    description:
      'A JSON merge patch (RFC 7396). The slug stays when the name changes. `If-Match` guards against overwriting somebody else’s change.',
    body: CategoryPatch,
    answers: { 200: Category },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
  delete: writes(
    'admin',
    {
      id: 'deleteCategory',
      tag: administration,
      summary: 'Delete a category',
      description:
        'A category under which posts are filed, those in the trash included, is in use and stays, unless `reassign_to` says where they go. Deleting again by id is no mistake.',
      texts: { reassign_to: 'The id or slug of the category under which the posts go instead. Each of them is changed by this.' },
      answers: { 204: null },
      problems: ['not_found', 'stale_version', 'in_use'],
    },
    'none',
  ),
}
