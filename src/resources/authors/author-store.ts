import type { Selectable } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { AuthorTable } from '../../database/tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { type AuthorId, isId, type ProjectId } from '../../values/ids.ts'
import type { Author } from './author.ts'
import type { authorList } from './author-schema.ts'

const sortColumns: SortColumns<(typeof authorList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
}

export async function findAuthor(db: Db, sight: Sight, id: string): Promise<Author | undefined> {
  if (!isId('auth', id)) return undefined
  const row = await authors(db, sight).where('authors.id', '=', id).executeTakeFirst()
  return row && toAuthor(row, sight)
}

/** The authors with these ids, in no order. */
export async function findAuthors(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly Author[]> {
  const rows = await authors(db, sight)
    .where('authors.id', 'in', ids as readonly AuthorId[])
    .execute()
  return rows.map((row) => toAuthor(row, sight))
}

/** The author with exactly this name; of several, the oldest. */
export async function findAuthorByName(db: Db, sight: Sight, name: string): Promise<Author | undefined> {
  const row = await authors(db, sight).where('authors.name', '=', name).orderBy('authors.id').limit(1).executeTakeFirst()
  return row && toAuthor(row, sight)
}

export async function listAuthors(db: Db, sight: Sight, plan: ListPlan<typeof authorList>): Promise<Page<Author>> {
  return listPage(authors(db, sight), plan, orderTerms('authors', plan.sort, sortColumns), (row) => toAuthor(row, sight))
}

export async function insertAuthor(tx: Tx, projectId: ProjectId, author: Author): Promise<void> {
  await tx.insertInto('authors').values(toRow(projectId, author)).execute()
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

/** Every read of an author goes through here, so this is where the e-mail address is hidden. */
function toAuthor(row: Selectable<AuthorTable>, { emails }: Sight): Author {
  return {
    id: row.id,
    name: row.name,
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
