import type { Kysely } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/** Whether the installation takes writes, and the move that it is part of. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  const table = () => db.schema.alterTable('installation')
  await table()
    .addColumn('state', text, (c) => c.notNull().defaultTo('open'))
    .execute()
  await table().addColumn('move', text).execute()
  await table().addColumn('moved_to', text).execute()
}
