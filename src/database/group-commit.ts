import type { Observations } from '../values/observations.ts'
import { Problem } from '../values/problems.ts'
import { startStopwatch } from '../values/stopwatch.ts'

/** Writes per transaction. A commit that fails rolls back all of them. */
const maxGroupSize = 64
/** After this time a group takes no further writes, since reads wait for it. */
const maxGroupMs = 20

/** Runs the work of `size` writes in a transaction. If it rejects, all of it is rolled back. */
export type Run<H> = (work: (handle: H) => Promise<void>, size: number) => Promise<void>

/** Transactions on a connection that runs one at a time. */
export interface Transaction<H> {
  readonly run: Run<H>
  /**
   * Runs one write. If it rejects, only that write is rolled back. Without a savepoint this works only for a write that changed nothing; for
   * others it throws `NeedsSavepoint`.
   */
  part<T>(work: () => Promise<T>, savepoint: boolean): Promise<T>
  /** Whether the transaction can go on. An engine rolls back all of it when the disk is full or fails. */
  isActive(): boolean
  /** Throws if the installation takes no writes. */
  requireOpen(): void
  /** Waits until all commits are on the disk; undefined if they already are. */
  flush(): Promise<void> | undefined
  /** Replaces the usual `maxGroupMs`. */
  readonly maxMs?: number
}

/** The queue of writes for the one connection. */
export interface WriteGroups<H> {
  /** Runs work in a transaction that it may share. Resolves once the commit is on the disk. */
  join<T>(work: (handle: H) => Promise<T>): Promise<T>
  /** Runs work in its own transaction, even if the installation takes no writes. `run` makes it on another connection. */
  alone<T>(work: (handle: H) => Promise<T>, run?: Run<H>): Promise<T>
  /** Waits until the queue is empty. */
  idle(): Promise<void>
}

interface Waiting<H> {
  /** Undefined if the transaction may be shared. */
  readonly runAlone: Run<H> | undefined
  readonly work: (handle: H) => Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Settles the promise of a finished write. */
type Settle = () => void

/** A write without a savepoint rejected after it had changed something, so it cannot be rolled back alone. */
export class NeedsSavepoint extends Error {
  constructor() {
    super('a refused write cannot be rolled back without the writes before it')
    this.name = 'NeedsSavepoint'
  }
}

/**
 * Group commit: writes that wait at the end of a turn of the event loop share one transaction and one flush. A refused write rolls back only
 * itself. No write waits for others to arrive.
 */
export function openWriteGroups<H>(transaction: Transaction<H>, watch: Pick<Observations, 'writeBatch'>): WriteGroups<H> {
  const queue: Waiting<H>[] = []
  let draining: Promise<void> | undefined

  const drain = async () => {
    while (queue.length > 0) {
      // Requests that have already arrived are read first, so that they join.
      await new Promise(setImmediate)
      queue.unshift(...(await runGroup(transaction, takeGroup(queue), watch)))
      // Gives readers a turn while what was just committed is the latest state on the disk.
      await new Promise(setImmediate)
    }
    draining = undefined
  }

  const enter = <T>(work: (handle: H) => Promise<T>, runAlone?: Run<H>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ runAlone, work, resolve: resolve as (result: unknown) => void, reject })
      draining ??= drain()
    })

  return {
    join: (work) => enter(work),
    alone: (work, run = transaction.run) => enter(work, run),
    idle: async () => draining,
  }
}

function takeGroup<H>(queue: Waiting<H>[]): readonly Waiting<H>[] {
  if (queue[0]?.runAlone) return queue.splice(0, 1)
  const next = queue.findIndex(({ runAlone }) => runAlone)
  return queue.splice(0, Math.min(maxGroupSize, next < 0 ? queue.length : next))
}

/** Runs a group and settles its writes. Returns those that its time was too short for; the next group begins with them. */
async function runGroup<H>(
  transaction: Transaction<H>,
  group: readonly Waiting<H>[],
  watch: Pick<Observations, 'writeBatch'>,
): Promise<readonly Waiting<H>[]> {
  let settlers: readonly Settle[]
  try {
    settlers = await runTogether(transaction, group)
  } catch (error) {
    const rejectAll = () => {
      for (const each of group) each.reject(error)
    }
    // A refusal may depend on what an earlier group wrote, so it also waits for the flush.
    await afterFlush(transaction, rejectAll, rejectAll)
    return []
  }
  watch.writeBatch(settlers.length)
  const settleAll = () => {
    for (const settle of settlers) settle()
  }
  const fail = (cause: unknown) => {
    for (const { reject } of group.slice(0, settlers.length)) reject(outcomeUnknown(cause))
  }
  await afterFlush(transaction, settleAll, fail)
  return group.slice(settlers.length)
}

/**
 * Runs a group without savepoints, and again with them if a write was refused after it had changed something, which is rare. Savepoints are
 * expensive: each one writes out the full-text index (measured: 0.5 ms per post).
 */
async function runTogether<H>(transaction: Transaction<H>, group: readonly Waiting<H>[]): Promise<readonly Settle[]> {
  try {
    return await runParts(transaction, group, false)
  } catch (error) {
    if (!(error instanceof NeedsSavepoint)) throw error
    return runParts(transaction, group, true)
  }
}

/** Runs as many writes of a group as there is time for. */
async function runParts<H>(transaction: Transaction<H>, group: readonly Waiting<H>[], savepoints: boolean): Promise<readonly Settle[]> {
  const settlers: Settle[] = []
  const run = group[0]?.runAlone ?? transaction.run
  await run(async (handle) => {
    if (!group[0]?.runAlone) transaction.requireOpen()
    const elapsed = startStopwatch()
    for (const each of group) {
      if (settlers.length > 0 && elapsed() > (transaction.maxMs ?? maxGroupMs)) break
      settlers.push(group.length === 1 ? await runOnly(each, handle) : await runPart(transaction, each, { handle, savepoints }))
    }
  }, group.length)
  return settlers
}

/**
 * Settles a group once all that it read and wrote is on the disk. The next group waits for that, because the response cache serves only
 * flushed state: with reads far ahead of the disk it would hardly ever be used.
 */
async function afterFlush<H>(transaction: Transaction<H>, settleAll: () => void, fail: (cause: unknown) => void): Promise<void> {
  try {
    await transaction.flush()
  } catch (error) {
    fail(error)
    return
  }
  settleAll()
}

export function outcomeUnknown(cause: unknown): Problem {
  const detail = 'The disk failed during the write. It may have been made, and may be lost in a crash.'
  return new Problem('outcome_unknown', detail, { headers: { 'retry-after': '30' }, cause })
}

/** A write with its own transaction needs no savepoint. */
async function runOnly<H>({ work, resolve }: Waiting<H>, handle: H): Promise<Settle> {
  const result = await work(handle)
  return () => resolve(result)
}

async function runPart<H>(
  transaction: Transaction<H>,
  { work, resolve, reject }: Waiting<H>,
  { handle, savepoints }: { readonly handle: H; readonly savepoints: boolean },
): Promise<Settle> {
  try {
    const result = await transaction.part(() => work(handle), savepoints)
    return () => resolve(result)
  } catch (error) {
    if (!transaction.isActive() || error instanceof NeedsSavepoint) throw error
    return () => reject(error)
  }
}
