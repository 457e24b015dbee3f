import type { Db } from '../database/engine.ts'
import { slugsNear } from '../resources/posts/post-slug-store.ts'
import type { ProjectId } from '../values/ids.ts'
import { firstFreeSlug, withSuffix } from '../values/slug.ts'
import { findTakenSlugs } from './post-bulk-store.ts'

/** For each of these slugs itself, or the first of `-2`, `-3`, … that no post has or had and that is not among `taken`, where it is put then. */
export async function chooseSlugs(db: Db, projectId: ProjectId, wanted: readonly string[], taken: Set<string>): Promise<readonly string[]> {
  for (const slug of await findTakenSlugs(db, projectId, wanted)) taken.add(slug)
  const chosen: string[] = []
  for (const base of wanted) {
    if (taken.has(base)) for (const slug of await slugsNear(db, projectId, base)) taken.add(slug)
    const slug = firstFreeSlug(base, taken)
    taken.add(slug)
    chosen.push(slug)
  }
  return chosen
}

/** Whether a slug is `base`, with a suffix or without. */
export function isFormOf(slug: string, base: string): boolean {
  const [, digits] = /-([1-9]\d{0,8})$/.exec(slug) ?? []
  return slug === base || (digits !== undefined && slug === withSuffix(base, Number(digits)))
}
