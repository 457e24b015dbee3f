import { claimSlug, slugConflict } from '../../actions/claim-slug.ts'
import type { Db, Tx } from '../../database/engine.ts'
import type { ProjectId, Random } from '../../values/ids.ts'
import { firstFreeSlug, slugNeighbours } from '../../values/slug.ts'
import { type Reference, referenceTables } from './reference.ts'

interface NewReference<R> {
  readonly kind: Reference['kind']
  /** The slug given; without one, it is made from the name. */
  readonly slug: string | undefined
  readonly name: string
  /** Inserts under this slug; `undefined` if it is taken. */
  insert(slug: string): Promise<R | undefined>
}

/** Inserts a new author or category under the slug given (409 where it is taken), or under one made from its name. */
export function insertUnderSlug<R>(tx: Tx, projectId: ProjectId, { kind, insert, ...named }: NewReference<R>, random: Random): Promise<R> {
  const findFree = (base: string) => findFreeSlug(tx, projectId, kind, base)
  const insertFree = async (base: string) => insert(await findFree(base))
  return claimSlug({ ...named, noun: kind, insert, insertFree, findFree }, random)
}

/** 409 if another author or category has this slug. */
export async function requireFreeSlug(db: Db, projectId: ProjectId, kind: Reference['kind'], slug: string): Promise<void> {
  const taken = await slugsOf(db, projectId, kind).where('slug', '=', slug).executeTakeFirst()
  if (taken) throw await slugConflict({ noun: kind, findFree: (base) => findFreeSlug(db, projectId, kind, base) }, slug)
}

/** The first of `base`, `base-2`, `base-3`, … that is free. */
async function findFreeSlug(db: Db, projectId: ProjectId, kind: Reference['kind'], base: string): Promise<string> {
  return firstFreeSlug(base, await referenceSlugsNear(db, projectId, kind, base))
}

/** The slugs that are taken, of those that decide which suffix of `base` is free. */
export async function referenceSlugsNear(
  db: Db,
  projectId: ProjectId,
  kind: Reference['kind'],
  base: string,
): Promise<ReadonlySet<string>> {
  const [from, to] = slugNeighbours(base)
  const slugs = slugsOf(db, projectId, kind)
  const taken = await slugs
    .where('slug', '=', base)
    .unionAll(slugs.where('slug', '>=', from).where('slug', '<', to))
    .execute()
  return new Set(taken.map((row) => row.slug))
}

/** Those of these slugs that an author or a category has. */
export async function takenReferenceSlugs(
  db: Db,
  projectId: ProjectId,
  kind: Reference['kind'],
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set()
  const taken = await slugsOf(db, projectId, kind).where('slug', 'in', slugs).execute()
  return new Set(taken.map((row) => row.slug))
}

function slugsOf(db: Db, projectId: ProjectId, kind: Reference['kind']) {
  return db.selectFrom(referenceTables[kind]).select('slug').where('project_id', '=', projectId)
}
