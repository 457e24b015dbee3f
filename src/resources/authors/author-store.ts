import type { Selectable } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { withHash } from '../../database/row-hash.ts'
import type { AuthorTable } from '../../database/tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { countAsked, onPage, type Page, toPage } from '../../lists/page-query.ts'
import { countOf } from '../../lists/post-count-store.ts'
import { orderBy, orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { type AuthorId, isId, type ProjectId } from '../../values/ids.ts'
import type { Author } from './author.ts'
import type { Author as AuthorBody, authorList } from './author-schema.ts'

const sortColumns: SortColumns<(typeof authorList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
}

/** The author with this id or slug. */
export async function findAuthor(db: Db, sight: Sight, idOrSlug: string): Promise<Author | undefined> {
  const row = await authors(db, sight)
    .where(isId('auth', idOrSlug) ? 'authors.id' : 'authors.slug', '=', idOrSlug)
    .executeTakeFirst()
  return row && toAuthor(row, sight)
}

/** The representation of the author with this id or slug. */
export async function findAuthorBody(db: Db, sight: Sight, idOrSlug: string): Promise<AuthorBody | undefined> {
  const column = isId('auth', idOrSlug) ? 'authors.id' : 'authors.slug'
  const row = await counted(db, sight).where(column, '=', idOrSlug).executeTakeFirst()
  return row && toBody(row, sight)
}

/** The authors with these ids, in no order. */
export async function findAuthors(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly Author[]> {
  const rows = await authors(db, sight)
    .where('authors.id', 'in', ids as readonly AuthorId[])
    .execute()
  return rows.map((row) => toAuthor(row, sight))
}

/** The authors with exactly these names, the oldest first. */
export async function findAuthorsByName(db: Db, sight: Sight, names: readonly string[]): Promise<readonly Author[]> {
  if (names.length === 0) return []
  const rows = await authors(db, sight).where('authors.name', 'in', names).orderBy('authors.id').execute()
  return rows.map((row) => toAuthor(row, sight))
}

/** A page of authors. */
export async function listAuthors(db: Db, sight: Sight, plan: ListPlan<typeof authorList>): Promise<Page<AuthorBody>> {
  const terms = orderTerms('authors', plan.sort, sortColumns)
  const found = authors(db, sight)
  const rows = await counted(db, sight)
    .where('authors.id', 'in', onPage(found.clearSelect(), plan, terms).select('authors.id'))
    .orderBy(orderBy(terms))
    .execute()
  return toPage(rows, plan, terms, { total: await countAsked(found, plan), toItem: (row) => toBody(row, sight) })
}

/** False if another author has the slug; nothing is written then. */
export async function insertAuthor(tx: Tx, projectId: ProjectId, author: Author): Promise<boolean> {
  const inserted = await tx
    .insertInto('authors')
    .values(toRow(projectId, author))
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows !== 0n
}

/** Inserts authors whose slugs are free. */
export async function insertAuthors(tx: Tx, projectId: ProjectId, authors: readonly Author[]): Promise<void> {
  await insertRows(
    tx,
    'authors',
    authors.map((author) => toRow(projectId, author)),
  )
}

/** Writes a changed author over the version it was made from. False if another write was faster. */
export async function saveAuthor(tx: Tx, projectId: ProjectId, before: Author, after: Author): Promise<boolean> {
  const { project_id, id, created_at, ...changing } = toRow(projectId, after)
  const updated = await tx
    .updateTable('authors')
    .set(changing)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', before.version)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

function authors(db: Db, { projectId }: Sight) {
  return db.selectFrom('authors').selectAll().where('authors.project_id', '=', projectId)
}

/** Authors, each with the number of posts that the caller may see. */
function counted(db: Db, sight: Sight) {
  return authors(db, sight).select(countOf(db, sight, { dimension: 'author', column: 'authors.id' }).as('post_count'))
}

function toBody({ post_count, ...row }: Awaited<ReturnType<ReturnType<typeof counted>['execute']>>[number], sight: Sight): AuthorBody {
  const { createdAt, updatedAt, version, ...author } = toAuthor(row, sight)
  return { ...author, postCount: post_count ?? 0, createdAt, updatedAt, version }
}

/** Every read of an author goes through here, so this is where the e-mail address is hidden. */
function toAuthor(row: Selectable<AuthorTable>, { emails }: Sight): Author {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    email: emails ? row.email : null,
    bio: row.bio,
    avatarUrl: row.avatar_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

function toRow(projectId: ProjectId, { avatarUrl, createdAt, updatedAt, ...author }: Author) {
  return withHash('authors', { project_id: projectId, avatar_url: avatarUrl, created_at: createdAt, updated_at: updatedAt, ...author })
}
