import type { Random } from './ids.ts'
import { transliterate } from './letters/transliterate.ts'

/** With its suffix. It fits every file name and every index. */
export const maxSlugLength = 80

/** Whether text is a slug, `[a-z0-9]+(-[a-z0-9]+)*`, of 1 to 80 letters. */
export function isSlug(text: string): boolean {
  return text.length <= maxSlugLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/**
 * Makes a slug from a title: `Don't panic & carry on` becomes `dont-panic-and-carry-on`. A slug that is too long ends with the last word that
 * fits; a first word that is too long is cut. Empty if nothing of the title can be written in `a-z0-9`.
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

/** `base-suffix`, with the base cut so that the whole fits. */
export function withSuffix(base: string, suffix: number | string): string {
  return `${cut(base, maxSlugLength - `-${suffix}`.length)}-${suffix}`
}

/** The least that is kept of a slug that is cut: so few others begin like it that all of those can be read. */
const leastKept = maxSlugLength / 2

/** The words of a slug that fit. A word that leaves too little is cut itself. */
function cut(slug: string, maxLength: number): string {
  if (slug.length <= maxLength) return slug
  const end = slug.lastIndexOf('-', maxLength)
  return slug.slice(0, end < leastKept ? maxLength : end)
}

/** The slug itself, or the first of `-2`, `-3`, … that is not taken. */
export function firstFreeSlug(base: string, taken: ReadonlySet<string>): string {
  return freeSlugs(base, taken, 1)[0] ?? base
}

/** The first `most` of the slug itself, `-2`, `-3`, … that are not taken. */
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

/** A dash and more digits than a suffix ever has. */
const longestSuffix = 10
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A slug for a title that leaves no slug: the noun and six random characters. */
export function randomSlug(noun: string, random: Random): string {
  const word = Array.from(random(6), (byte) => letters[byte % letters.length]).join('')
  return `${noun}-${word}`
}

/** The range of slugs, end excluded, that contains `base` with every suffix. This range and `base` decide which suffix is free. */
export function slugNeighbours(base: string): readonly [from: string, to: string] {
  const shortest = maxSlugLength - longestSuffix
  if (base.length > shortest) return [cut(base, shortest), `${cut(base, shortest)}{`]
  // Suffixes are numbers: words that begin with the same letters do not matter.
  return [`${base}-1`, `${base}-:`]
}
