import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findProject } from '../../../src/resources/projects/project-store.ts'
import { emptyDatabase, migratedDatabase, serveFrom, startOn } from '../../harness/given-database.ts'
import { engines, type Requests, type TestEngine } from '../../harness/harness.ts'
import { importInto } from '../../import/import-fixture.ts'
import { everyRow, moveFrom, shown } from './move-fixture.ts'

const folder = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const expectedPath = join(folder, 'expected.json')
const [sqlite, postgres] = engines as [TestEngine, TestEngine]

it.runIf(existsSync(expectedPath))(
  'the imported blogs, moved from SQLite to PostgreSQL and back: every list and post is the same, byte for byte',
  async () => {
    const [from, there, back] = [await migratedDatabase(sqlite), await emptyDatabase(postgres), await emptyDatabase(sqlite)]
    const source = await startOn(from)
    const keys: string[] = []
    const blogs = Object.keys(JSON.parse(readFileSync(expectedPath, 'utf8')).blogs)
    for (const blog of blogs) {
      const { secret, public: open } = await source.otherProject(blog)
      const project = await findProject(source.app.installation.db, blog)
      if (project) await importInto({ app: source.app, projectId: project.id }, join(folder, blog))
      keys.push(secret, open)
    }
    const before = await everyPage(source, keys)
    const rows = await everyRow(from)
    expect(before.length).toBeGreaterThan(2_000)

    await moveFrom(from, there)
    expect(await everyPage(await serveFrom(there, source.context, source.secret), keys)).toEqual(before)
    await moveFrom(there, back)
    expect(await everyPage(await serveFrom(back, source.context, source.secret), keys)).toEqual(before)
    expect(await everyRow(back)).toEqual(rows)
  },
  600_000,
)

/** Every page of every list, and every post that is on one. */
async function everyPage(api: Requests, keys: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = []
  const headers = { 'x-request-id': 'the-same' }
  const get = async (path: string, key: string) => {
    const answer = await api.get(path, { key, headers })
    seen.push(shown(path, answer))
    return answer
  }
  for (const key of keys)
    for (const list of ['posts', 'authors', 'categories', 'tags']) {
      for (let next = `/v1/${list}?limit=100`; next !== ''; ) {
        const { headers, body } = await get(next, key)
        if (list === 'posts') for (const { slug } of body.data) await get(`/v1/posts/${slug}`, key)
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
      }
    }
  return seen
}
