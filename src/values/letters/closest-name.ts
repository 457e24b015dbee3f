/** Longer names are cut: the comparison takes quadratic time. */
const maxLength = 64

/**
 * The name that was probably meant, for "did you mean": at most a third of the letters wrong, or one in a short word, and never all. Case,
 * `_` and `-` do not count, so `publishedAt` means `published_at`. The first of equally near names.
 */
export function closestName(word: string, names: Iterable<string>): string | undefined {
  const asked = lettersOf(word)
  let nearest: string | undefined
  let nearestDistance = Math.max(1, Math.floor(asked.length / 3)) + 1
  for (const name of names) {
    const letters = lettersOf(name)
    const longer = Math.max(asked.length, letters.length)
    if (Math.abs(asked.length - letters.length) >= nearestDistance) continue
    const distance = editDistance(asked, letters)
    if (distance >= nearestDistance || distance >= longer) continue
    nearest = name
    nearestDistance = distance
  }
  return nearest
}

function lettersOf(name: string): string {
  return name.slice(0, maxLength).replace(/[_-]/g, '').toLowerCase()
}

/** Insertions, deletions, replacements and swaps of neighbours between two words (Damerau–Levenshtein, optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const replaced = at(last, column - 1) + (same ? 0 : 1)
      const moved = Math.min(at(last, column), at(current, column - 1)) + 1
      current.push(Math.min(replaced, moved, swapped ? at(beforeLast, column - 2) + 1 : replaced))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0
}
