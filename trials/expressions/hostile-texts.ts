import type { Expression } from './find-expressions.ts'

/** Characters that expressions of a content service look for, and some of every plane. */
const usual = [...' \t\n\r0aZ_-/.,:;=#*`~<>&%|()[]{}"\'\\!@+?', 'é', '\u0301', '日', '😀', '\u2028', '\0']

/** Texts of this many characters that repeat what an expression looks for, and end in what it does not. */
export function* hostileTexts({ source }: Expression, length: number): Generator<string> {
  const plain = source.replace(/\\[pPux]\{?[\w=]*\}?/g, ' ').replace(/\\[bBdDwWsS]/g, ' ')
  const words = plain.match(/(?:\\.|[\w#=-])+/g) ?? []
  const characters = [...new Set(words.join('').replaceAll('\\', ''))]
  const units = new Set([
    ...usual,
    ...words.map((word) => word.replaceAll('\\', '')),
    ...characters,
    ...characters.map((each) => `${each} `),
  ])
  for (const unit of units) {
    if (unit === '') continue
    const repeated = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
    yield repeated
    yield `${words[0] ?? ''}${repeated}\0`
    yield `\n${repeated}\n!`
  }
}
