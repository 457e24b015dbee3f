import { findProgress } from '../../actions/change-log/change-log-store.ts'
import { messageOf } from '../../context.ts'
import type { Db, Engine } from '../../database/engine.ts'
import { listWrongCounts } from '../../lists/post-count-store.ts'
import type { Project } from '../../resources/projects/project.ts'
import { listProjects } from '../../resources/projects/project-store.ts'
import { listStalePosts } from '../../search/stale-word-store.ts'
import type { ProjectId } from '../../values/ids.ts'
import { atOneInstant, checkPosts, checkRows } from './check-rows.ts'
import { isLogBroken, isPublicLogBroken, listMisnumberedPosts, listWrongTagCopies } from './check-store.ts'
import { derivedFaults } from './derived-posts.ts'
import { listProjectIds } from './row-store.ts'

/** Per kind. */
const maxNamed = 20
const remedy = 'verso migrate --reindex makes the index anew'

/**
 * Checks an installation and yields a sentence for every fault. It changes nothing. A part that cannot be read is named, and the others are
 * checked all the same.
 */
export async function* checkInstallation(engine: Engine): AsyncGenerator<string> {
  for (const [name, check] of engine.db.engine.isSharded ? await shardedParts(engine) : wholeParts(engine)) {
    try {
      yield* check()
    } catch (error) {
      yield `${name} cannot be read whole: ${messageOf(error)}`
    }
  }
}

type ProjectName = Pick<Project, 'id' | 'slug'>

type Part = readonly [name: string, check: () => AsyncIterable<string>]

function wholeParts(engine: Engine): readonly Part[] {
  const { db } = engine
  return [
    ['the files', () => checkEngine(engine)],
    ['the log', () => checkLogs(engine)],
    ['the rows', () => checkRows(db)],
    ['the posts', () => checkAllPosts(engine)],
    ['the index of titles', () => checkNumbers(db)],
    ['the index of words', () => checkWords(db)],
  ]
}

/** Each project by itself: those on a server that is away are named, and the others are checked. */
async function shardedParts(engine: Engine): Promise<readonly Part[]> {
  const { db } = engine
  const slugs = new Map((await listProjects(db)).map(({ id, slug }) => [id, slug]))
  return [
    ['the files', () => checkEngine(engine)],
    ['the central tables', () => checkRows(db, 'central')],
    ...(await listProjectIds(db)).map(
      (id): Part => [`the project ${slugs.get(id) ?? id}`, () => checkProject(engine, { id, slug: slugs.get(id) ?? id })],
    ),
  ]
}

async function* checkProject(engine: Engine, project: ProjectName): AsyncGenerator<string> {
  const { db } = engine
  await db.engine.servers?.ask(project.id, () => findProgress(db, project.id))
  yield* checkLog(engine, project)
  yield* checkRows(db, project.id)
  yield* checkProjectPosts(engine, project.id)
  yield* checkWords(db, project.id)
}

async function* checkEngine(engine: Engine): AsyncGenerator<string> {
  for (const fault of await engine.check()) yield `the database engine reports: ${fault}`
}

async function* checkLogs(engine: Engine): AsyncGenerator<string> {
  for (const project of await listProjects(engine.db)) yield* checkLog(engine, project)
}

async function* checkLog(engine: Engine, { id, slug }: ProjectName): AsyncGenerator<string> {
  if (await isLogBroken(engine.db, id)) yield `the log of project ${slug} has a gap`
  if (await atOneInstant(engine, id, (db) => isPublicLogBroken(db, id)))
    yield `the log of project ${slug} does not number right what the public can see`
}

async function* checkAllPosts(engine: Engine): AsyncGenerator<string> {
  for (const id of await listProjectIds(engine.db)) yield* checkProjectPosts(engine, id)
}

async function* checkProjectPosts(engine: Engine, id: ProjectId): AsyncGenerator<string> {
  const { db } = engine
  yield* checkPosts(engine, id)
  yield* checkDerived(engine, id)
  yield* checkCounts(db, id)
  for (const post of await listWrongTagCopies(db, id, maxNamed)) yield `${post} is not in its place in the lists of its tags`
}

async function* checkNumbers(db: Db): AsyncGenerator<string> {
  for (const id of await listMisnumberedPosts(db, maxNamed)) yield `${id} is not as searches know it; ${remedy}`
}

async function* checkCounts(db: Db, projectId: ProjectId): AsyncGenerator<string> {
  for (const { dimension, ref, status, by } of (await listWrongCounts(db, projectId)).slice(0, maxNamed))
    yield `the count of ${status} posts (${dimension === 'all' ? projectId : `${dimension} ${ref}`}) is wrong by ${Math.abs(by)}`
}

async function* checkWords(db: Db, projectId?: ProjectId): AsyncGenerator<string> {
  for await (const { stale } of listStalePosts(db, db.engine.invertedIndex, projectId))
    for (const { id } of stale.slice(0, maxNamed)) yield `${id} cannot be found by its words; ${remedy}`
}

async function* checkDerived(engine: Engine, projectId: ProjectId): AsyncGenerator<string> {
  for await (const posts of derivedFaults(engine, projectId)) for (const { faults } of posts) yield* faults
}
