import { fold } from './case-fold.ts'

/**
 * Lower-case ASCII for Latin, Greek and Cyrillic text: `Łódź` is `lodz`, `Θεσσαλονίκη` `thessaloniki`, `Щука` `shchuka`. Letters of other
 * scripts drop; spaces, punctuation and symbols beyond ASCII become a space. All tables are part of Verso, so that no slug depends on Node.
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

/**
 * What folded letters become in a slug, `letter=ascii`. A letter with marks needs no line when its bare letter has one (é, ő, ệ, ё, ά).
 * Latin goes by looks (ä is a, ß is ss by folding). Greek is ISO 843's transliteration and Cyrillic BGN/PCGN's for Russian, both without
 * marks and apostrophes (щ shch, ж zh, х kh, й y), with the usual letters for what other languages add.
 */
export const transliteration: readonly string[] = [
  // Latin-1 and Latin Extended-A
  'æ=ae ð=d ø=o þ=th đ=d ħ=h ı=i ĳ=ij ĸ=k ŀ=l ł=l ŋ=ng œ=oe ŧ=t',
  // Latin Extended-B; tone letters and clicks drop
  'ƀ=b ƃ=b ƈ=c ƌ=d ƍ=d ƒ=f ƕ=hv ƙ=k ƚ=l ƛ=l ƞ=n ƣ=gh ƥ=p ƪ=sh ƫ=t ƭ=t ƴ=y ƶ=z ƹ=zh ƺ=zh ƿ=w ǆ=dz ǉ=lj ǌ=nj ǝ=e ǥ=g ǳ=dz ȝ=y ȡ=d ȣ=ou',
  'ȥ=z ȴ=l ȵ=n ȶ=t ȷ=j ȸ=db ȹ=qp ȼ=c ȿ=s ɀ=z ɇ=e ɉ=j ɋ=q ɍ=r ɏ=y',
  // Small letters of the phonetic block, many of them with capitals in Latin Extended-B
  'ɑ=a ɓ=b ɔ=o ɖ=d ɗ=d ə=e ɛ=e ɠ=g ɡ=g ɣ=g ɥ=h ɦ=h ɨ=i ɩ=i ɫ=l ɬ=l ɯ=m ɲ=n ɵ=o ɽ=r ʀ=r ʃ=sh ʈ=t ʉ=u ʊ=u ʋ=v ʌ=v ʒ=zh ⱥ=a ⱦ=t',
  // Latin Extended Additional
  'ẜ=s ẝ=s ẟ=d ỻ=ll ỽ=v ỿ=y',
  // Greek; υ after α, ε, ο is u by a rule of its own
  'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
  'ϝ=w ϙ=q ϡ=ss ϲ=s ϳ=j ϗ=kai ϒ=y ϛ=st ϟ=q',
  // Russian; ъ before a consonant is Bulgarian and a, by a rule of its own
  'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya',
  // Ukrainian, Belarusian, Serbian, Macedonian; before 1918; Central Asia and the Caucasus
  'є=ye і=i ї=yi ґ=g ў=u ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz ѓ=gj ќ=kj ѕ=dz ѣ=e ѳ=f ѵ=i ѫ=a ѡ=o ѧ=ya ѭ=yu ѯ=ks ѱ=ps',
  'ә=a ғ=g җ=zh ҙ=z қ=k ҡ=k ң=n ө=o ҫ=s ү=u ұ=u ҳ=kh ҷ=ch һ=h ӕ=ae ӡ=dz',
  // Digits and signs that are read as letters
  'ª=a º=o №=no ¹=1 ²=2 ³=3 ⁰=0 ⁴=4 ⁵=5 ⁶=6 ⁷=7 ⁸=8 ⁹=9 ₀=0 ₁=1 ₂=2 ₃=3 ₄=4 ₅=5 ₆=6 ₇=7 ₈=8 ₉=9',
  // Apostrophes
  "´=' ʻ=' ʼ=' ʹ=' ʾ=' ʿ=' ‘=' ’=' ‛=' ′='",
]

const asciiOf: ReadonlyMap<string, string> = new Map(
  transliteration.flatMap((line) => line.split(' ')).map((pair) => [pair.slice(0, 1), pair.slice(2)]),
)

/** Spaces, punctuation and symbols, by code point so that no new Unicode changes a slug. Without soft hyphen, joiners and direction marks. */
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
