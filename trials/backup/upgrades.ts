import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { listBatches } from '../../src/maintenance/move/copy-store.ts'
import { movedTables } from '../../src/maintenance/move/moved-tables.ts'
import { digestRows } from '../../src/maintenance/move/row-digest.ts'
import { startOn } from '../../test/harness/given-database.ts'
import { nextSchema } from '../../test/harness/next-schema.ts'
import { withEngine } from '../../test/maintenance/move/move-fixture.ts'

/** A folder that is gone when the trial is over. */
export function trialFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'verso-trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Fills a database with so many rows: posts with contents and revisions, each a copy of one of a few with a name of its own. */
export async function fillWithRows(address: DatabaseAddress, rows: number): Promise<void> {
  const verso = await startOn(address)
  const originals = 20
  for (let i = 0; i < originals; i++)
    await verso.post('/v1/posts', { title: `Post ${i}`, content: `Some words, and number ${i}. `.repeat(20), status: 'published' })
  const copies = Math.ceil(rows / 3 / originals)
  await verso.app.installation.engine.alone(async (tx) => {
    for (const [table, id] of [
      ['posts', 'id'],
      ['contents', 'post_id'],
      ['post_revisions', 'post_id'],
    ] as const) {
      const columns = (await tx.introspection.getTables()).find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
      const values = columns.map((column) =>
        column === id || (table === 'posts' && column === 'slug')
          ? sql`${sql.ref(`t.${column}`)} || ${sql.lit(column === 'slug' ? '-x' : 'x')} || cast(n.i as text)`
          : sql.ref(`t.${column}`),
      )
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(copies)})
        select ${sql.join(values)} from ${sql.table(table)} t cross join n`.execute(tx)
    }
  })
  await verso.app.stop()
}

export interface Upgrading {
  readonly stdout: () => string
  /** The first migration has begun. */
  readonly begun: Promise<void>
  /** It has printed a text. */
  said(text: string): Promise<void>
  kill(): void
  /** The exit code; null for one that was killed. */
  readonly ended: Promise<number | null>
}

/** Starts the upgrade to the next schema in a process of its own. */
export function startUpgrade(database: DatabaseAddress, upgradeBackup: string): Upgrading {
  const input = JSON.stringify({ database, upgradeBackup, ...nextSchema })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'upgrade-child.js'), input], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (stdout += chunk))
  const ended = new Promise<number | null>((end) => child.on('close', end))
  const said = (text: string) => new Promise<void>((found) => child.stdout.on('data', () => stdout.includes(text) && found()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    stdout: () => stdout,
    begun: said('migrating to'),
    said,
    kill: () => void child.kill('SIGKILL'),
    ended,
  }
}

/** What a database holds: `old` or `new` schema whole, `half` of one, or rows that are not those of before. */
export interface Found {
  readonly schema: 'old' | 'new' | 'half'
  readonly isIndexed: boolean
  readonly lostTables: number
}

/** The hash of every table, without the column that the next schema adds. */
export async function digestsOf(address: DatabaseAddress): Promise<ReadonlyMap<string, string>> {
  return withEngine(address, async ({ db }) => {
    const digests = new Map<string, string>()
    for (const table of movedTables) {
      const digest = digestRows()
      for await (const rows of listBatches(db, table)) digest.add(rows.map(({ subtitle, ...row }) => row))
      digests.set(table, digest.result().sha256)
    }
    return digests
  })
}

/** Opens the database, which lets the engine undo what was interrupted, and compares. */
export async function inspect(address: DatabaseAddress, before: ReadonlyMap<string, string>): Promise<Found> {
  const { schema, isIndexed } = await withEngine(address, async ({ db }) => {
    const tables = await db.introspection.getTables()
    const has = (table: string) => tables.some(({ name }) => name === table)
    const { rows } = await sql<{ name: string; reindex: number }>`select name, reindex from migrations`.execute(db)
    const marked = rows.find(({ name }) => name === nextSchema.name)
    const hasColumn = tables.find(({ name }) => name === 'posts')?.columns.some(({ name }) => name === 'subtitle') ?? false
    const count = async (from: string) =>
      Number((await sql.raw<{ n: number | string }>(`select count(*) as n from ${from}`).execute(db)).rows[0]?.n)
    const isIndexed = marked?.reindex !== 1
    if (!has('series') && !hasColumn && !marked) return { schema: 'old', isIndexed } as const
    if (!has('series') || !hasColumn || !marked) return { schema: 'half', isIndexed } as const
    const posts = await count('posts')
    const isWhole = posts === (await count('series')) && posts === (await count(`posts where subtitle = 'about ' || title`))
    return { schema: isWhole ? 'new' : 'half', isIndexed } as const
  })
  const after = await digestsOf(address)
  return { schema, isIndexed, lostTables: [...before].filter(([table, digest]) => after.get(table) !== digest).length }
}
