import type { Db, Engine } from '../../database/engine.ts'
import { changePostCounts, listWrongCounts } from '../../lists/post-count-store.ts'
import { listStalePosts } from '../../search/stale-word-store.ts'
import { fold } from '../../values/case-fold.ts'
import type { ProjectId } from '../../values/ids.ts'
import {
  type DerivedPost,
  listBrokenLogs,
  listBrokenPublicLogs,
  listDerivedPosts,
  listIncompletePosts,
  listMisnumberedPosts,
  listWrongTagCopies,
  repairTagCopies,
} from './check-store.ts'

/** Per kind. */
const maxNamed = 20
const batch = 1_000
const remedy = 'verso migrate --reindex makes the index anew'

/** Checks an installation and yields a sentence for every fault. It changes nothing. */
export async function* checkInstallation(engine: Engine, projects: readonly { readonly id: ProjectId }[]): AsyncGenerator<string> {
  for (const fault of await engine.check()) yield `the database engine reports: ${fault}`
  for (const slug of await listBrokenLogs(engine.db)) yield `the log of project ${slug} has a gap`
  for (const slug of await listBrokenPublicLogs(engine.db)) yield `the log of project ${slug} does not number right what the public can see`
  for (const id of await listIncompletePosts(engine.db, maxNamed)) yield `${id} lacks its content or its revision`
  for (const id of await listMisnumberedPosts(engine.db, maxNamed)) yield `${id} is not as searches know it; ${remedy}`
  yield* checkWords(engine.db)
  for (const { id } of projects) {
    yield* checkDerived(engine.db, id)
    yield* checkCounts(engine.db, id)
    for (const post of await listWrongTagCopies(engine.db, id, maxNamed)) yield `${post} is not in its place in the lists of its tags`
  }
}

async function* checkCounts(db: Db, projectId: ProjectId): AsyncGenerator<string> {
  for (const { dimension, ref, status, by } of (await listWrongCounts(db, projectId)).slice(0, maxNamed))
    yield `the count of ${status} posts (${dimension === 'all' ? projectId : `${dimension} ${ref}`}) is wrong by ${Math.abs(by)}`
}

async function* checkWords(db: Db): AsyncGenerator<string> {
  for await (const { stale } of listStalePosts(db, db.engine.invertedIndex))
    for (const { id } of stale.slice(0, maxNamed)) yield `${id} cannot be found by its words; ${remedy}`
}

async function* checkDerived(db: Db, projectId: ProjectId): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const posts = await listDerivedPosts(db, projectId, after, batch)
    for (const post of posts) yield* derivedFaults(post)
    const last = posts.at(-1)
    if (!last || posts.length < batch) return
    after = last.id
  }
}

function* derivedFaults({ id, title, titleFolded, tags, indexed }: DerivedPost): Generator<string> {
  if (fold(title) !== titleFolded) yield `${id} cannot be found by its title`
  const wanted = new Set(tags.map((tag) => fold(tag.trim())))
  if (wanted.size !== indexed.length || indexed.some((folded) => !wanted.has(folded))) yield `${id} is not listed under its tags`
}

/** Repairs the counts and tags that writes derive for lists, while nobody else writes. Returns how many rows were wrong. */
export async function repairLists(engine: Engine, projects: readonly { readonly id: ProjectId }[]): Promise<number> {
  return engine.alone(async (tx) => {
    let repaired = 0
    for (const { id } of projects) {
      const wrong = await listWrongCounts(tx, id)
      await changePostCounts(tx, id, wrong)
      repaired += wrong.length + (await repairTagCopies(tx, id))
    }
    return repaired
  })
}
