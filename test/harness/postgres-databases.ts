import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The beginning of the name of every database that a test makes. */
export const prefix = 'verso_test_'

/** Makes a database as a copy of another one on the server, and returns its URL. */
export async function copyDatabase(server: string, template: string): Promise<string> {
  const name = `${prefix}${randomBytes(8).toString('hex')}`
  await runStatement(server, `create database ${name} template ${template}`)
  return withName(server, name)
}

/** The URL of another database on the server. */
export function withName(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

export async function dropDatabase(server: string, url: string): Promise<void> {
  await runStatement(server, `drop database ${nameOf(url)} with (force)`)
}

export async function dropTestDatabases(server: string): Promise<void> {
  const rows = await runStatement(server, `select datname from pg_database where starts_with(datname, '${prefix}')`)
  for (const { datname } of rows) await runStatement(server, `drop database ${datname} with (force)`)
}

/**
 * Returns a function that deletes every row, and leaves the schema as it is. Its connection stays open, unless a test ends it: a new one would
 * have to learn of every table again.
 */
export function openEmptying(url: string): () => Promise<void> {
  let open: pg.Client | undefined
  return async () => {
    if (open === undefined) {
      const client = new pg.Client(url)
      client.on('error', () => {
        open = undefined
      })
      await client.connect()
      await client.query('set session_replication_role = replica')
      open = client
    }
    await open.query(
      `do $$ declare name text; begin
         for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
           execute format('delete from %I', name);
         end loop;
       end $$`,
    )
  }
}

export async function runStatement(url: string, statement: string): Promise<readonly pg.QueryResultRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
