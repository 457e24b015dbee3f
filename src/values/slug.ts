import type { Random } from './ids.ts'
import { transliterate } from './transliterate.ts'

/** A slug's length with any suffix; fits every file system's and index's key. */
export const maxSlugLength = 80

/** Whether text is a slug, `[a-z0-9]+(-[a-z0-9]+)*`, of 1 to 80 letters. */
export function isSlug(text: string): boolean {
  return text.length <= maxSlugLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/**
 * The slug that a title asks for: `Don't panic & carry on` is `dont-panic-and-carry-on`. Too long, it ends with the last word that fits; a
 * first word that is too long by itself is cut. Empty when the title has no letter or digit of ours.
 */
export function slugBase(text: string, maxLength = maxSlugLength): string {
  let slug = ''
  for (const [word] of spelledOut(text).matchAll(/[a-z0-9]+/g)) {
    const longer = slug === '' ? word.slice(0, maxLength) : `${slug}-${word}`
    if (longer.length > maxLength) break
    slug = longer
  }
  return slug
}

/** `base-n`, the slug's end cut so that the whole fits. */
export function withSuffix(base: string, n: number, maxLength = maxSlugLength): string {
  const suffix = `-${n}`
  const kept = base.slice(0, maxLength - suffix.length)
  return (kept.endsWith('-') ? kept.slice(0, -1) : kept) + suffix
}

/** The slug itself, or with the first of `-2`, `-3`, … that is not taken. */
export function firstFreeSlug(base: string, taken: ReadonlySet<string>): string {
  return freeSlugs(base, taken, 1)[0] ?? base
}

/** So many of the slug itself, `-2`, `-3`, … as are asked for, in this order, those that are taken left out. */
export function freeSlugs(base: string, taken: ReadonlySet<string>, most: number): readonly string[] {
  const free: string[] = []
  for (let n = 1; free.length < most; n++) {
    const slug = n === 1 ? base : withSuffix(base, n)
    if (!taken.has(slug)) free.push(slug)
  }
  return free
}

function spelledOut(text: string): string {
  return transliterate(text).replaceAll("'", '').replace(/&+/g, ' and ')
}

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
