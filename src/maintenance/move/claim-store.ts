import type { Kysely } from 'kysely'
import type { InstallationTable, Tables } from '../../database/tables.ts'
import { UnsupportedDatabase } from '../../database/unsupported-database.ts'
import { deleteRows, hasRows } from './copy-store.ts'
import { movedTables } from './moved-tables.ts'

/** What the database of a transaction that has just migrated it says of itself. */
export async function findClaim(schema: Kysely<unknown>): Promise<InstallationTable | undefined> {
  return withTables(schema).selectFrom('installation').selectAll().executeTakeFirst()
}

/** Takes hold of a database in which nothing is. Nobody can use what it holds from now on, until the move opens it. */
export async function claimEmpty(
  schema: Kysely<unknown>,
  { place, mark }: { readonly place: string; readonly mark: string },
): Promise<void> {
  for (const table of movedTables)
    if (await hasRows(schema, table)) throw new UnsupportedDatabase(`${place} is not empty: there are rows in its table ${table}.`)
  // What makes it the same installation as the source comes last, when it is opened.
  const row: InstallationTable = {
    id: 1,
    epoch: '',
    created_at: '' as InstallationTable['created_at'],
    state: 'incomplete',
    move: mark,
    moved_to: null,
  }
  await withTables(schema).insertInto('installation').values(row).execute()
}

/** Takes hold of what another move has left, and throws that away. */
export async function claimPartial(schema: Kysely<unknown>, mark: string): Promise<void> {
  await withTables(schema).updateTable('installation').set({ move: mark }).execute()
  await deleteRows(withTables(schema), movedTables)
}

function withTables(schema: Kysely<unknown>): Kysely<Tables> {
  return schema as Kysely<Tables>
}
