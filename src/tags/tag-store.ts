import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { isId } from '../ids.ts'
import { listPage, orderTerms, type Page, type SortColumns } from '../listing/list-query.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import { visiblePosts } from '../listing/visible-posts.ts'
import type { Tag, tagList } from './tag-schema.ts'

/** Names sort folded, by what makes two spellings the same tag; a tag's time is that of the first post that the caller sees it on. */
const sortColumns: SortColumns<(typeof tagList)['sorts'][number]> = {
  name: [{ column: 'folded', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
  slug: [{ column: 'slug', type: 'text' }],
  post_count: [{ column: 'post_count', type: 'number' }],
}

/** The tag with this id or slug; none where no post that the caller sees carries it. */
export async function findTag(db: Db, sight: Sight, idOrSlug: string): Promise<Tag | undefined> {
  const column = isId('tag', idOrSlug) ? 'tags.id' : 'tags.slug'
  const row = await withName(db, counted(carried(db, sight).where(column, '=', idOrSlug))).executeTakeFirst()
  return row && toTag(row)
}

/** A page of the tags that the posts in sight carry. */
export async function listTags(db: Db, sight: Sight, plan: ListPlan<typeof tagList>): Promise<Page<Tag>> {
  return listPage(withName(db, counted(carried(db, sight))), plan, orderTerms('tags', plan.sort, sortColumns), toTag)
}

/** Every post in sight with every tag that it carries. */
function carried(db: Db, sight: Sight) {
  return visiblePosts(db, sight)
    .innerJoin('post_tags', (join) =>
      join.onRef('post_tags.project_id', '=', 'posts.project_id').onRef('post_tags.post_id', '=', 'posts.id'),
    )
    .innerJoin('tags', (join) => join.onRef('tags.project_id', '=', 'post_tags.project_id').onRef('tags.id', '=', 'post_tags.tag_id'))
}

/** The tags, with their number of posts and the first of these. Ids are time-ordered, so the smallest is the first. */
function counted(posts: ReturnType<typeof carried>) {
  return posts
    .select(['tags.project_id', 'tags.id', 'tags.folded', 'tags.slug', 'tags.description'])
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('post_count'),
      eb.fn.min('posts.id').as('first_post_id'),
      eb.fn.min('posts.created_at').as('created_at'),
    ])
    .groupBy(['tags.project_id', 'tags.id', 'tags.folded', 'tags.slug', 'tags.description'])
}

/** A tag is spelled as its first post spells it. */
function withName(db: Db, tags: ReturnType<typeof counted>) {
  return db
    .selectFrom(tags.as('tags'))
    .innerJoin('post_tags as first', (join) =>
      join
        .onRef('first.project_id', '=', 'tags.project_id')
        .onRef('first.tag_id', '=', 'tags.id')
        .onRef('first.post_id', '=', 'tags.first_post_id'),
    )
    .selectAll('tags')
    .select('first.name')
}

type TagRow = Awaited<ReturnType<ReturnType<typeof withName>['execute']>>[number]

function toTag({ id, name, slug, description, post_count: postCount }: TagRow): Tag {
  return { id, name, slug, description, postCount }
}
