/** Whether both engines store the text unchanged: no NUL (PostgreSQL refuses it), no lone surrogate (it becomes U+FFFD). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Whether one sees every character: none controls, has no width or turns the direction of the text. */
export function isVisible(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** The length in code points, which limits are measured in: an emoji of two UTF-16 units counts one, as in both databases. */
export function codePointLength(text: string): number {
  let length = text.length
  for (let index = 1; index < text.length; index++) if (isPair(text, index)) length--
  return length
}

/** The first `max` code points; a surrogate pair is never split. */
export function cutToCodePoints(text: string, max: number): string {
  let end = 0
  for (let left = max; left > 0 && end < text.length; left--) end += isPair(text, end + 1) ? 2 : 1
  return text.slice(0, end)
}

/** At most `max` code points, up to the end of the last word that fits. A single word that is too long is cut. */
export function cutAtWord(text: string, max: number): string {
  const cut = cutToCodePoints(text, max)
  if (cut.length === text.length) return text
  let end = cut.length
  while (end > 0 && !isSpace(text.charAt(end))) end--
  return text.slice(0, end).trimEnd() || cut
}

/** The same text with memory of its own: what was cut from a long text keeps all of that alive. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** The text in slices of this many UTF-16 units, or one more: a surrogate pair is never split. */
export function* slicesOfText(text: string, units: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + units + Number(isPair(text, start + units))
    yield text.slice(start, end)
    start = end
  }
}

/** Whether the unit at the index is the second half of a surrogate pair. */
function isPair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index), 0xdc00, 0xdfff)
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last
}

function isSpace(letter: string): boolean {
  return letter.trim() === ''
}
