import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { Post } from '../post.ts'
import { bodiesOf, padIds, wholeBodies } from '../post-body-store.ts'
import type { Post as PostBody } from '../post-schema.ts'

interface RelatedRequest {
  readonly projectId: ProjectId
  readonly post: Pick<Post, 'id' | 'categoryId'>
  readonly limit: number
}

/**
 * The published posts that are most related to a post: those that share most tags with it first, then those of its category, then the newest.
 * Nothing unpublished has an influence on them.
 */
export async function listRelatedIds(db: Db, { projectId, post, limit }: RelatedRequest): Promise<readonly PostId[]> {
  const published = () => visiblePosts(db, publicSight(projectId)).where('posts.id', '!=', post.id)
  const { categoryId } = post
  const steps = [
    () => byTags(db, published(), { projectId, post }),
    ...(categoryId === null ? [] : [() => published().where('posts.category_id', '=', categoryId)]),
    published,
  ]
  let found: readonly PostId[] = []
  for (const step of steps) {
    if (found.length === limit) break
    const rows = await step()
      .$if(found.length > 0, (query) => query.where('posts.id', 'not in', found))
      .select('posts.id')
      .orderBy('posts.published_at', 'desc')
      .orderBy('posts.id', 'desc')
      .limit(limit - found.length)
      .execute()
    found = [...found, ...rows.map(({ id }) => id)]
  }
  return found
}

type Published = ReturnType<typeof visiblePosts>

/** Posts with a tag of this post, by the number of tags that they share, and among equals those of its category first. */
function byTags(db: Db, published: Published, { projectId, post }: Omit<RelatedRequest, 'limit'>): Published {
  const shared = db
    .selectFrom('post_tags as own')
    .innerJoin('post_tags as others', (join) =>
      join
        .onRef('others.project_id', '=', 'own.project_id')
        .onRef('others.tag_id', '=', 'own.tag_id')
        .on('others.status', '=', 'published'),
    )
    .where('own.project_id', '=', projectId)
    .where('own.post_id', '=', post.id)
    .groupBy('others.post_id')
    .select((eb) => ['others.post_id', eb.fn.countAll().as('tags')])
    .as('shared')
  return published
    .innerJoin(shared, 'shared.post_id', 'posts.id')
    .orderBy('shared.tags', 'desc')
    .orderBy((eb) => eb.case().when('posts.category_id', '=', post.categoryId).then(0).else(1).end()) as unknown as Published
}

/** Published posts in the order of their ids. */
export async function findPublished(
  db: Db,
  projectId: ProjectId,
  ids: readonly PostId[],
  withContent: boolean,
): Promise<readonly PostBody[]> {
  if (ids.length === 0) return []
  const rows = await bodiesOf(db, { projectId, onlyPost: undefined, ids: padIds(ids) }, { drafts: false, withContent })
  const bodies = await wholeBodies(db, rows, (post) => post)
  return ids.flatMap((id) => bodies.find((body) => body.id === id) ?? [])
}

function publicSight(projectId: ProjectId): Sight {
  return { projectId, drafts: false, emails: false }
}
