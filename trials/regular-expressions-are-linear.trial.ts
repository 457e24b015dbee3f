import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import fastify from 'fastify'
import type { checkSync as CheckSync } from 'recheck'
import { vi } from 'vitest'
import { builtDuring } from './expressions/built-expressions.ts'
import { type Expression, type Expressions, expressionsIn, findExpressions } from './expressions/find-expressions.ts'
import { hostileTexts } from './expressions/hostile-texts.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

// The build for browsers is JavaScript alone, and the same on every platform.
const { checkSync }: { readonly checkSync: typeof CheckSync } = createRequire(import.meta.url)('recheck/lib/browser.js')

const root = resolve(import.meta.dirname, '..')

/** The largest text that an expression may see: the content of a post, or less where the text is cut or refused before. */
function limitOf({ file }: Expression): number {
  // Titles, names, and the beginning of a content, which alone is indexed.
  if (/^src\/(?:search|values\/letters)\//.test(file)) return 100_000
  // Headers, URLs and aliases; what the operator configures.
  if (/^(?:src\/(?:http|app|cli|resources\/site\/alias\.ts)|scripts|examples|packages)\b/.test(file)) return 32 * 1024
  return 1024 * 1024
}

/** Four of five expressions are checked in less, all of these in a few seconds. One of the others takes up to twenty. */
const quickMs = 150

/** So many expressions, drawn anew by each run, or all of them. */
interface Size {
  readonly checked: number
  /** Of the others, so many are checked if that is quick. */
  readonly quick: number
  readonly hostile: number
}

trial<Size>({
  name: 'regular-expressions-are-linear',
  promise: 'No text that anyone sends keeps a regular expression busy: each takes time in proportion to the length of the text.',
  over: 'once',
  covers: 'the source',
  sizes: {
    test: { checked: 5, quick: 80, hostile: 5 },
    short: { checked: 15, quick: Number.POSITIVE_INFINITY, hostile: 15 },
    full: { checked: Number.POSITIVE_INFINITY, quick: 0, hostile: Number.POSITIVE_INFINITY },
  },
  minutes: { short: 3, full: 15 },

  async run({ size, random, figure, note }) {
    const found = findExpressions(['src', 'scripts', 'examples', 'packages', 'studio'])
    const built = fewPerFile(shuffle(distinct(await buildAll(found)), random))
    const all = distinct([...found.literals, ...built])
    const shuffled = shuffle(all, random)
    const verdicts = shuffled
      .slice(0, size.checked + size.quick)
      .map((each, i) => ({ each, verdict: verdictOn(each, i < size.checked ? null : quickMs) }))
    const checked = verdicts.filter(({ verdict }) => verdict !== 'unknown')
    const refused = verdicts.filter(({ verdict }) => verdict === 'slow').map(({ each }) => each)
    const overruled = verdicts.filter(({ verdict }) => verdict === 'overruled').map(({ each }) => each)
    for (const { file, source, flags } of overruled) note(`tried, and not slow: /${source}/${flags} in ${file}`)
    for (const { file, source, flags } of refused) note(`not linear: /${source}/${flags} in ${file}`)
    const unseen = found.builders.filter(({ file }) => !built.some((each) => each.file === file))
    for (const { file, text } of unseen) note(`never built: ${text} in ${file}`)

    figure('files', found.files)
    figure('expressions', all.length)
    figure('of which built from text', built.length)
    figure('checked', checked.length)
    figure('expressions that are not linear', refused.length, { exactly: 0 })
    figure('attacks that recheck guessed by fuzzing, and that are not slow here', overruled.length)
    figure('expressions that were never seen', unseen.length, { exactly: 0 })

    const slowest = shuffled.slice(0, size.hostile).map((each) => ({ each, ms: slowestOf(each, limitOf(each)) }))
    const [worst] = slowest.sort((a, b) => b.ms - a.ms)
    if (worst) note(`slowest on hostile texts of the largest size: /${worst.each.source}/${worst.each.flags} in ${worst.each.file}`)
    figure('a hostile text of the largest size, slowest', worst?.ms ?? 0, { atMost: 50, unit: 'ms' })
  },

  controls: {
    async 'expressions that take exponential and quadratic time are reported'() {
      const known = ['^(a+)+$', '^-+|-+$', '(\\w+\\s?)*:$', '/+$']
      const reported = known.filter((source) => verdictOn({ file: '', source, flags: '' }) === 'slow')
      return reported.length === known.length ? reported.length : 0
    },

    async 'an expression in a parser is found in the source, as a literal and built'() {
      const text = 'export const read = (text: string) => /^(\\w+)+$/u.test(text) || new RegExp(text).test("a")'
      const { literals, builders } = expressionsIn('src/parser.ts', text)
      return literals.filter((each) => verdictOn(each) === 'slow').length + builders.length
    },

    async 'a hostile text is slow for an expression that takes quadratic time'() {
      return slowestOf({ file: '', source: '^-+|-+$', flags: 'g' }, 20_000) > 50 ? 1 : 0
    },
  },
})

/**
 * As recheck says. What looks around is not proved but tried with random texts, some of which are counted wrongly: such an attack has to
 * be slow here too.
 */
function verdictOn(expression: Expression, timeout: number | null = null): 'linear' | 'overruled' | 'slow' | 'unknown' {
  // It does not know `v`, nor `d`, which only tells where groups are.
  const flags = expression.flags.replace('v', 'u').replace('d', '')
  const result = checkSync(expression.source, flags, { timeout })
  if (result.status === 'unknown' && result.error.kind === 'timeout') return 'unknown'
  if (result.status !== 'vulnerable' || result.checker !== 'fuzz') return result.status === 'safe' ? 'linear' : 'slow'
  const { pumps, suffix } = result.attack
  const attackOf = (length: number) =>
    pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(length / pumps.length / pump.length))).join('') + suffix
  // In small steps: an exponential one would not come back from a large one.
  for (let length = 10; length <= 64_000; length *= 1.2) {
    if (timeOf(expression, attackOf(length)) > 100 && timeOf(expression, attackOf(length)) > 100) return 'slow'
  }
  return 'overruled'
}

/** The expressions of the paths of routes are alike: a few of them are enough. */
const maxBuiltPerFile = 10

function fewPerFile(expressions: readonly Expression[]): readonly Expression[] {
  return expressions.filter((each, i) => expressions.slice(0, i).filter(({ file }) => file === each.file).length < maxBuiltPerFile)
}

function shuffle<T>(items: readonly T[], random: SeededRandom): readonly T[] {
  return items
    .map((each) => ({ each, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

function distinct(expressions: readonly Expression[]): readonly Expression[] {
  return [...new Map(expressions.map((each) => [`/${each.source}/${each.flags}`, each])).values()]
}

/** The time of the slowest hostile text. One that is slow gets two more tries, because the machine may be busy. */
function slowestOf(expression: Expression, length: number): number {
  let slowest = 0
  for (const text of hostileTexts(expression, length)) {
    let ms = timeOf(expression, text)
    for (let more = 0; ms > 50 && more < 2; more += 1) ms = Math.min(ms, timeOf(expression, text))
    slowest = Math.max(slowest, ms)
  }
  return slowest
}

/** One search; of all matches where the expression is global, as it is used. */
function timeOf({ source, flags }: Expression, text: string): number {
  const expression = new RegExp(source, flags)
  const start = performance.now()
  if (expression.global) while (expression.exec(text)?.[0]);
  else expression.exec(text)
  return performance.now() - start
}

/** Loads every module that builds an expression, and does what makes the others build theirs. */
async function buildAll({ builders }: Expressions): Promise<readonly Expression[]> {
  vi.resetModules()
  return builtDuring(async () => {
    for (const file of new Set(builders.map((each) => each.file))) await import(/* @vite-ignore */ join(root, file))
    const { describeApi } = await import('../src/app/routes.ts')
    const { sendProblems } = await import('../src/http/response/problem-response.ts')
    const app = fastify()
    sendProblems(app, (problem) => problem)
    for (const path of Object.keys(describeApi().paths)) app.get(path.replace(/\{(\w+)\}/g, ':$1'), async () => '')
    await app.close()
  })
}
