import { createHash } from 'node:crypto'

export interface SeededRandom {
  /** At least 0, below 1. */
  fraction(): number
  /** A whole number, at least 0 and below `below`. */
  int(below: number): number
  pick<T>(items: readonly T[]): T
  bytes(length: number): Buffer
  /** A generator of its own, for a part of the run whose draws must not depend on the order of the others. */
  fork(name: string): SeededRandom
}

/** The same draws in the same order for the same seed. */
export function seededGenerator(seed: string): SeededRandom {
  let counter = 0
  let block = Buffer.alloc(0)
  let used = 0
  const take = (length: number) => {
    if (used + length > block.length) {
      block = createHash('sha512').update(`${seed} ${counter++}`).digest()
      used = 0
    }
    used += length
    return block.subarray(used - length, used)
  }
  const fraction = () => take(6).readUIntBE(0, 6) / 2 ** 48
  const int = (below: number) => Math.floor(fraction() * below)
  return {
    fraction,
    int,
    pick(items) {
      if (items.length === 0) throw new Error('there is nothing to pick from')
      return items[int(items.length)] as (typeof items)[number]
    },
    bytes(length) {
      const parts: Buffer[] = []
      for (let left = length; left > 0; left -= 32) parts.push(Buffer.from(take(Math.min(left, 32))))
      return Buffer.concat(parts)
    },
    fork: (name) => seededGenerator(`${seed} ${name}`),
  }
}
