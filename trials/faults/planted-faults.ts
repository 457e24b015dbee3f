import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import type { TrialOutcome } from '../harness/trial-report.ts'
import { allFaults } from './all-faults.ts'
import type { Fault } from './fault.ts'

const root = resolve(import.meta.dirname, '../..')
const copied = [
  'src',
  'test',
  'trials',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
  'docs',
  'examples',
]
const wanted = (process.env.VERSO_FAULTS ?? '').split(',').filter(Boolean)
const faults = allFaults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

describe.concurrent('every planted fault is noticed by its trial', () => {
  it.each(faults)('$name: $caughtBy notices it', { timeout: 600_000 }, async (fault) => {
    const copy = mkdtempSync(join(tmpdir(), 'verso-fault-'))
    try {
      for (const entry of copied) cpSync(join(root, entry), join(copy, entry), { recursive: true })
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
      plant(copy, fault)
      const built = await run(copy, ['scripts/build.js'], {})
      expect(built.code, `the faulty program must compile: ${built.output}`).toBe(0)
      const report = join(copy, 'report.json')
      const trial = await run(
        copy,
        [
          'node_modules/vitest/vitest.mjs',
          'run',
          '--bail=1',
          '--mode',
          'trials',
          '--project',
          'trials',
          `trials/${fault.caughtBy}.trial.ts`,
        ],
        {
          VERSO_TRIAL_SIZE: fault.size ?? 'short',
          VERSO_TRIAL_REPORT: report,
          VERSO_TEST_POSTGRES: inject('postgresUrl'),
        },
      )
      const failed = (JSON.parse(readFileSync(report, 'utf8')) as readonly TrialOutcome[]).filter(
        ({ passed, control }) => !passed && control === null,
      )
      expect(
        failed.map(({ trial }) => trial),
        trial.output,
      ).toContain(fault.caughtBy)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })
})

function plant(copy: string, { file, replace: [from, to] }: Fault): void {
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text.split(from).length - 1, `${file} contains once: ${from}`).toBe(1)
  // A function: `$` has a meaning in a replacement text.
  writeFileSync(
    join(copy, file),
    text.replace(from, () => to),
  )
}

function run(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((end) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => end({ code, output: output.slice(-8_000) }))
  })
}
