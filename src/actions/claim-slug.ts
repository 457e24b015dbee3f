import type { Random } from '../values/ids.ts'
import { Problem } from '../values/problems.ts'
import { randomSlug, slugBase } from '../values/slug.ts'

/** Each try fails only if another request takes the slug first, so a hundred concurrent requests need at most a hundred tries. */
const maxTries = 1_000

export interface SlugClaim<R> {
  readonly noun: string
  /** The requested slug; without one, it is made from `name`. */
  readonly slug: string | undefined
  readonly name: string
  /** Inserts under this slug; `undefined` if it is taken. */
  insert(slug: string): Promise<R | undefined>
  /** Inserts under a free variant of `base`; `undefined` if another request takes it first. `tries` counts from 0. */
  insertFree(base: string, tries: number): Promise<R | undefined>
  findFree(slug: string): Promise<string>
}

/** Inserts a new resource under the requested slug (409 if it is taken), or under one made from its name. */
export async function claimSlug<R>(claim: SlugClaim<R>, random: Random): Promise<R> {
  const { noun, slug, name } = claim
  if (slug !== undefined) {
    const inserted = await claim.insert(slug)
    if (inserted === undefined) throw await slugConflict(claim, slug)
    return inserted
  }
  const base = slugBase(name) || randomSlug(noun, random)
  for (let tries = 0; tries < maxTries; tries++) {
    const inserted = await claim.insertFree(base, tries)
    if (inserted !== undefined) return inserted
  }
  throw new Problem('overloaded', `Too many requests create a ${noun} with this name at the same time.`, {
    headers: { 'retry-after': '1' },
  })
}

/** 409 with a slug that is free. */
export async function slugConflict({ noun, findFree }: Pick<SlugClaim<never>, 'noun' | 'findFree'>, slug: string): Promise<Problem> {
  const suggestion = await findFree(slug)
  return new Problem('slug_conflict', `The slug ${slug} belongs to another ${noun}; ${suggestion} is free.`, {
    errors: [{ pointer: '/slug', code: 'taken', detail: `${suggestion} is free.` }],
    members: { suggestion },
  })
}
