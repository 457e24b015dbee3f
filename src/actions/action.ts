import type { Tx } from '../database/engine.ts'
import type { Random } from '../values/ids.ts'
import type { Caller } from './caller.ts'

/**
 * Something that a caller can do, in one transaction. Caller and input are serialisable, and an action awaits only its transaction, so that
 * it can share a flush with others.
 */
export interface Action<I, R> {
  readonly name: string
  run(tx: Tx, caller: Caller, input: I, random: Random): Promise<R>
}

/** Runs an action in a transaction. */
export type Perform = <I, R>(action: Action<I, R>, caller: Caller, input: I) => Promise<R>
