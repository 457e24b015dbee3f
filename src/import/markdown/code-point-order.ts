/** Compares texts by code point, as both databases do; JavaScript's own order is by UTF-16 unit and puts emoji before `\uE000`. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const one = a.charCodeAt(index)
    const other = b.charCodeAt(index)
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

/** Surrogates, halves of the highest code points, go behind every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
