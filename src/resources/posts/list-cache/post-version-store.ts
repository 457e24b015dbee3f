import { sql } from 'kysely'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { orderBy } from '../../../lists/sort-terms.ts'
import type { ProjectId } from '../../../values/ids.ts'
import { cutPosts, type PageShape, type PageValues, postTerms, sortColumns } from '../list/post-page-store.ts'

/** Of each post on a page, in order, what tells its version and its place, and how far the log of their project was. */
export const refsOnPage = prepared((db, values: PageValues, { names, ...shape }: PageShape & { readonly names: boolean }) =>
  db
    .selectFrom(cutPosts(db, values, shape).as('page'))
    .innerJoin('posts', (join) => join.onRef('posts.project_id', '=', 'page.project_id').onRef('posts.id', '=', 'page.id'))
    .$if(names, (query) =>
      query
        .leftJoin('authors', (join) =>
          join.onRef('authors.project_id', '=', 'posts.project_id').onRef('authors.id', '=', 'posts.author_id'),
        )
        .leftJoin('categories', (join) =>
          join.onRef('categories.project_id', '=', 'posts.project_id').onRef('categories.id', '=', 'posts.category_id'),
        )
        .select(['authors.name as author_name', 'categories.name as category_name', 'categories.slug as category_slug']),
    )
    .select(['posts.id', 'posts.version', 'posts.updated_at', 'posts.author_id', 'posts.category_id'])
    .select(shape.sort.flatMap(({ name }) => sortColumns[name].map(({ column }) => sql.ref(`posts.${column}`).as(column))))
    .select(revisionOf(db, values.projectId))
    .orderBy(orderBy(postTerms(shape))),
)

/** How far the log of a project is, as a column of whatever statement: two that tell the same saw the same. */
export function revisionOf(db: Db, projectId: ProjectId) {
  return db.selectFrom('project_state').select('project_state.revision').where('project_state.project_id', '=', projectId).as('revision')
}
