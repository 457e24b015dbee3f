import { writeFileSync } from 'node:fs'
import type { TestCase, TestProject } from 'vitest/node'
import { figureText } from './figure.ts'
import { recordFigures } from './recorded-figures.ts'
import type { TrialRecord } from './trial.ts'

/** A trial as it went. */
export interface TrialOutcome extends TrialRecord {
  /** `pending`: not run, because another one failed before. */
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  readonly seconds: number
  /** Why it failed. */
  readonly failures: readonly { readonly message: string; readonly isAssertion: boolean }[]
}

/** Prints what each trial found. `VERSO_TRIAL_REPORT` names a file for it, and `VERSO_TRIAL_RECORD` puts it into docs/promises.md. */
export function setup({ vitest }: TestProject): () => void {
  return () => {
    const outcomes = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()].flatMap(outcomeOf))
    const report = process.env.VERSO_TRIAL_REPORT
    if (report) writeFileSync(report, `${JSON.stringify(outcomes, null, 2)}\n`)
    if (process.env.VERSO_TRIAL_RECORD) recordFigures(outcomes)
    if (process.env.VERSO_TRIAL_SIZE) process.stdout.write(outcomes.map(textOf).join(''))
  }
}

function outcomeOf(test: TestCase): readonly TrialOutcome[] {
  const { trial } = test.meta()
  const seconds = Math.round((test.diagnostic()?.duration ?? 0) / 100) / 10
  const { state, errors = [] } = test.result()
  const failures = errors.map(({ name, message }) => ({ message, isAssertion: name === 'AssertionError' }))
  return trial ? [{ ...trial, state, seconds, failures }] : []
}

const stateTexts = { passed: 'ok     ', skipped: 'SKIPPED', failed: 'FAILED ', pending: 'FAILED ' }

function textOf({ trial, engine, control, state, seconds, seed, figures, notes }: TrialOutcome): string {
  const title = [trial, engine && ` over ${engine}`, control && `, control: ${control}`].filter(Boolean).join('')
  const lines = [...figures.map(figureText), ...notes].map((line) => `   ${line}\n`)
  return `\n ${stateTexts[state]} ${title} (${seconds} s, seed ${seed})\n${lines.join('')}`
}
