import type { Action, Perform } from './action.ts'
import type { Caller } from './caller.ts'

/** Thrown inside the transaction of a rehearsal, so that it is undone. */
export class Rehearsed extends Error {}

/** Runs an action and undoes it: the result or problem is real, nothing is stored (docs/reference/api.md#dry-run). */
export async function rehearse<I, R>(perform: Perform, action: Action<I, R>, caller: Caller, input: I): Promise<R> {
  let outcome: { readonly result: R } | undefined
  const rehearsal: Action<I, never> = {
    name: action.name,
    async run(tx, who, what, random) {
      outcome = { result: await action.run(tx, who, what, random) }
      throw new Rehearsed()
    },
  }
  try {
    return await perform(rehearsal, caller, input)
  } catch (error) {
    if (error instanceof Rehearsed && outcome) return outcome.result
    throw error
  }
}
