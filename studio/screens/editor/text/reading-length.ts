/** How long it takes to read a text, as Verso says of a published post: words of most languages, characters of those that do not part words. */
export interface ReadingLength {
  readonly words: number
  readonly minutes: number
}

const ideographRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu
const [wordsPerMinute, ideographsPerMinute] = [238, 500]

export function readingLengthOf(text: string): ReadingLength {
  let ideographs = 0
  const others = text.replace(ideographRun, (run) => {
    ideographs += [...run].length
    return ' '
  })
  const words = others.match(word)?.length ?? 0
  return { words: words + ideographs, minutes: Math.ceil(words / wordsPerMinute + ideographs / ideographsPerMinute) }
}
