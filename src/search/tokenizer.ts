import { cutToCodePoints } from '../values/code-points.ts'
import { fold } from '../values/letters/case-fold.ts'

/** Longer words are cut, in texts and in queries. */
const maxWordCodePoints = 64
/** Scripts written without blanks between words or, like Korean, with endings attached to them. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{scx=${name}}`)
  .join('')
const letter = `(?=\\p{L})[${unspaced}]\\p{M}*`
/** A letter of such a script, with the next one if that follows at once, or a run of other letters and digits with their marks. */
const pieces = new RegExp(`(${letter})(?=(${letter})?)|(?:(?!${letter})[\\p{L}\\p{N}])(?:(?!${letter})[\\p{L}\\p{N}\\p{M}])*`, 'gu')
/** They change how letters are drawn, not the word. */
const invisible = /\u00ad|\u200c|\u200d|\u2060/g

/** The form of a text that its words are found in. */
export function foldText(text: string): string {
  return fold(text.replace(invisible, ''))
}

/**
 * The words of a folded text: runs of letters and digits with their marks. Everything else separates them, apostrophes and hyphens too.
 * In scripts without blanks every letter and every pair of letters is a word, so any part of a text is found. A word can come several times.
 */
export function wordsIn(folded: string): Iterable<string> {
  return isPlain(folded) ? plainWords(folded) : words(folded, 'every letter')
}

/** The words of a query, each once. In scripts without blanks only the pairs of letters count. */
export function wordsAskedFor(text: string): readonly string[] {
  const folded = foldText(text)
  return [...new Set(isPlain(folded) ? plainWords(folded) : words(folded, 'lone letters'))]
}

function* words(folded: string, unspaced: 'every letter' | 'lone letters'): Generator<string> {
  let isPaired = false
  for (const [run, letter, next] of folded.matchAll(pieces)) {
    if (letter === undefined || unspaced === 'every letter' || !(isPaired || next)) yield cut(run)
    if (letter !== undefined && next !== undefined) yield cut(letter) + cut(next)
    isPaired = next !== undefined
  }
}

function cut(word: string): string {
  return word.length > maxWordCodePoints ? cutToCodePoints(word, maxWordCodePoints) : word
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/** Faster for folded ASCII: a quarter of the time. */
function* plainWords(text: string): Generator<string> {
  let start = -1
  for (let index = 0; index <= text.length; index++) {
    if (isPlainLetter(text.charCodeAt(index))) {
      if (start < 0) start = index
    } else if (start >= 0) {
      yield text.slice(start, Math.min(index, start + maxWordCodePoints))
      start = -1
    }
  }
}

/** `a` to `z` and `0` to `9`. */
function isPlainLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}
