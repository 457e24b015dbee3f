import type { Tx } from '../database/engine.ts'
import type { Random } from '../values/ids.ts'
import type { Caller } from './caller.ts'

/**
 * What a caller can do: one action is one transaction. Caller and input are serialisable, and it awaits nothing but its transaction, so
 * that it can run in another thread and share a flush with others.
 */
export interface Action<I, R> {
  readonly name: string
  run(tx: Tx, caller: Caller, input: I, random: Random): Promise<R>
}

/** Runs an action whole inside the writer. */
export type Perform = <I, R>(action: Action<I, R>, caller: Caller, input: I) => Promise<R>
