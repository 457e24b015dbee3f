import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInstallation } from '../../../src/maintenance/check/check-installation.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

/** Tables whose rows are content, and the column that names the post of a row. */
const tables: Readonly<Record<string, string | undefined>> = {
  posts: 'id',
  contents: 'post_id',
  post_revisions: 'post_id',
  post_tags: 'post_id',
  post_aliases: 'post_id',
  old_slugs: 'post_id',
  preview_tokens: 'post_id',
  pending_edits: 'post_id',
  projects: undefined,
  project_state: undefined,
  authors: undefined,
  categories: undefined,
  tags: undefined,
  media: undefined,
  changes: undefined,
  sources: undefined,
  api_keys: undefined,
}

async function findings({ app }: TestApp): Promise<readonly string[]> {
  const found: string[] = []
  for await (const finding of checkInstallation(app.installation.engine)) found.push(finding)
  return found
}

/** A row of every table, with all that it can hold. */
async function fill(verso: TestApp): Promise<void> {
  const admin = { key: await verso.keyWith('admin') }
  const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', bio: 'B', email: 'a@example.com' }, admin)
  const { body: category } = await verso.post('/v1/admin/categories', { name: 'Log', description: 'D' }, admin)
  const picture = { url: 'https://a.example/b.png', filename: 'b.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: 'A' }
  await verso.post('/v1/media', picture)
  const seo = { title: 'T', description: 'D', canonicalUrl: 'https://a.example/', ogImage: 'https://a.example/b.png' }
  const about = { content: 'Text', excerpt: 'E', tags: ['News'], aliases: ['/old'], seo, authorId: author.id, categoryId: category.id }
  const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published', ...about })
  await verso.patch(`/v1/posts/${post.id}`, { slug: 'renamed' })
  await verso.patch(`/v1/posts/${post.id}/pending`, { content: 'Later' })
  await verso.post(`/v1/posts/${post.id}/preview-tokens`, { name: 'P' })
}

for (const engine of engines.filter(({ name }) => name === 'SQLite'))
  describe(`verso check on ${engine.name}`, () => {
    it('finds a text of which one bit has made bytes, in every column of every table, and names the post', async () => {
      const verso = await startVerso(engine)
      await fill(verso)
      expect(await findings(verso)).toEqual([])
      const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(
        verso.app.installation.db,
      )
      const file = new Database(rows[0]?.file)
      file.pragma('foreign_keys = off')
      const missed: string[] = []
      let tried = 0
      for (const [table, ofPost] of Object.entries(tables)) {
        // What an index holds, too, SQLite compares with it.
        const indexed = `select key.name from pragma_index_list('${table}') as list, pragma_index_info(list.name) as key`
        const texts = `select name from pragma_table_info('${table}') where lower(type) = 'text' and name not in (${indexed})`
        const columns = file.prepare(texts).pluck().all()
        for (const column of columns) {
          const row = file.prepare(`select rowid, * from ${table} where ${column} is not null`).get() as
            | { readonly rowid: number; readonly [column: string]: unknown }
            | undefined
          const change = (type: string) => file.prepare(`update ${table} set ${column} = cast(${column} as ${type}) where rowid = ?`)
          if (!row) continue
          tried++
          change('blob').run(row.rowid)
          const found = await findings(verso)
          const named = ofPost && column !== ofPost ? String(row[ofPost]) : ''
          if (!found.some((finding) => finding.includes(named))) missed.push(`${table}.${column}`)
          change('text').run(row.rowid)
        }
      }
      expect(missed).toEqual([])
      expect(tried).toBeGreaterThan(50)
      file.close()
    })
  })
