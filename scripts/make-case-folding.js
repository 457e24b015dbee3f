// Writes src/values/letters/case-folding-table.ts from Unicode's CaseFolding.txt: `node scripts/make-case-folding.js <path to CaseFolding.txt>`.
// A newer Unicode folds more letters: folded columns of existing databases must then be rebuilt.
import { readFileSync, writeFileSync } from 'node:fs'

const lineWidth = 130
const hex = (code) => code.toString(16)

/** Full folding: the statuses C and F, neither S (simple) nor T (Turkic). */
function readFoldings(text) {
  const foldings = new Map()
  for (const line of text.split('\n')) {
    const [code, status, mapping] = line.split(';').map((field) => field.trim())
    if (line.startsWith('#') || (status !== 'C' && status !== 'F')) continue
    const [target, ...rest] = mapping.split(' ').map((digits) => Number.parseInt(digits, 16))
    foldings.set(Number.parseInt(code, 16), { target, rest: rest.join() })
  }
  return foldings
}

/** The last letter of the run from `first` in steps of `step`: its targets advance like its letters. */
function lastOfRun(foldings, first, step) {
  const { target, rest } = foldings.get(first)
  const goesOn = (code) => foldings.get(code)?.target === target + code - first && foldings.get(code)?.rest === rest
  let last = first
  while (goesOn(last + step)) last += step
  return last
}

/** The longest runs, as words `first-last/step>target,rest…` in hexadecimal. */
function toWords(foldings) {
  const left = new Map(foldings)
  const words = []
  for (const [first, { target, rest }] of foldings) {
    if (!left.has(first)) continue
    const ends = [1, 2].map((step) => ({ step, last: lastOfRun(left, first, step) }))
    const [ones, twos] = ends.map(({ step, last }) => (last - first) / step)
    const { step, last } = twos > ones ? ends[1] : ends[0]
    for (let code = first; code <= last; code += step) left.delete(code)
    const span = last === first ? hex(first) : `${hex(first)}-${hex(last)}${step === 1 ? '' : `/${step}`}`
    words.push(`${span}>${[target, ...rest.split(',').filter(Boolean).map(Number)].map(hex).join()}`)
  }
  return words
}

function toLines(words) {
  const lines = ['']
  for (const word of words) {
    if (lines.at(-1).length + word.length >= lineWidth) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trimStart())
  }
  return lines
}

const [path] = process.argv.slice(2)
if (path === undefined) {
  process.stderr.write('usage: node scripts/make-case-folding.js <path to CaseFolding.txt>\n')
  process.exit(2)
}
const source = readFileSync(path, 'utf8')
const foldings = readFoldings(source)
const name = /CaseFolding-[\d.]+\.txt/.exec(source)?.[0] ?? 'CaseFolding.txt'
const lines = toLines(toWords(foldings)).map((line) => `  '${line}',\n`)

writeFileSync(
  new URL('../src/values/letters/case-folding-table.ts', import.meta.url),
  `/**
 * Statuses C and F of Unicode's ${name}: ${foldings.size} letters, in hexadecimal runs. Made by \`scripts/make-case-folding.js\`.
 * \`41-5a>61\`: 41 folds to 61, 42 to 62 and so on; \`100-12e/2>101\`: every second one; \`df>73,73\`: one letter becomes two.
 */
export const caseFolding: readonly string[] = [
${lines.join('')}]
`,
)
process.stdout.write(`${foldings.size} foldings from ${name}\n`)
