import { type QueryExecutorProvider, sql } from 'kysely'
import { placements } from '../../src/database/tables/placements.ts'

/** A table as the engine's own catalogue describes it. */
export interface TableFacts {
  readonly name: string
  readonly columns: readonly ColumnFacts[]
  /** Every index with its kind and its columns in order. */
  readonly indexes: readonly { readonly name: string; readonly kind: 'primary' | 'unique' | 'plain'; readonly columns: readonly string[] }[]
  readonly references: readonly { readonly columns: readonly string[]; readonly table: string; readonly to: readonly string[] }[]
}

export interface ColumnFacts {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Missing where the engine has no collations, or the column has the database's. */
  readonly collation: string | null
}

type Catalogue = (db: QueryExecutorProvider) => Promise<readonly TableFacts[]>

/** Not checked: what each engine searches by. Those are tables named `search_…`, and indexes without an order of columns. */
export const isForSearch = `name like 'search\\_%' escape '\\'`

const onPostgres: Catalogue = async (db) => {
  const { rows } = await sql<TableFacts>`
    select c.relname as name,
      (select json_agg(json_build_object('name', column_name, 'type', data_type, 'nullable', is_nullable = 'YES', 'collation', collation_name) order by ordinal_position)
       from information_schema.columns where table_schema = current_schema() and table_name = c.relname) as columns,
      coalesce((select json_agg(json_build_object('name', i.indexrelid::regclass::text,
          'kind', case when i.indisprimary then 'primary' when i.indisunique then 'unique' else 'plain' end,
          'columns', (select json_agg(coalesce(a.attname, 'expression') order by k.place) from unnest(i.indkey) with ordinality as k(number, place)
                      left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number)))
       from pg_index i join pg_class k on k.oid = i.indexrelid join pg_am m on m.oid = k.relam where i.indrelid = c.oid and m.amname = 'btree'), '[]') as indexes,
      coalesce((select json_agg(json_build_object('table', f.confrelid::regclass::text,
          'columns', (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality as k(number, place)
                      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number),
          'to', (select json_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality as k(number, place)
                 join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number)))
       from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), '[]') as "references"
    from pg_class c where c.relkind = 'r' and not c.rel${sql.raw(isForSearch)} and c.relnamespace = current_schema()::regnamespace order by c.relname collate "C"
  `.execute(db)
  return rows
}

const onSqlite: Catalogue = async (db) => {
  const { rows } = await sql<{ name: string; columns: string; indexes: string; references: string }>`
    select t.name,
      (select json_group_array(json_object('name', name, 'type', lower(type), 'nullable', json(iif("notnull" or pk, 'false', 'true')), 'collation', null)) from pragma_table_info(t.name)) as columns,
      (select json_group_array(json_object('name', i.name, 'kind', case when i.origin = 'pk' then 'primary' when i."unique" then 'unique' else 'plain' end,
          'columns', (select json_group_array(coalesce(name, 'expression')) from (select name from pragma_index_info(i.name) order by seqno))))
       from pragma_index_list(t.name) as i) as indexes,
      (select json_group_array(json_object('table', f."table",
          'columns', (select json_group_array("from") from (select "from" from pragma_foreign_key_list(t.name) where id = f.id order by seq)),
          'to', (select json_group_array("to") from (select "to" from pragma_foreign_key_list(t.name) where id = f.id order by seq))))
       from pragma_foreign_key_list(t.name) as f where f.seq = 0) as "references"
    from sqlite_master as t where t.type = 'table' and t.name not like 'sqlite_%' and not t.${sql.raw(isForSearch)} order by t.name
  `.execute(db)
  return rows.map(({ name, columns, indexes, references }) => ({
    name,
    columns: JSON.parse(columns),
    indexes: JSON.parse(indexes),
    references: JSON.parse(references),
  }))
}

export const catalogues: Readonly<Record<string, Catalogue>> = { SQLite: onSqlite, PostgreSQL: onPostgres, Citus: onPostgres }

/** Every key, index and reference of a table that does not lead with the project. */
export function keysThatDoNotShard({ name, indexes, references }: TableFacts): readonly string[] {
  if (isCentral(name)) return []
  const keys = indexes.filter(({ columns }) => columns[0] !== 'project_id').map((index) => `${name}: ${index.kind} key ${index.columns}`)
  const leads = ({ columns, table, to }: TableFacts['references'][number]) =>
    columns[0] === 'project_id' && to[0] === (table === 'projects' ? 'id' : 'project_id')
  const astray = references.filter((each) => !leads(each)).map((each) => `${name}: reference ${each.columns} to ${each.table}`)
  const keyless = indexes.some(({ kind }) => kind === 'primary') ? [] : [`${name}: no primary key`]
  return [...keys, ...astray, ...keyless]
}

function isCentral(table: string): boolean {
  const places: Readonly<Record<string, string>> = placements
  return places[table] === 'central'
}
