import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { countOf } from '../../lists/post-count-store.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { statusesInSight } from '../../lists/visible-posts.ts'
import { isId, type TagId } from '../../values/ids.ts'
import type { Tag, tagList } from './tag-schema.ts'

/** Names are sorted by their folded form. A tag is as old as its first post that the caller may see. */
const sortColumns: SortColumns<(typeof tagList)['sorts'][number]> = {
  name: [{ column: 'folded', type: 'text' }],
  created_at: [{ column: 'first_post_id', type: 'text' }],
  slug: [{ column: 'slug', type: 'text' }],
  post_count: [{ column: 'post_count', type: 'number' }],
}

/** The tag with this id or slug, if a post in sight has it. */
export async function findTag(db: Db, sight: Sight, idOrSlug: string): Promise<Tag | undefined> {
  const column = isId('tag', idOrSlug) ? 'tags.id' : 'tags.slug'
  const row = await tagsInSight(db, sight).where(column, '=', idOrSlug).executeTakeFirst()
  return row && toTag(row)
}

/** A page of the tags of the posts in sight. */
export async function listTags(db: Db, sight: Sight, plan: ListPlan<typeof tagList>): Promise<Page<Tag>> {
  return listPage(tagsInSight(db, sight), plan, orderTerms('tags', plan.sort, sortColumns), toTag)
}

/** The tags of the posts in sight. Ids are ordered by time, so the post with the smallest id is the first; its spelling counts. */
function tagsInSight(db: Db, sight: Sight) {
  const first = postsWithTag(db, sight).orderBy('post_tags.post_id').limit(1)
  const tags = db
    .selectFrom('tags')
    .where('tags.project_id', '=', sight.projectId)
    .select(['tags.id', 'tags.folded', 'tags.slug', 'tags.description'])
    .select([
      first.select('post_tags.name').$asScalar().$notNull().as('name'),
      first.select('post_tags.post_id').$asScalar().$notNull().as('first_post_id'),
      countOf(db, sight, { dimension: 'tag', column: 'tags.folded' }).$asScalar().$notNull().as('post_count'),
    ])
  return db.selectFrom(tags.as('tags')).selectAll().where('tags.post_count', '>', 0)
}

/** A subquery: the posts in sight that have the tag of the outer query. */
function postsWithTag(db: Db, sight: Sight) {
  return db
    .selectFrom('post_tags')
    .where('post_tags.project_id', '=', sight.projectId)
    .where('post_tags.tag_id', '=', sql.ref<TagId>('tags.id'))
    .where('post_tags.status', 'in', statusesInSight(sight))
}

type TagRow = Awaited<ReturnType<ReturnType<typeof tagsInSight>['execute']>>[number]

function toTag({ id, name, slug, description, post_count: postCount }: TagRow): Tag {
  return { id, name, slug, description, postCount }
}
