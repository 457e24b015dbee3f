import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import type { ProjectId } from '../../values/ids.ts'
import { escapedPath } from '../site/alias.ts'
import type { Placeholder } from '../site/site.ts'
import { addressOf, type LinkingSite, placeParts, showsSlugs } from './redirect.ts'
import type { Redirect, redirectList } from './redirect-schema.ts'

/** Aliases stand before former slugs: paths begin with a slash. */
const sortColumns: SortColumns<'from'> = {
  from: [
    { column: 'path', type: 'text' },
    { column: 'kind', type: 'text' },
  ],
}

/** Paths that redirect nobody: a post is there, or an alias stands where a former slug was. */
export interface HiddenPaths {
  readonly aliases: readonly string[]
  readonly slugs: readonly string[]
}

interface Listing {
  readonly site: LinkingSite
  readonly hidden: HiddenPaths
}

/** A page of what leads to published posts. */
export async function listRedirects(
  db: Db,
  { projectId }: Pick<Sight, 'projectId'>,
  plan: ListPlan<typeof redirectList>,
  { site, hidden }: Listing,
): Promise<Page<Redirect>> {
  const found = db.selectFrom(redirects(db, projectId, site, hidden).as('redirects')).selectAll()
  return listPage(found, plan, orderTerms('redirects', plan.sort, sortColumns), ({ kind, path, id, slug, category_slug, published_at }) => {
    const post = { id, slug, categorySlug: category_slug, date: published_at }
    const from = kind === 'alias' ? escapedPath(path) : addressOf(site, { ...post, slug: path })
    return { from, to: addressOf(site, post), postId: id, kind }
  })
}

function redirects(db: Db, projectId: ProjectId, site: LinkingSite, hidden: HiddenPaths) {
  const aliases = linked(db, projectId)
    .innerJoin('post_aliases', (join) => join.on('post_aliases.project_id', '=', projectId).onRef('post_aliases.post_id', '=', 'posts.id'))
    .select([sql<Redirect['kind']>`'alias'`.as('kind'), 'post_aliases.path'])
  const slugs = linked(db, projectId)
    .innerJoin('old_slugs', (join) => join.on('old_slugs.project_id', '=', projectId).onRef('old_slugs.post_id', '=', 'posts.id'))
    .select([sql<Redirect['kind']>`'slug'`.as('kind'), 'old_slugs.slug as path'])
  const plain = hidden.aliases.filter((path) => !odd.test(path))
  const rare = hidden.aliases.filter((path) => odd.test(path)).slice(0, maxOdd)
  const open = aliases
    .where((eb) => eb.not(db.engine.isAmong('post_aliases.path', plain.join(' '))))
    .$if(rare.length > 0, (query) => query.where('post_aliases.path', 'not in', rare))
  if (!showsSlugs(site)) return open
  return open.unionAll(slugs.where((eb) => eb.not(db.engine.isAmong('old_slugs.slug', hidden.slugs.join(' ')))))
}

/** Characters that the words of `isAmong` cannot have. A post is at such a path only if the permalink has one. */
const odd = /[\s"\\]/
const maxOdd = 1_000

/** Published posts alone, whoever asks: a redirect to a draft would lead nowhere, and tell its name on a public host. */
function linked(db: Db, projectId: ProjectId) {
  return visiblePosts(db, { projectId, drafts: false, emails: false })
    .leftJoin('categories', (join) => join.on('categories.project_id', '=', projectId).onRef('categories.id', '=', 'posts.category_id'))
    .select(['posts.id', 'posts.slug', 'posts.published_at', 'categories.slug as category_slug'])
}

/** Finds the paths that redirect nobody, so that no redirect leads to another or to itself. Most hosts take `/a` and `/a/` for one path. */
export async function findHiddenPaths(db: Db, projectId: ProjectId, site: LinkingSite): Promise<HiddenPaths> {
  if (!(await hasAliases(db, projectId))) return { aliases: [], slugs: [] }
  const aliases = visiblePosts(db, { projectId, drafts: false, emails: false })
    .innerJoin('post_aliases', (join) => join.on('post_aliases.project_id', '=', projectId).onRef('post_aliases.post_id', '=', 'posts.id'))
    .select(['post_aliases.path', sql<string>`case when path like '%/' then substr(path, 1, length(path) - 1) else path end`.as('bare')])
  const places = linked(db, projectId).clearSelect().select(placeSql(site, 'posts.slug').as('bare'))
  // Made once, and then looked up by its hash (PostgreSQL) or an index of its own (SQLite).
  const taken = await db
    .with(
      (cte) => cte('places').materialized(),
      () => places,
    )
    .selectFrom(aliases.as('aliases'))
    .innerJoin('places', 'places.bare', 'aliases.bare')
    .select('aliases.path')
    .distinct()
    .execute()
  const hidden = taken.map(({ path }) => path)
  if (!showsSlugs(site)) return { aliases: hidden, slugs: [] }
  const former = linked(db, projectId)
    .innerJoin('old_slugs', (join) => join.on('old_slugs.project_id', '=', projectId).onRef('old_slugs.post_id', '=', 'posts.id'))
    .clearSelect()
    .select(['old_slugs.slug', placeSql(site, 'old_slugs.slug').as('bare')])
  const covered = await db
    .with(
      (cte) => cte('aliases').materialized(),
      () => aliases,
    )
    .selectFrom(former.as('former'))
    .innerJoin('aliases', 'aliases.bare', 'former.bare')
    .select('former.slug')
    .distinct()
    .execute()
  return { aliases: hidden, slugs: covered.map(({ slug }) => slug) }
}

async function hasAliases(db: Db, projectId: ProjectId): Promise<boolean> {
  return (await db.selectFrom('post_aliases').select('path').where('project_id', '=', projectId).limit(1).executeTakeFirst()) !== undefined
}

/** The path of a post in the form of `post_aliases`, without a slash at its end. */
function placeSql(site: LinkingSite, slug: 'posts.slug' | 'old_slugs.slug'): RawBuilder<string> {
  const values: Readonly<Record<Placeholder, RawBuilder<unknown>>> = {
    slug: sql.ref(slug),
    id: sql.ref('posts.id'),
    year: sql`substr(posts.published_at, 1, 4)`,
    month: sql`substr(posts.published_at, 6, 2)`,
    day: sql`substr(posts.published_at, 9, 2)`,
    category: sql`categories.slug`,
  }
  const joined = (hasCategory: boolean) => {
    const parts = placeParts(site, hasCategory).map((part) => ('text' in part ? sql`cast(${part.text} as text)` : values[part.placeholder]))
    return sql<string>`${sql.join(parts, sql` || `)}`
  }
  return sql<string>`case when categories.slug is null then ${joined(false)} else ${joined(true)} end`
}
