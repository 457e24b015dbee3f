import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Engine, ShardServers } from '../../../src/database/engine.ts'
import type { Tables } from '../../../src/database/tables.ts'
import { checkInstallation } from '../../../src/maintenance/check/check-installation.ts'
import { reindexProjects } from '../../../src/search/reindex.ts'
import type { ProjectId } from '../../../src/values/ids.ts'
import { Problem } from '../../../src/values/problems.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

/** The same database as if it were sharded, with the server of one project away. */
function asSharded(engine: Engine, away?: ProjectId): Engine {
  const unavailable = () => new Problem('database_unavailable', 'The database is unavailable.')
  const servers: ShardServers = {
    ask: async (projectId, work) => {
      if (away !== undefined && (projectId === away || projectId === undefined)) throw unavailable()
      return work(projectId)
    },
  }
  const db = (engine.db as unknown as Kysely<Tables>).withoutPlugins()
  return { ...engine, db: Object.assign(db, { engine: { ...engine.db.engine, isSharded: true, servers } }) as Db }
}

async function findingsOf(engine: Engine): Promise<readonly string[]> {
  const found: string[] = []
  for await (const finding of checkInstallation(engine)) found.push(finding)
  return found
}

/** Two projects with a post each that their words do not find. */
async function start(): Promise<{ readonly verso: TestApp; readonly other: ProjectId; readonly faults: readonly string[] }> {
  const [engine] = engines.filter(({ name }) => name === 'PostgreSQL')
  if (!engine) throw new Error('the tests know no PostgreSQL')
  const verso = await startVerso(engine)
  const { body: mine } = await verso.post('/v1/posts', { title: 'Red' })
  const other = await verso.otherProject('other')
  const { body: theirs } = await other.post('/v1/posts', { title: 'Blue' })
  await verso.app.installation.engine.write((tx) => sql`delete from search_words`.execute(tx))
  const faults = [mine.id, theirs.id].map((id) => `${id} cannot be found by its words; verso migrate --reindex makes the index anew`)
  return { verso, other: other.projectId, faults }
}

describe('verso check of a sharded database', () => {
  it('checks each project by itself, and names the one whose server is away', async () => {
    const { verso, other, faults } = await start()
    const { engine } = verso.app.installation
    expect([...(await findingsOf(asSharded(engine)))].sort()).toEqual([...faults].sort())
    await engine.write((tx) => sql`update posts set excerpt = 'x'`.execute(tx))
    const found = await findingsOf(asSharded(engine, other))
    expect(found).toContain(faults[0])
    expect(found.filter((finding) => finding.includes('differs from its latest revision'))).toHaveLength(1)
    expect(found).toContain('the project other cannot be read whole: database_unavailable: The database is unavailable.')
    expect(found).not.toContain(faults[1])
  })

  it('verso migrate --reindex: makes the index of every project, and leaves out the one whose server is away', async () => {
    const { verso, other, faults } = await start()
    const { engine } = verso.app.installation
    const projects = [other, verso.projectId]
    expect(await reindexProjects(asSharded(engine, other), projects)).toEqual([other])
    expect(await findingsOf(engine)).toEqual([faults[1]])
    expect(await reindexProjects(asSharded(engine), projects)).toEqual([])
    expect(await findingsOf(engine)).toEqual([])
  })
})
