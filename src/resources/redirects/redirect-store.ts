import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { escapedPath, pathOf } from '../site/alias.ts'
import { addressOf, type LinkingSite, showsSlugs } from './redirect.ts'
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

/** Posts, and twice as many paths, of one statement. */
const postsAtOnce = 1_000

/** Finds the paths that redirect nobody, so that no redirect leads to another or to itself. */
export async function findHiddenPaths(db: Db, projectId: ProjectId, site: LinkingSite): Promise<HiddenPaths> {
  const hidden = { aliases: new Set<string>(), slugs: new Set<string>() }
  if (!(await hasAliases(db, projectId))) return { aliases: [], slugs: [] }
  for await (const posts of linkedPosts(db, projectId)) {
    const places = posts.flatMap((post) => variantsOf(addressOf(site, post)))
    for (const path of await aliasesAmong(db, projectId, places)) hidden.aliases.add(path)
  }
  if (!showsSlugs(site)) return { aliases: [...hidden.aliases], slugs: [] }
  for await (const posts of formerPosts(db, projectId)) {
    const slugAt = new Map(posts.flatMap((post) => variantsOf(addressOf(site, post)).map((path) => [path, post.slug] as const)))
    for (const path of await aliasesAmong(db, projectId, [...slugAt.keys()])) hidden.slugs.add(slugAt.get(path) ?? '')
  }
  return { aliases: [...hidden.aliases], slugs: [...hidden.slugs] }
}

/** A path in the form of `post_aliases`, with and without a slash at its end: most hosts take both for one. */
function variantsOf(address: string): readonly string[] {
  const path = pathOf(address)
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`]
}

async function hasAliases(db: Db, projectId: ProjectId): Promise<boolean> {
  return (await db.selectFrom('post_aliases').select('path').where('project_id', '=', projectId).limit(1).executeTakeFirst()) !== undefined
}

/** Those of these paths that are aliases of published posts. */
async function aliasesAmong(db: Db, projectId: ProjectId, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const rows = await visiblePosts(db, { projectId, drafts: false, emails: false })
    .innerJoin('post_aliases', (join) => join.on('post_aliases.project_id', '=', projectId).onRef('post_aliases.post_id', '=', 'posts.id'))
    .select('post_aliases.path')
    .where('post_aliases.path', 'in', paths)
    .execute()
  return rows.map(({ path }) => path)
}

type Row = { readonly id: PostId; readonly slug: string; readonly published_at: string; readonly category_slug: string | null }

const toLinked = ({ id, slug, published_at, category_slug }: Row) => ({ id, slug, date: published_at, categorySlug: category_slug })

/** Published posts, some at a time. */
async function* linkedPosts(db: Db, projectId: ProjectId) {
  for (let after = ''; ; ) {
    const rows = await linked(db, projectId).where(sql<boolean>`posts.id > ${after}`).orderBy('posts.id').limit(postsAtOnce).execute()
    yield rows.map(toLinked)
    const last = rows.at(-1)
    if (!last || rows.length < postsAtOnce) return
    after = last.id
  }
}

/** Published posts with each of their former slugs, some at a time. */
async function* formerPosts(db: Db, projectId: ProjectId) {
  for (let after = ''; ; ) {
    const rows = await linked(db, projectId)
      .innerJoin('old_slugs', (join) => join.on('old_slugs.project_id', '=', projectId).onRef('old_slugs.post_id', '=', 'posts.id'))
      .select('old_slugs.slug as former')
      .where('old_slugs.slug', '>', after)
      .orderBy('old_slugs.slug')
      .limit(postsAtOnce)
      .execute()
    yield rows.map(({ former, ...row }) => toLinked({ ...row, slug: former }))
    const last = rows.at(-1)
    if (!last || rows.length < postsAtOnce) return
    after = last.former
  }
}
