import type { Random } from '../../src/values/ids.ts'
import { seededRandom, startVerso, type TestApp, type TestContext, type TestEngine, testContext } from './harness.ts'

/** A service in which each step sets time and randomness: the same steps leave the same bytes, whatever happens between them. */
export interface World {
  readonly verso: TestApp
  /** Takes a step. Its random values come from its name alone, and its time is `at`. */
  step<T>(name: string, at: string, work: (verso: TestApp) => Promise<T>): Promise<T>
}

export async function startWorld(engine: TestEngine, env: Readonly<Record<string, string>> = {}): Promise<World> {
  let random: Random = seededRandom('start')
  const context: TestContext = testContext('2026-06-01T12:00:00.000Z', (bytes) => random(bytes))
  const verso = await startVerso(engine, { context, env })
  return {
    verso,
    async step(name, at, work) {
      random = seededRandom(name)
      context.travelTo(at)
      return work(verso)
    },
  }
}
