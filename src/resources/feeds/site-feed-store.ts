import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import { findProgress } from '../../actions/change-log/change-log-store.ts'
import { nextDue } from '../../actions/next-due-store.ts'
import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { statusesInSight, visiblePosts } from '../../lists/visible-posts.ts'
import { type AuthorId, type CategoryId, isId, type PostId, type ProjectId, type TagId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Subject, SubjectKind } from './site-feed.ts'

/** What opening the feeds of a project takes, in one look-up. */
interface SiteLookUp {
  readonly projectId: ProjectId
  readonly publicRevision: number
  readonly nextDueAt: Instant | null
  readonly now: Instant
}

/** The project with this slug, if it has a site. */
export async function lookUpSite(db: Db, slug: string): Promise<SiteLookUp | undefined> {
  if (db.engine.isSharded) {
    const [site] = await siteAlone(db, { slug, clock: db.engine.clock() })
    const progress = site && (await findProgress(db, site.id))
    return progress && { ...progress, now: site.now }
  }
  const [row] = await siteWith(db, { slug, clock: db.engine.clock() })
  return row && { projectId: row.id, publicRevision: row.public_revision, nextDueAt: row.next_due_at || null, now: row.now }
}

const siteAlone = prepared((db, { slug, clock }: { readonly slug: string; readonly clock: Instant }) =>
  db
    .selectFrom('projects')
    .select(['id', db.engine.nowSql(clock).as('now')])
    .where('slug', '=', slug)
    .where('site_url', 'is not', null),
)

const siteWith = prepared((db, { slug, clock }: { readonly slug: string; readonly clock: Instant }) =>
  db
    .selectFrom('projects')
    .innerJoin('project_state', 'project_state.project_id', 'projects.id')
    .where('projects.slug', '=', slug)
    .where('projects.site_url', 'is not', null)
    .select(['projects.id', 'project_state.public_revision', db.engine.nowSql(clock).as('now')])
    .select(nextDue('projects.id').as('next_due_at')),
)

/** The author, category or tag with this id or slug; a tag only if a post in sight has it, in the spelling of the first such post. */
export async function findSubject(db: Db, sight: Sight, kind: SubjectKind, idOrSlug: string): Promise<Subject | undefined> {
  const { projectId } = sight
  const [found] = await {
    tags: () => tagWith(db, { projectId, idOrSlug }, isId('tag', idOrSlug) ? 'id' : 'slug'),
    categories: () => categoryWith(db, { projectId, idOrSlug }, isId('cat', idOrSlug) ? 'id' : 'slug'),
    authors: () => authorWith(db, { projectId, idOrSlug }, isId('auth', idOrSlug) ? 'id' : 'slug'),
  }[kind]()
  return found
}

type Named = { readonly projectId: ProjectId; readonly idOrSlug: string }
type NameColumn = 'id' | 'slug'

const categoryWith = prepared((db, { projectId, idOrSlug }: Named, column: NameColumn) =>
  db.selectFrom('categories').select(['id', 'name']).where('project_id', '=', projectId).where(column, '=', idOrSlug),
)

const authorWith = prepared((db, { projectId, idOrSlug }: Named, column: NameColumn) =>
  db.selectFrom('authors').select(['id', 'name']).where('project_id', '=', projectId).where(column, '=', idOrSlug),
)

/** Ids are ordered by time. */
const tagWith = prepared((db, { projectId, idOrSlug }: Named, column: NameColumn) =>
  db
    .selectFrom('tags')
    .innerJoin('post_tags', (join) => join.on('post_tags.project_id', '=', projectId).onRef('post_tags.tag_id', '=', 'tags.id'))
    .select(['tags.id', 'post_tags.name'])
    .where('tags.project_id', '=', projectId)
    .where(`tags.${column}`, '=', idOrSlug)
    .where('post_tags.status', 'in', statusesInSight({ projectId, drafts: false, emails: false }))
    .orderBy('post_tags.post_id')
    .limit(1),
)

interface Part {
  readonly kind: SubjectKind
  readonly id: string
}

type Values = { readonly projectId: ProjectId; readonly id: string | undefined; readonly most: number }

/** The newest posts in sight, of a subject if there is one. */
export async function listNewest(db: Db, { projectId }: Sight, part: Part | undefined, most: number): Promise<readonly FeedRow[]> {
  return newest(db, { projectId, id: part?.id, most }, { kind: part?.kind })
}

type FeedRow = Awaited<ReturnType<typeof newest>>[number]

const newest = prepared((db, { projectId, id, most }: Values, { kind }: { readonly kind: SubjectKind | undefined }) =>
  withNames(partOf(db, projectId, kind, id), projectId)
    .select(['posts.title', 'posts.excerpt', 'posts.content_hash', 'posts.tags', 'posts.seo_og_image', 'authors.name as author_name'])
    .select(['posts.id', 'posts.slug', 'posts.published_at', 'posts.created_at', 'posts.updated_at', 'posts.version'])
    .select(['categories.name as category_name', 'categories.slug as category_slug'])
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(most),
)

/** The Markdown of a post; none if it was purged meanwhile. */
export async function findContent(
  db: Db,
  { projectId }: Sight,
  { id, content_hash: hash }: Pick<FeedRow, 'id' | 'content_hash'>,
): Promise<string | undefined> {
  const [row] = await contentWith(db, { projectId, id, hash })
  return row?.body
}

const contentWith = prepared((db, { projectId, id, hash }: { readonly projectId: ProjectId; readonly id: PostId; readonly hash: string }) =>
  db.selectFrom('contents').select('body').where('project_id', '=', projectId).where('post_id', '=', id).where('hash', '=', hash),
)

/** Posts by id after one of them, with what a sitemap says of them. */
export async function listLinks(
  db: Db,
  { projectId }: Sight,
  part: Part | undefined,
  { after, most }: { readonly after: string; readonly most: number },
) {
  return links(db, { projectId, id: part?.id, most, after }, { kind: part?.kind })
}

const links = prepared(
  (db, { projectId, id, most, after }: Values & { readonly after: string }, { kind }: { readonly kind: SubjectKind | undefined }) =>
    withNames(partOf(db, projectId, kind, id), projectId)
      .select([
        'posts.id',
        'posts.slug',
        'posts.published_at',
        'posts.created_at',
        'posts.updated_at',
        'posts.version',
        'categories.slug as category_slug',
      ])
      .where(sql<boolean>`posts.id > ${after}`)
      .orderBy('posts.id')
      .limit(most),
)

/** The id of the post at this place, in the order of ids; none if there are fewer. */
export async function findIdAt(db: Db, { projectId }: Sight, part: Part | undefined, place: number): Promise<string | undefined> {
  const [row] = await idAt(db, { projectId, id: part?.id, most: 1, skipped: place - 1 }, { kind: part?.kind })
  return row?.id
}

const idAt = prepared(
  (db, { projectId, id, most, skipped }: Values & { readonly skipped: number }, { kind }: { readonly kind: SubjectKind | undefined }) =>
    partOf(db, projectId, kind, id).select('posts.id').orderBy('posts.id').limit(most).offset(skipped),
)

export async function countPosts(db: Db, { projectId }: Sight, part: Part | undefined): Promise<number> {
  const [row] = await count(db, { projectId, id: part?.id, most: 1 }, { kind: part?.kind })
  return Number(row?.posts ?? 0)
}

const count = prepared((db, { projectId, id }: Values, { kind }: { readonly kind: SubjectKind | undefined }) =>
  partOf(db, projectId, kind, id).select((eb) => eb.fn.countAll<number | string>().as('posts')),
)

/** The posts that everyone may see, of a subject if there is one. */
function partOf(db: Db, projectId: ProjectId, kind: SubjectKind | undefined, id: string | undefined) {
  const posts = visiblePosts(db, { projectId, drafts: false, emails: false })
  switch (kind) {
    case 'authors':
      return posts.where('posts.author_id', '=', id as AuthorId)
    case 'categories':
      return posts.where('posts.category_id', '=', id as CategoryId)
    case 'tags':
      return posts.where(
        'posts.id',
        'in',
        db
          .selectFrom('post_tags')
          .select('post_id')
          .where('project_id', '=', projectId)
          .where('tag_id', '=', id as TagId)
          .where('status', '=', 'published'),
      )
    case undefined:
      return posts
  }
}

function withNames(posts: ReturnType<typeof partOf>, projectId: ProjectId) {
  return posts
    .leftJoin('authors', (join) => join.on('authors.project_id', '=', projectId).onRef('authors.id', '=', 'posts.author_id'))
    .leftJoin('categories', (join) => join.on('categories.project_id', '=', projectId).onRef('categories.id', '=', 'posts.category_id'))
}
