import { expect, it } from 'vitest'
import { findProject } from '../../../src/resources/projects/project-store.ts'
import { emptyDatabase, migratedDatabase, serveFrom, startOn } from '../../harness/given-database.ts'
import { engines, type Requests, type TestEngine } from '../../harness/harness.ts'
import { realBlogs, withoutBlogs } from '../../harness/real-blogs.ts'
import { countText, soakStride } from '../../harness/soak.ts'
import { importInto } from '../../import/import-fixture.ts'
import { everyRow, moveFrom, shown } from './move-fixture.ts'

const [sqlite, postgres] = engines as [TestEngine, TestEngine]

/** All of them in a soak, otherwise every sixth. */
const blogs = realBlogs.filter((_, i) => i % Math.min(6, soakStride) === 0)

if (realBlogs.length === 0) it.skip(`real blogs are moved: ${withoutBlogs}`)
it.runIf(realBlogs.length > 0)(
  'the imported blogs, moved from SQLite to PostgreSQL and back: every list and post is the same, byte for byte',
  { tags: ['soak'], timeout: 600_000 },
  async ({ annotate }) => {
    const [from, there, back] = [await migratedDatabase(sqlite), await emptyDatabase(postgres), await emptyDatabase(sqlite)]
    const source = await startOn(from)
    const keys: string[] = []
    for (const [blog, , folder] of blogs) {
      const { secret, public: open } = await source.otherProject(blog)
      const project = await findProject(source.app.installation.db, blog)
      if (project) await importInto({ app: source.app, projectId: project.id }, folder)
      keys.push(secret, open)
    }
    const before = await everyPage(source, keys)
    const rows = await everyRow(from)
    expect(before.length).toBeGreaterThan(10 * blogs.length)

    await moveFrom(from, there)
    expect(await everyPage(await serveFrom(there, source.context, source.secret), keys)).toEqual(before)
    await moveFrom(there, back)
    expect(await everyPage(await serveFrom(back, source.context, source.secret), keys)).toEqual(before)
    expect(await everyRow(back)).toEqual(rows)
    await annotate(`${blogs.length} blogs moved there and back, ${countText(before.length)} responses the same each time`)
  },
)

/** Every page of every list, and the posts that are on one: all of them in a soak, otherwise every tenth. */
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
        if (list === 'posts')
          for (const { slug } of body.data.filter((_: unknown, i: number) => i % soakStride === 0)) await get(`/v1/posts/${slug}`, key)
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
      }
    }
  return seen
}
