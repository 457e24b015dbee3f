import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { figureText, isMet } from '../harness/figure.ts'
import type { TrialOutcome } from '../harness/trial-report.ts'
import { allFaults } from './all-faults.ts'
import type { Fault } from './fault.ts'

const root = resolve(import.meta.dirname, '../..')
/** What a build or a trial reads. Only the program of dist/ is built anew. */
const copied = [
  ...['dist', 'src', 'test', 'trials', 'scripts', 'docs', 'examples', 'packages', 'studio'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'],
]
const wanted = (process.env.VERSO_FAULTS ?? '').split(',').filter(Boolean)
const faults = allFaults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const trials = [...new Map(faults.map(({ caughtBy, size }) => [`${caughtBy} ${size}`, { caughtBy, size }])).values()]

it('every fault that was asked for is there', () => {
  expect(wanted.filter((name) => !allFaults.some((fault) => fault.name === name))).toEqual([])
})

describe.concurrent('a copy without a fault passes', () => {
  it.each(trials)('$caughtBy', { timeout: 600_000 }, async (trial) => {
    const { outcome, noticed, output } = await inCopy(trial)
    expect({ state: outcome?.state, noticed }, output).toEqual({ state: 'passed', noticed: [] })
  })
})

describe.concurrent('a planted fault is noticed', () => {
  it.each(faults)('$name, by $caughtBy', { timeout: 600_000 }, async (fault) => {
    const { noticed, output } = await inCopy(fault, fault)
    expect(noticed.length, `a promise that ${fault.caughtBy} has seen broken, not a failure of another kind: ${output}`).toBeGreaterThan(0)
    process.stdout.write(` noticed ${fault.name}, by ${fault.caughtBy}: ${noticed.join('; ')}\n`)
  })
})

interface Tried {
  /** The first run of the trial that failed; else the first. */
  readonly outcome: TrialOutcome | undefined
  readonly noticed: readonly string[]
  readonly output: string
}

/** Runs a trial, without its controls, in a copy of the source, with or without a fault. */
async function inCopy(
  { caughtBy, size = 'short' }: { readonly caughtBy: string; readonly size?: 'test' | 'short' | undefined },
  fault?: Fault,
): Promise<Tried> {
  const copy = mkdtempSync(join(tmpdir(), 'verso-fault-'))
  try {
    for (const entry of copied) cpSync(join(root, entry), join(copy, entry), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    if (fault) plant(copy, fault)
    const built = await node(copy, ['scripts/build.js', '--program'], {})
    expect(built.code, built.output).toBe(0)
    const report = join(copy, 'report.json')
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--mode', 'trials', '--project', 'trials']
    const env = { VERSO_TRIAL_SIZE: size, VERSO_TRIAL_REPORT: report }
    const { output } = await node(copy, [...vitest, `trials/${caughtBy}.trial.ts`], env)
    const outcomes: readonly TrialOutcome[] = JSON.parse(readFileSync(report, 'utf8'))
    expect(outcomes.length, output).toBeGreaterThan(0)
    const runs = outcomes.filter(({ control }) => control === null)
    const outcome = runs.find(({ state }) => state === 'failed') ?? runs[0]
    return { outcome, noticed: outcome ? noticedIn(outcome, output) : [], output }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * The broken promises that a failed run names: a figure that has to be exact and is not, or the assertion that failed. A crash, a timeout
 * or a service that did not start is none, but an error of the service that nobody caught is: it would end the service.
 */
function noticedIn({ state, figures, failures }: TrialOutcome, output: string): readonly string[] {
  const uncaught = /Uncaught Exception|Unhandled Rejection/.exec(output)?.[0]
  if (uncaught !== undefined) return [uncaught]
  if (state !== 'failed') return []
  const missed = figures.filter((figure) => figure.aim?.exactly !== undefined && !isMet(figure)).map(figureText)
  return missed.length > 0 ? missed : failures.filter(({ isAssertion }) => isAssertion).map(({ message }) => message.slice(0, 200))
}

function plant(copy: string, { file, replace: [from, to] }: Fault): void {
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text.split(from).length - 1, `${file} contains once: ${from}`).toBe(1)
  // A function, because `$` has a meaning in a replacement text.
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  )
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

function node(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((end) => {
    const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', ...env }
    const child = spawn(process.execPath, args, { cwd, env: environment })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => end({ code, output: output.slice(-8_000) }))
  })
}
