import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { pendingEditColumn, visiblePosts } from '../../lists/visible-posts.ts'
import { readLong, shortTurns } from '../../values/event-loop.ts'
import { isId, type PostId, type ProjectId } from '../../values/ids.ts'
import type { PostKeys } from './list/post-page-store.ts'
import type { Post } from './post.ts'
import { represent, toPost } from './post-fields.ts'
import type { Post as PostBody } from './post-schema.ts'

/** The representation of the post with this id or slug, if the caller may see it. Other requests have a turn before long content is read. */
export async function findPostBody(db: Db, sight: Sight, idOrSlug: string): Promise<PostBody | undefined> {
  const [body] = await wholeBodies(db, await rowsOf(db, sight, { idOrSlug, whole: false }), (post) => post)
  return body
}

/** A post as the rules need it, with the names that it shows. */
export interface NamedPost {
  readonly post: Post
  readonly names: Pick<PostBody, 'author' | 'category'>
}

/** The post with this id or slug and the names that it shows, if the caller may see it. */
export async function findNamedPost(db: Db, sight: Sight, idOrSlug: string): Promise<NamedPost | undefined> {
  const [row] = await rowsOf(db, sight, { idOrSlug, whole: true })
  return row && { post: toPost(row), names: namesIn(row) }
}

interface Asked {
  readonly idOrSlug: string
  readonly whole: boolean
}

/** The row of the visible post with this id or slug, if there is one. */
function rowsOf(db: Db, { projectId, onlyPost, drafts }: Sight, { idOrSlug, whole }: Asked): Promise<readonly BodyRow[]> {
  const column = isId('post', idOrSlug) ? 'id' : 'slug'
  return bodyOf(db, { projectId, onlyPost, idOrSlug }, { drafts, column, whole })
}

/** The visible posts with these ids, unordered. */
export async function findPostBodies(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly PostBody[]> {
  const { projectId, onlyPost, drafts } = sight
  const rows = await bodiesOf(db, { projectId, onlyPost, ids: padIds(ids as readonly PostId[]) }, { drafts, withContent: true })
  return wholeBodies(db, rows, (post) => post)
}

interface Seen {
  readonly drafts: boolean
}

type SightValues = { readonly projectId: ProjectId; readonly onlyPost: PostId | undefined }

const bodyOf = prepared(
  (
    db,
    { idOrSlug, ...sight }: SightValues & { readonly idOrSlug: string },
    { drafts, column, whole }: Seen & { readonly column: 'id' | 'slug'; readonly whole: boolean },
  ) =>
    bodies(db, inSight(db, sight, drafts).where(`posts.${column}`, '=', idOrSlug), {
      projectId: sight.projectId,
      drafts,
      withContent: true,
      whole,
    }),
)

/** The rows of the visible posts with these ids, unordered. */
export const bodiesOf = prepared(
  (
    db,
    { ids, ...sight }: SightValues & { readonly ids: readonly PostId[] },
    { drafts, withContent }: Seen & { readonly withContent: boolean },
  ) => bodies(db, inSight(db, sight, drafts).where('posts.id', 'in', ids), { projectId: sight.projectId, drafts, withContent }),
)

function inSight(db: Db, { projectId, onlyPost }: SightValues, drafts: boolean) {
  const sight = { projectId, drafts, emails: false, ...(onlyPost !== undefined && { onlyPost }) }
  return visiblePosts(db, sight).select(['posts.project_id', 'posts.id'])
}

/** Repeats the last id up to one of a few sizes, so that few statements are compiled. */
export function padIds<I>(ids: readonly I[]): readonly I[] {
  const size = [1, 5, 20, 50, 101].find((each) => each >= ids.length) ?? ids.length
  const last = ids.at(-1)
  return last === undefined ? ids : [...ids, ...Array.from({ length: size - ids.length }, () => last)]
}

/** A list reads longer contents one by one, because a page of them can have 100 MB. */
const longContentBytes = 32 * 1024

interface BodyShape extends Seen {
  readonly projectId: ProjectId
  /** Long contents are `null`: see `wholeBodies`. */
  readonly withContent: boolean
  /** With long contents, too. */
  readonly whole?: boolean
  readonly ranked?: true | undefined
}

/** The rows that representations of these posts are made of. */
export function bodies(db: Db, page: PostKeys, { projectId, drafts, withContent, whole, ranked }: BodyShape) {
  return withNames(db, page, { projectId, ranked })
    .$if(withContent, (query) =>
      query
        .innerJoin('contents', (join) =>
          join
            .on('contents.project_id', '=', projectId)
            .onRef('contents.post_id', '=', 'posts.id')
            .onRef('contents.hash', '=', 'posts.content_hash'),
        )
        .select((eb) =>
          whole
            ? eb.ref('contents.body').$castTo<string | null>().as('body')
            : eb.case().when(contentLength, '<=', longContentBytes).then(eb.ref('contents.body')).end().as('body'),
        ),
    )
    .selectAll('posts')
    .select(pendingEditColumn({ projectId, drafts }))
}

/** Both engines know the length of a text without reading it. */
const contentLength = sql<number>`octet_length(contents.body)`

/** An item for each post, in order. Reads contents that the rows lack, and lets other requests have a turn between posts. */
export async function wholeBodies<T, R extends BodyRow>(
  db: Db,
  rows: readonly R[],
  toItem: (post: PostBody, row: R) => T | Promise<T>,
): Promise<readonly T[]> {
  const giveWay = shortTurns()
  const items: T[] = []
  for (const row of rows) {
    await giveWay()
    const body = row.body === null ? await contentInTurn(db, row, giveWay) : row.body
    if (body !== undefined || row.body === undefined) items.push(await toItem(toBody({ ...row, body }), row))
  }
  return items
}

/** Long content. To read and to use it takes milliseconds, so other requests have a turn before either. Undefined if the post was purged. */
export async function contentInTurn(
  db: Db,
  { project_id, id, content_hash }: Pick<BodyRow, 'project_id' | 'id' | 'content_hash'>,
  giveWay = shortTurns(),
): Promise<string | undefined> {
  await giveWay('long')
  const [row] = await readLong(() => longContent(db, { projectId: project_id, id, hash: content_hash }))
  await giveWay('long')
  return row?.body
}

const longContent = prepared((db, { projectId, id, hash }: { readonly projectId: ProjectId; readonly id: PostId; readonly hash: string }) =>
  db.selectFrom('contents').select('body').where('project_id', '=', projectId).where('post_id', '=', id).where('hash', '=', hash),
)

/** Joins the posts of a page, their authors and their categories. */
export function withNames(
  db: Db,
  page: PostKeys,
  { projectId, ranked }: { readonly projectId: ProjectId; readonly ranked?: true | undefined },
) {
  return db
    .selectFrom(page.as('page'))
    .innerJoin('posts', (join) => join.on('posts.project_id', '=', projectId).onRef('posts.id', '=', 'page.id'))
    .leftJoin('authors', (join) => join.on('authors.project_id', '=', projectId).onRef('authors.id', '=', 'posts.author_id'))
    .leftJoin('categories', (join) => join.on('categories.project_id', '=', projectId).onRef('categories.id', '=', 'posts.category_id'))
    .select(['authors.name as author_name', 'categories.name as category_name', 'categories.slug as category_slug'])
    .$if(ranked === true, (query) => query.select(sql<number>`page.field`.as('field')))
}

type NameRow = Partial<Pick<BodyRow, 'author_name' | 'category_name' | 'category_slug'>> & Pick<BodyRow, 'author_id' | 'category_id'>
type BodyRow = Awaited<ReturnType<ReturnType<typeof bodies>['execute']>>[number]

function toBody(row: Omit<BodyRow, 'body'> & { readonly body?: string | null | undefined }): PostBody {
  return represent(toPost(row), namesIn(row))
}

/** The current names of a post's author and category. */
export function namesIn(row: NameRow): Pick<PostBody, 'author' | 'category'> {
  return {
    author: row.author_id && { id: row.author_id, name: row.author_name ?? '' },
    category: row.category_id && { id: row.category_id, name: row.category_name ?? '', slug: row.category_slug ?? '' },
  }
}

/** The representation of a post without author and category, whose names would need a look-up. */
export function toBodyAlone(post: Post): PostBody | undefined {
  return post.authorId === null && post.categoryId === null ? represent(post, { author: null, category: null }) : undefined
}
