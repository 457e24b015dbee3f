import type { Action, Perform } from './action.ts'
import type { Caller } from './caller.ts'

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
export class DryRunDone extends Error {}

/** Runs an action and rolls it back. Returns its result, or throws what it refuses with (docs/reference/api.md#dry-run). */
export async function runDry<I, R>(perform: Perform, action: Action<I, R>, caller: Caller, input: I): Promise<R> {
  let outcome: { readonly result: R } | undefined
  const dryRun: Action<I, never> = {
    name: action.name,
    async run(tx, who, what, random) {
      outcome = { result: await action.run(tx, who, what, random) }
      throw new DryRunDone()
    },
  }
  try {
    return await perform(dryRun, caller, input)
  } catch (error) {
    if (error instanceof DryRunDone && outcome) return outcome.result
    throw error
  }
}
