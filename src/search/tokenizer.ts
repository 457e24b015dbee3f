import { fold } from '../values/case-fold.ts'
import { cutToCodePoints } from '../values/code-points.ts'

/** Longer words are cut, in texts and in queries. */
const maxWordCodePoints = 64
/** Scripts written without blanks between words or, like Korean, with endings attached to them. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{scx=${name}}`)
  .join('')
const letter = `(?=\\p{L})[${unspaced}]\\p{M}*`
const anyUnspaced = new RegExp(`[${unspaced}]`, 'u')
const letters = new RegExp(letter, 'gu')
/** A run of letters of such a script, or of other letters and digits with their marks. */
const runs = new RegExp(`(?:${letter})+|(?:(?!${letter})[\\p{L}\\p{N}])(?:(?!${letter})[\\p{L}\\p{N}\\p{M}])*`, 'gu')
/** They change how letters are drawn, not the word. */
const invisible = /\u00ad|\u200c|\u200d|\u2060/g

/**
 * The words of a text, folded, each once: runs of letters and digits with their marks. Everything else separates them, apostrophes and hyphens too.
 * In scripts without blanks every letter and every pair of letters is a word, so any part of a text is found.
 */
export function wordsIn(text: string): readonly string[] {
  return collect(text, (run) => [...run, ...pairsOf(run)])
}

/** The words of a query. In scripts without blanks only the pairs of letters count. */
export function wordsAskedFor(text: string): readonly string[] {
  return collect(text, (run) => (run.length > 1 ? pairsOf(run) : run))
}

function collect(text: string, split: (run: readonly string[]) => readonly string[]): readonly string[] {
  const words = new Set<string>()
  if (isPlain(text)) addPlainWords(fold(text), words)
  else
    for (const [run] of fold(text.replace(invisible, '')).matchAll(runs)) {
      if (!anyUnspaced.test(run)) words.add(cutToCodePoints(run, maxWordCodePoints))
      else for (const word of split(run.match(letters) ?? [])) words.add(word)
    }
  return [...words]
}

function pairsOf(run: readonly string[]): readonly string[] {
  return run.slice(1).map((each, i) => `${run[i]}${each}`)
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/** Faster for folded ASCII: a quarter of the time. */
function addPlainWords(text: string, words: Set<string>): void {
  let start = -1
  for (let index = 0; index <= text.length; index++) {
    if (isPlainLetter(text.charCodeAt(index))) {
      if (start < 0) start = index
    } else if (start >= 0) {
      words.add(text.slice(start, Math.min(index, start + maxWordCodePoints)))
      start = -1
    }
  }
}

/** `a` to `z` and `0` to `9`. */
function isPlainLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}
