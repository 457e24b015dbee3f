import { createHash, randomInt } from 'node:crypto'
import { expect, type TestContext, test } from 'vitest'
import { engines, type TestEngine } from '../../test/harness/databases.ts'
import { type Aim, type Figure, isMet } from './figure.ts'
import { type SeededRandom, seededGenerator } from './seeded-random.ts'

/** `test` runs within `npm test`, `short` with `npm run trials -- --short`, `full` with `npm run trials`. */
export type SizeName = 'test' | 'short' | 'full'

/** A promise, and a program that tries to break it. */
export interface Trial<Size, E extends TestEngine | undefined> {
  /** The name of its file, without `.trial.ts`. */
  readonly name: string
  /** One sentence, as docs/promises.md states it. */
  readonly promise: string
  /** Without `test`, the trial is not part of `npm test`. */
  readonly sizes: { readonly test?: Size; readonly short: Size; readonly full: Size }
  /** Time limit of one run. */
  readonly minutes: { readonly short: number; readonly full: number }
  run(run: TrialRun<Size, E>): Promise<void>
  /** Each breaks the promise on purpose and returns how many breaks the checks of the trial have seen. None seen fails the trial. */
  readonly controls: Readonly<Record<string, (run: TrialRun<Size, E>) => Promise<number>>>
}

export interface TrialRun<Size, E> {
  readonly size: Size
  readonly engine: E
  readonly seed: number
  /** The same seed gives the same run. */
  readonly random: SeededRandom
  /** Reports a figure. `exactly` is the promise itself: another value fails the trial. The other aims are reported as met or missed. */
  figure(label: string, value: number, aim?: Aim): void
  /** Says what the figures do not: what could not be tried here, and why. */
  note(text: string): void
  /** Ends the run, or the control, as one that was not tried here, and says why. The report shows it as skipped. */
  skip(why: string): never
}

/** What a trial says something of that runs once, and not once over each engine. */
export type Covers = 'both engines' | 'SQLite' | 'the source'

/** What a test tells the run about itself (`trial-report.ts`). */
export interface TrialRecord {
  readonly trial: string
  readonly promise: string
  readonly engine: string | null
  /** Only of a trial that runs once. */
  readonly covers?: Covers
  /** `null` for the trial itself. */
  readonly control: string | null
  readonly seed: number
  readonly size: SizeName
  readonly figures: Figure[]
  readonly notes: string[]
}

declare module 'vitest' {
  interface TaskMeta {
    trial?: TrialRecord
  }
}

const sizeName = (process.env.VERSO_TRIAL_SIZE ?? 'test') as SizeName
const seed = Number(process.env.VERSO_TEST_SEED ?? randomInt(2 ** 31))

type Declared<Size> =
  | (Trial<Size, TestEngine> & { readonly over: 'engines' })
  | (Trial<Size, TestEngine> & { readonly over: 'SQLite' | 'PostgreSQL' })
  | (Trial<Size, undefined> & { readonly over: 'once'; readonly covers: Covers })

/** Declares a trial: a test over each engine it names, and one for each control. */
export function trial<Size>(declared: Declared<Size>): void {
  if (declared.over === 'once') declareOver(declared, undefined)
  else for (const engine of engines) if (declared.over === 'engines' || declared.over === engine.name) declareOver(declared, engine)
}

function declareOver<Size, E extends TestEngine | undefined>(trial: Trial<Size, E>, engine: E): void {
  const title = engine ? `${trial.name} over ${engine.name}` : trial.name
  // The report of `npm run trials` has it.
  const replay = sizeName === 'test' ? ` (VERSO_TEST_SEED=${seed})` : ''
  const size = trial.sizes[sizeName]
  if (size === undefined) {
    test.skip(`${title}: runs only with npm run trials`, () => undefined)
    return
  }
  const limit = (name: 'short' | 'full') => trial.minutes[name] * 60_000
  test(`${title}: ${trial.promise}${replay}`, { timeout: limit(sizeName === 'full' ? 'full' : 'short') }, async (test) => {
    const { record, ...tools } = begin(test, trial, engine, null)
    await trial.run({ size, engine, ...tools })
    expect(record.figures, 'figures').not.toEqual([])
    expect(record.figures.filter((figure) => figure.aim?.exactly !== undefined && !isMet(figure))).toEqual([])
  })
  // By chance, a control of a few seconds sees no break.
  if (sizeName === 'test') return
  // A control has to see one break, which does not take the full size.
  const controlSize = sizeName === 'full' ? trial.sizes.short : size
  for (const [label, control] of Object.entries(trial.controls))
    test(`${title}, control: ${label}`, { timeout: limit('short') }, async (test) => {
      const { record, ...tools } = begin(test, trial, engine, label)
      const seen = await control({ size: controlSize, engine, ...tools })
      record.figures.push({ label: 'breaks seen', value: seen })
      expect(seen, 'breaks seen').toBeGreaterThan(0)
    })
}

type Named = Pick<Trial<unknown, undefined>, 'name' | 'promise'> & { readonly covers?: Covers }

/** Every run has a seed of its own, made from the seed of all. */
function begin({ task, skip }: TestContext, trial: Named, engine: TestEngine | undefined, control: string | null) {
  const name = engine?.name ?? null
  const random = seededGenerator(createHash('sha256').update(`${seed} ${trial.name} ${name} ${control}`).digest('hex'))
  const record: TrialRecord = {
    trial: trial.name,
    promise: trial.promise,
    engine: name,
    ...(trial.covers && { covers: trial.covers }),
    control,
    seed,
    size: sizeName,
    figures: [],
    notes: [],
  }
  task.meta.trial = record
  return {
    record,
    seed,
    random,
    figure(label: string, value: number, aim?: Aim) {
      record.figures.push({ label, value, ...(aim && { aim }) })
    },
    note(text: string) {
      record.notes.push(text)
    },
    skip(why: string): never {
      record.notes.push(why)
      return skip(why)
    },
  }
}
