import { fold } from './case-fold.ts'
import { transliteration } from './transliteration-table.ts'

/**
 * Lower-case ASCII for Latin, Greek and Cyrillic text: `Łódź` is `lodz`, `Θεσσαλονίκη` `thessaloniki`, `Щука` `shchuka`. Letters of other
 * scripts drop; spaces, punctuation and symbols beyond ASCII become a space. All tables are pinned, so that no slug depends on Node.
 */
export function transliterate(text: string): string {
  return fold(text)
    .replace(greekU, 'u')
    .replace(bulgarianA, 'a')
    .replace(/[^ -~]/gu, toAscii)
}

/** ου, αυ, ευ: an upsilon without diaeresis, whatever its accent. */
const greekU = /(?<=[αεο])[υύὺὐ-ὗὺῦ]/gu

/** Russian has ъ before vowels only, where it is silent: съезд, and България. */
const bulgarianA = /ъ(?=[бвгджзклмнпрстфхцчшщ])/gu

const asciiOf: ReadonlyMap<string, string> = new Map(
  transliteration.flatMap((line) => line.split(' ')).map((pair) => [pair.slice(0, 1), pair.slice(2)]),
)

/** Spaces, punctuation and symbols, by number so that no new Unicode moves a slug; soft hyphen, joiners, direction marks are left out. */
const separators = new RegExp(
  `[${[
    '\\u007f-\\u00ac\\u00ae-\\u00bf×÷', // Latin-1
    '־،؛؟۔।', // Hebrew, Arabic, Devanagari
    '\\u2000-\\u200b\\u2010-\\u2029\\u202f-\\u205f\\u2e00-\\u2e7f', // general
    '\\u20a0-\\u20cf\\u2100-\\u214f\\u2190-\\u2bff', // currencies, letterlike, arrows to mathematics
    '\\u3000-\\u303f・\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff5f-\\uff65', // Chinese, Japanese, Korean
    '\\u{1f000}-\\u{1faff}', // emoji
  ].join('')}]`,
  'u',
)

function toAscii(letter: string): string {
  const ascii = asciiOf.get(letter)
  if (ascii !== undefined) return ascii
  if (letter >= '！' && letter <= '～') return toHalfWidth(letter)
  if (letter < ' ' || separators.test(letter)) return ' '
  return Array.from(letter.normalize('NFD'), (part) => (part <= '~' ? part : (asciiOf.get(part) ?? ''))).join('')
}

function toHalfWidth(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - 0xfee0)
}
