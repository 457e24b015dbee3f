import type { Random } from './ids.ts'
import { maxSlugLength } from './slug.ts'

/** Digits enough for every number that a suffix will ever have, and its dash. */
const longestSuffix = 10
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A slug for a text of which nothing is left: the noun and six characters by chance. */
export function randomSlug(noun: string, random: Random): string {
  const word = Array.from(random(6), (byte) => letters[byte % letters.length]).join('')
  return `${noun}-${word}`
}

/** The range of slugs, end excluded, in which `base` with any suffix lies; with `base` itself it is all that decides which suffix is free. */
export function slugNeighbours(base: string): readonly [from: string, to: string] {
  const shortest = maxSlugLength - longestSuffix
  if (base.length > shortest) return [base.slice(0, shortest), `${base.slice(0, shortest)}{`]
  // Suffixes are numbers, so what other words begin alike does not matter.
  return [`${base}-1`, `${base}-:`]
}
