import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/database/engine.ts'
import { listBatches, rowsThatFit } from '../../../src/maintenance/move/copy-store.ts'
import { derivedTables, movedTables, primaryKeys, transientTables } from '../../../src/maintenance/move/moved-tables.ts'
import { digestRows } from '../../../src/maintenance/move/row-digest.ts'
import { isForSearch } from '../../harness/catalogue.ts'
import { migratedDatabase, startOn } from '../../harness/given-database.ts'
import { engines } from '../../harness/harness.ts'

/** What each engine's own catalogue says. */
interface Catalogue {
  readonly tables: string
  readonly keys: string
  readonly references: string
  readonly types: string
}

const catalogues: Readonly<Record<string, Catalogue>> = {
  SQLite: {
    tables: `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and not ${isForSearch}`,
    keys: `select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and c.pk > 0 and not m.${isForSearch} order by m.name, c.pk`,
    references: `select distinct m.name as "table", f."table" as target from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
    types: `select distinct c.type as type from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and not m.${isForSearch}`,
  },
  PostgreSQL: {
    tables: `select tablename as name from pg_tables where schemaname = current_schema() and not table${isForSearch}`,
    keys: `select conrelid::regclass::text as "table", a.attname as "column" from pg_constraint, unnest(conkey) with ordinality as k(n, place) join pg_attribute a on a.attnum = k.n
      where contype = 'p' and a.attrelid = conrelid and connamespace = current_schema()::regnamespace and not con${isForSearch} order by 1, k.place`,
    references: `select distinct conrelid::regclass::text as "table", confrelid::regclass::text as target from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and not con${isForSearch}`,
    types: `select distinct data_type as type from information_schema.columns where table_schema = current_schema() and table_name in (select tablename from pg_tables) and not table_${isForSearch}`,
  },
}

for (const engine of engines)
  describe(`the tables of a move on ${engine.name}`, () => {
    const catalogue = catalogues[engine.name === 'Citus' ? 'PostgreSQL' : engine.name] as Catalogue

    async function ask<R>(statement: string): Promise<readonly R[]> {
      const { app } = await startOn(await migratedDatabase(engine))
      return (await sql.raw<R>(statement).execute(app.installation.db)).rows
    }

    it('are those of the catalogue: there is none that would be left behind', async () => {
      const names = (await ask<{ name: string }>(catalogue.tables)).map(({ name }) => name)
      expect(names.toSorted()).toEqual([...movedTables, ...transientTables, 'installation', 'migrations'].toSorted())
    })

    it('that are not moved are made from those that are', () => {
      expect(derivedTables.filter((name) => !name.startsWith('search_'))).toEqual([])
    })

    it('have the primary keys of the catalogue, in their order', async () => {
      const keys: Record<string, readonly string[]> = {}
      for (const { table, column } of await ask<{ table: string; column: string }>(catalogue.keys))
        keys[table] = [...(keys[table] ?? []), column]
      for (const table of transientTables) delete keys[table]
      const { installation, migrations, ...moved } = keys
      expect([installation, migrations]).toEqual([['id'], ['name']])
      expect(moved).toEqual(primaryKeys)
    })

    it('come after what they refer to', async () => {
      const references = await ask<{ table: never; target: never }>(catalogue.references)
      expect(references.length).toBeGreaterThan(5)
      expect(references.filter(({ table, target }) => movedTables.indexOf(target) >= movedTables.indexOf(table))).toEqual([])
    })

    it('have columns of no type but those that are known to be the same on every engine', async () => {
      const types = (await ask<{ type: string }>(catalogue.types)).map(({ type }) => type.toLowerCase())
      expect([...new Set(types)].toSorted()).toEqual(['bigint', 'integer', 'text'])
    })

    it('are read whole and in order, in batches bounded by rows and by bytes', async () => {
      const { app, projectId } = await startOn(await migratedDatabase(engine))
      const small = Array.from({ length: 1_203 }, (_, i) => ({ post_id: `post_${i % 7}`, hash: `${i}`, body: 'é' }))
      const large = Array.from({ length: 20 }, (_, i) => ({ post_id: 'post_large', hash: `${i}`, body: 'é'.repeat(512 * 1024) }))
      for (const row of [...small, ...large])
        await app.installation.engine.write((tx) =>
          tx
            .insertInto('contents')
            .values({ ...row, post_id: row.post_id as `post_${string}`, project_id: projectId })
            .execute(),
        )
      const sizes: number[] = []
      const digest = digestRows()
      for await (const rows of listBatches(app.installation.db, 'contents')) {
        sizes.push(rows.length)
        digest.add(rows)
      }
      expect(sizes).toEqual([500, 500, 203 + 7, 7, 6])
      expect(digest.result()).toEqual(await digestAtOnce(app.installation.db))
    })
  })

async function digestAtOnce(db: Db) {
  const digest = digestRows()
  digest.add(await db.selectFrom('contents').selectAll().orderBy('project_id').orderBy('post_id').orderBy('hash').execute())
  return digest.result()
}

describe('what a move reads', () => {
  it('one row is a batch, however large; none where there is none', () => {
    expect([rowsThatFit([], 10), rowsThatFit([11], 10), rowsThatFit([11, 1], 10)]).toEqual([0, 1, 1])
    expect([rowsThatFit([5, 5], 10), rowsThatFit([5, 5, 1], 10), rowsThatFit([1, 1, 100], 10)]).toEqual([2, 2, 2])
  })

  it('the order of columns does not change the hash of a row; a value, a null, an order of rows does', () => {
    const hash = (...rows: Parameters<ReturnType<typeof digestRows>['add']>[0]) => {
      const digest = digestRows()
      digest.add(rows)
      return digest.result().sha256
    }
    const all = [
      hash({ a: 1, b: null }),
      hash({ a: '1', b: null }),
      hash({ a: 1, b: '' }),
      hash({ a: 1, b: null }, { a: 1, b: null }),
      hash({ a: 1 }, { a: 2 }),
      hash({ a: 2 }, { a: 1 }),
      hash(),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(hash({ b: null, a: 1 })).toBe(all[0])
    expect(() => hash({ a: 1.5 })).toThrow('the column a has a number, which may differ between engines')
  })
})
