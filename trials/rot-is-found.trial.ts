import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { openEngine } from '../src/app/installation.ts'
import { realContext } from '../src/context.ts'
import type { Engine } from '../src/database/engine.ts'
import { checkInstallation } from '../src/maintenance/check/check-installation.ts'
import { unobserved } from '../src/values/observations.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { startVerso, type TestApp } from '../test/harness/harness.ts'
import { findingsOf } from './disk/installation.ts'
import { scratchFolder } from './disk/service.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { type TrialRun, trial } from './harness/trial.ts'

interface Size {
  readonly flips: number
  readonly posts: number
}

/** Tables whose rows are content, by the column that names the post they belong to. */
const ofPosts = {
  posts: 'id',
  contents: 'post_id',
  post_revisions: 'post_id',
  post_tags: 'post_id',
  post_aliases: 'post_id',
  old_slugs: 'post_id',
} as const
const others = [
  'projects',
  'project_state',
  'authors',
  'categories',
  'tags',
  'media',
  'changes',
  'post_counts',
  'preview_tokens',
  'pending_edits',
  'sources',
  'api_keys',
] as const

/** Content of every kind. */
async function fill(verso: TestApp, posts: number): Promise<void> {
  const admin = { key: await verso.keyWith('admin') }
  const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', bio: 'Sails.', email: 'ada@example.com' }, admin)
  const { body: category } = await verso.post('/v1/admin/categories', { name: 'Log', description: 'Days at sea.' }, admin)
  const picture = { url: 'https://a.example/b.png', filename: 'b.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: 'A boat' }
  for (let i = 0; i < posts / 10; i++) await verso.post('/v1/media', picture)
  for (let i = 0; i < posts; i++) {
    const about = { excerpt: `About ${i}`, seo: { description: `Found ${i}` }, authorId: author.id, categoryId: category.id }
    const { body } = await verso.post('/v1/posts', {
      title: `Post ${i}`,
      content: `Day ${i}. `.repeat(200),
      tags: ['Sea', `Tag ${i % 9}`],
      aliases: [`/old/${i}`],
      status: 'published',
      ...about,
    })
    if (i % 2 === 0) await verso.patch(`/v1/posts/${body.id}`, { slug: `renamed-${i}`, content: `Night ${i}. `.repeat(150) })
    if (i % 3 === 0) await verso.patch(`/v1/posts/${body.id}/pending`, { title: `Pending ${i}` })
    if (i % 5 === 0) await verso.delete(`/v1/posts/${body.id}`)
  }
}

/** What a file holds, by post, and all the rest; what cannot be read is `damaged`. Reads row by row, not as `verso check` does. */
function contentOf(path: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const read = (name: string, work: () => unknown) => {
    try {
      found.set(name, JSON.stringify(work()))
    } catch {
      found.set(name, 'damaged')
    }
  }
  let database: Database.Database | undefined
  try {
    database = new Database(path, { readonly: true })
  } catch {
    return found
  }
  const all = (query: string, ...values: string[]) =>
    database
      ?.prepare(query)
      .raw()
      .all(...values)
  for (const id of ids)
    read(id, () =>
      Object.entries(ofPosts).map(([table, column]) => all(`select * from ${table} where ${column} = ? order by 1, 2, 3, 4`, id)),
    )
  for (const table of Object.keys(ofPosts)) read(`table ${table}`, () => all(`select * from ${table} order by 1, 2, 3, 4`))
  for (const table of others) read(`table ${table}`, () => all(`select * from ${table} order by 1, 2, 3`))
  database.close()
  return found
}

interface Rot {
  flips: number
  changed: number
  unreported: number
  unnamed: number
  reportedOnly: number
}

function judge(rot: Rot, changed: readonly string[], findings: readonly string[]): void {
  rot.flips++
  if (changed.length === 0) {
    if (findings.length > 0) rot.reportedOnly++
    return
  }
  rot.changed++
  if (findings.length === 0) rot.unreported++
  const posts = changed.filter((name) => name.startsWith('post_'))
  // Where the database cannot even be opened, or its schema cannot be read, no post can be named.
  const isClosed = findings.some((finding) => /cannot be opened|malformed database schema|no such table/.test(finding))
  if (!isClosed && posts.some((id) => !findings.some((finding) => finding.includes(id)))) rot.unnamed++
}

type Run = Pick<TrialRun<Size, TestEngine>, 'engine' | 'size' | 'random'>

/** Flips one bit in each copy of the file. */
async function flipBitsInFile({ engine, size, random }: Run, check: (path: string) => Promise<readonly string[]>): Promise<Rot> {
  const folder = scratchFolder()
  const [whole, copy] = [join(folder, 'whole.db'), join(folder, 'copy.db')]
  const verso = await startVerso(engine)
  await fill(verso, size.posts)
  await verso.app.installation.engine.migrate((schema) => sql`pragma user_version = 0`.execute(schema))
  const ids = (await verso.app.installation.db.selectFrom('posts').select('id').execute()).map(({ id }) => id)
  const { file } = (
    await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(verso.app.installation.db)
  ).rows[0] ?? { file: '' }
  const source = new Database(file)
  source.prepare('vacuum into ?').run(whole)
  source.close()
  const before = contentOf(whole, ids)
  const rot: Rot = { flips: 0, changed: 0, unreported: 0, unnamed: 0, reportedOnly: 0 }
  for (let flip = 0; flip < size.flips; flip++) {
    for (const each of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(each, { force: true })
    copyFileSync(whole, copy)
    flipBit(copy, random)
    const after = contentOf(copy, ids)
    const changed = [...before.keys()].filter((name) => before.get(name) !== after.get(name))
    judge(rot, changed, await check(copy))
  }
  return rot
}

function flipBit(path: string, random: SeededRandom): void {
  const at = random.int(statSync(path).size)
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ (1 << random.int(8))
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
}

const uniqueViolation = '23505'

/** Columns of texts in which PostgreSQL is made to forget a letter: its pages have checksums of their own, which are the server's. */
const texts = {
  posts: ['title', 'excerpt', 'slug', 'tags', 'seo_description', 'published_at', 'created_at', 'content_hash'],
  contents: ['body', 'hash'],
  post_revisions: ['snapshot', 'actor', 'created_at', 'content_hash'],
  post_tags: ['name', 'status'],
  post_aliases: ['path'],
  old_slugs: ['slug'],
} as const

/** Changes one letter of one row, checks, and puts it back. */
async function flipLettersByQuery({ engine, size, random }: Run, check: (engine: Engine) => Promise<readonly string[]>): Promise<Rot> {
  const verso = await startVerso(engine)
  await fill(verso, size.posts)
  const database = verso.app.installation.engine
  const rot: Rot = { flips: 0, changed: 0, unreported: 0, unnamed: 0, reportedOnly: 0 }
  while (rot.flips < size.flips) {
    const table = random.pick(Object.keys(texts) as (keyof typeof texts)[])
    const column = random.pick(texts[table] as readonly string[])
    const id = sql.ref(ofPosts[table])
    const { rows } = await sql<{
      id: string
      place: string
      value: string
    }>`select ${id} as id, ctid::text as place, ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} <> ''`.execute(
      database.db,
    )
    const row = random.pick(rows)
    const at = random.int(row.value.length)
    const other = String.fromCharCode(row.value.charCodeAt(at) ^ 1)
    const changed = `${row.value.slice(0, at)}${other}${row.value.slice(at + 1)}`
    const undone = new Error('undone')
    const seen: (readonly string[])[] = []
    await database
      .migrate(async (schema) => {
        await sql`set local session_replication_role = replica`.execute(schema)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${changed} where ctid = ${row.place}::tid`.execute(schema)
        // Nobody else sees the flip.
        const db = Object.assign(schema, { engine: database.db.engine }) as unknown as Engine['db']
        seen.push(await check({ ...database, db, longRead: (_, work) => work(db), check: async () => [] }))
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone && !(error instanceof pg.DatabaseError && error.code === uniqueViolation)) throw error
      })
    // A unique key refuses a letter that makes two rows alike. Another is changed then.
    if (seen[0] !== undefined) judge(rot, [row.id], seen[0])
  }
  return rot
}

async function findings(engine: Engine): Promise<readonly string[]> {
  const found: string[] = []
  for await (const finding of checkInstallation(engine)) found.push(finding)
  return found
}

trial<Size>({
  name: 'rot-is-found',
  promise: 'Bits that change on the disk are found by verso check, which names the posts.',
  over: 'engines',
  sizes: { test: { flips: 5, posts: 10 }, short: { flips: 60, posts: 20 }, full: { flips: 300, posts: 120 } },
  minutes: { short: 3, full: 10 },
  async run({ figure, note, ...run }) {
    const isFile = run.engine.name === 'SQLite'
    const rot = await (isFile ? flipBitsInFile(run, (path) => findingsOf({ kind: 'sqlite', path })) : flipLettersByQuery(run, findings))
    figure('flips that changed content and were not reported', rot.unreported, { exactly: 0 })
    figure('flips that changed posts of which one was not named', rot.unnamed, { exactly: 0 })
    figure('flips', rot.flips)
    figure('flips that changed content', rot.changed)
    if (!isFile) note('over PostgreSQL, a flip is an update of one letter: its pages have checksums of their own')
    if (isFile) figure('flips reported beside them: in indexes for searches, and in the structure of the file', rot.reportedOnly)
  },
  controls: {
    async 'the check of the database engine alone is seen to miss changes'(run) {
      const byEngine = async (path: string) => {
        const engine = await openEngine({ kind: 'sqlite', path }, realContext, unobserved).catch(() => undefined)
        const found = engine ? await engine.check().catch((error: unknown) => [String(error)]) : ['cannot be opened']
        await engine?.close()
        return found
      }
      const few = { ...run, size: { ...run.size, flips: Math.max(20, run.size.flips) } }
      const rot = await (run.engine.name === 'SQLite' ? flipBitsInFile(few, byEngine) : flipLettersByQuery(run, (engine) => engine.check()))
      return rot.unreported
    },
  },
})
