import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    const { failed, output } = await inCopy(trial)
    expect(failed, output).toEqual([])
  })
})

describe.concurrent('a planted fault is noticed', () => {
  it.each(faults)('$name, by $caughtBy', { timeout: 600_000 }, async (fault) => {
    const { failed, output } = await inCopy(fault, fault)
    expect(failed, output).toContain(fault.caughtBy)
  })
})

/** Runs a trial in a copy of the source, with or without a fault. Returns the names of the trials that failed, controls left out. */
async function inCopy(
  { caughtBy, size = 'short' }: { readonly caughtBy: string; readonly size?: 'test' | 'short' | undefined },
  fault?: Fault,
) {
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
    const failed = outcomes.filter(({ state, control }) => state === 'failed' && control === null).map(({ trial }) => trial)
    // What nobody catches fails no test, and would end the service.
    return { failed: /Uncaught Exception|Unhandled Rejection/.test(output) ? [...failed, caughtBy] : failed, output }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
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
