import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'
import { byPath } from '../site/alias.ts'
import type { Post } from './post.ts'

/** Replaces the aliases of a post. In the trash it has none, so that others can take them. 409 `alias_conflict` if another post has one. */
export async function replaceAliases(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await releaseAliases(tx, projectId, [post.id])
  if (post.deletedAt === null) await takeAliases(tx, projectId, [post])
}

export async function releaseAliases(tx: Tx, projectId: ProjectId, posts: readonly PostId[]): Promise<void> {
  if (posts.length > 0) await tx.deleteFrom('post_aliases').where('project_id', '=', projectId).where('post_id', 'in', posts).execute()
}

/** Takes the aliases of posts that have none; 409 `alias_conflict` if another post has one. */
export async function takeAliases(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  const rows = posts.flatMap(({ id, aliases }) => [...byPath(aliases).keys()].map((path) => ({ project_id: projectId, path, post_id: id })))
  if (rows.length === 0) return
  // In one order, so that two transactions that want the same paths do not wait for each other.
  rows.sort((a, b) => (a.path < b.path ? -1 : 1))
  const holders = await findAliasHolders(
    tx,
    projectId,
    rows.map(({ path }) => path),
  )
  for (const { id, aliases } of posts) requireFree(id, aliases, holders)
  await insertRows(tx, 'post_aliases', rows)
}

/** The posts that have these aliases, by path. */
export async function findAliasHolders(db: Db, projectId: ProjectId, paths: readonly string[]): Promise<ReadonlyMap<string, PostId>> {
  if (paths.length === 0) return new Map()
  const rows = await db
    .selectFrom('post_aliases')
    .select(['path', 'post_id'])
    .where('project_id', '=', projectId)
    .where('path', 'in', paths)
    .execute()
  return new Map(rows.map((row) => [row.path, row.post_id]))
}

/** 409 `alias_conflict` if another post has one of the aliases. */
export async function requireFreeAliases(db: Db, projectId: ProjectId, { id, aliases }: Post): Promise<void> {
  requireFree(id, aliases, await findAliasHolders(db, projectId, [...byPath(aliases).keys()]))
}

function requireFree(id: PostId, aliases: readonly string[], holders: ReadonlyMap<string, PostId>): void {
  const taken = [...byPath(aliases)].flatMap(([path, alias]) => {
    const holder = holders.get(path)
    return holder === undefined || holder === id ? [] : { alias, holder }
  })
  const [first] = taken
  if (!first) return
  throw new Problem('alias_conflict', `The alias ${first.alias} belongs to ${first.holder}.`, {
    errors: taken.map(({ alias, holder }) => ({
      pointer: `/aliases/${aliases.indexOf(alias)}`,
      code: 'taken',
      detail: `${alias} belongs to ${holder}.`,
    })),
    members: { postId: first.holder },
  })
}
