import type { Observations } from '../values/observations.ts'
import { Problem } from '../values/problems.ts'
import { startStopwatch } from '../values/stopwatch.ts'

/** Writes per transaction: a commit that fails rolls back no more than these. */
const mostInGroup = 64
/** How long a group goes on with further writes, where reads wait meanwhile. */
const groupTakesMs = 20

/** The one transaction that writes at a time. */
export interface Transaction<H> {
  /** Runs the work of `size` writes in a transaction; rolls it back where the work fails. */
  run(work: (handle: H) => Promise<void>, size: number): Promise<void>
  /**
   * Runs a part of the work. Where that rejects, only the part is rolled back. Without a savepoint, a part that has written something cannot
   * be: then it throws `NeedsSavepoint`.
   */
  part<T>(work: () => Promise<T>, savepoint: boolean): Promise<T>
  /** Whether it can go on. An engine rolls back the whole transaction by itself where the disk is full or fails. */
  isUnderWay(): boolean
  /** Throws where writes are refused. */
  requireOpen(): void
  /** Waits until what was committed is on the disk; nothing to wait for where it is. */
  flush(): Promise<void> | undefined
  /** How long a group goes on taking in writes, where that is not the usual time. */
  readonly takesMs?: number
}

/** The queue of writes for the one connection. */
export interface WriteGroups<H> {
  /** Runs work in a transaction that it may share. Resolves when the transaction is on the disk. */
  join<T>(work: (handle: H) => Promise<T>): Promise<T>
  /** The same in a transaction of its own, even where writes are refused. */
  apart<T>(work: (handle: H) => Promise<T>): Promise<T>
  /** Waits until the queue is empty. */
  idle(): Promise<void>
}

interface Waiting<H> {
  readonly isApart: boolean
  readonly work: (handle: H) => Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Settles the promise of a write. */
type Ended = () => void

/** A part without a savepoint rejected after it had written, so it cannot be rolled back alone. */
export class NeedsSavepoint extends Error {
  constructor() {
    super('a write that was refused cannot be undone without those before it')
    this.name = 'NeedsSavepoint'
  }
}

/**
 * Group commit. Writes that wait at the end of a turn of the event loop share one transaction and one flush; a refused write rolls back only
 * itself. No write waits for others to come.
 */
export function openWriteGroups<H>(transaction: Transaction<H>, watch: Pick<Observations, 'writeBatch'>): WriteGroups<H> {
  const line: Waiting<H>[] = []
  let turns: Promise<void> | undefined

  const takeTurns = async () => {
    while (line.length > 0) {
      // Not at once: the requests that have arrived by now are read first, and join.
      await new Promise(setImmediate)
      line.unshift(...(await runGroup(transaction, takeGroup(line), watch)))
      // A turn for those who read: they find what has just been kept before it is overtaken.
      await new Promise(setImmediate)
    }
    turns = undefined
  }

  const enter = <T>(work: (handle: H) => Promise<T>, isApart: boolean) =>
    new Promise<T>((resolve, reject) => {
      line.push({ isApart, work, resolve: resolve as (result: unknown) => void, reject })
      turns ??= takeTurns()
    })

  return { join: (work) => enter(work, false), apart: (work) => enter(work, true), idle: async () => turns }
}

function takeGroup<H>(line: Waiting<H>[]): readonly Waiting<H>[] {
  if (line[0]?.isApart) return line.splice(0, 1)
  const next = line.findIndex(({ isApart }) => isApart)
  return line.splice(0, Math.min(mostInGroup, next < 0 ? line.length : next))
}

/** Runs a group and settles its writes. Returns those that its time did not suffice for; they go first in the next group. */
async function runGroup<H>(
  transaction: Transaction<H>,
  group: readonly Waiting<H>[],
  watch: Pick<Observations, 'writeBatch'>,
): Promise<readonly Waiting<H>[]> {
  let ended: readonly Ended[]
  try {
    ended = await runTogether(transaction, group)
  } catch (error) {
    const refuseAll = () => {
      for (const each of group) each.reject(error)
    }
    // A refusal depends on what was read, which may be of the group before: it waits for the flush, too.
    await answer(transaction.flush(), refuseAll, refuseAll)
    return []
  }
  watch.writeBatch(ended.length)
  const tellAll = () => {
    for (const tell of ended) tell()
  }
  const giveUp = (cause: unknown) => {
    for (const { reject } of group.slice(0, ended.length)) reject(outcomeUnknown(cause))
  }
  await answer(transaction.flush(), tellAll, giveUp)
  return group.slice(ended.length)
}

/**
 * Most refused writes have written nothing yet, so a group runs without savepoints first. Where one had written, the group runs again with
 * them. Savepoints are expensive with a full text index, which is written out at each (measured: 0.5 ms a post).
 */
async function runTogether<H>(transaction: Transaction<H>, group: readonly Waiting<H>[]): Promise<readonly Ended[]> {
  try {
    return await runParts(transaction, group, false)
  } catch (error) {
    if (!(error instanceof NeedsSavepoint)) throw error
    return runParts(transaction, group, true)
  }
}

/** Runs as many of a group as there is time for. */
async function runParts<H>(transaction: Transaction<H>, group: readonly Waiting<H>[], savepoints: boolean): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  await transaction.run(async (handle) => {
    if (!group[0]?.isApart) transaction.requireOpen()
    const elapsed = startStopwatch()
    for (const each of group) {
      if (ended.length > 0 && elapsed() > (transaction.takesMs ?? groupTakesMs)) break
      ended.push(group.length === 1 ? await wholeOf(each, handle) : await partOf(transaction, each, { handle, savepoints }))
    }
  }, group.length)
  return ended
}

/**
 * Settles a group when all that it read and wrote is on the disk. The next group waits for that, so that what can be read is at most one group
 * ahead of the disk; otherwise the response cache, which gives only flushed state, would hardly ever be used.
 */
async function answer(flushed: Promise<void> | undefined, tellAll: () => void, giveUp: (cause: unknown) => void): Promise<void> {
  await (flushed ? flushed.then(tellAll, giveUp) : tellAll())
}

function outcomeUnknown(cause: unknown): Problem {
  const detail = 'The disk failed while the write was being kept. It may have been done, and may be gone after a crash.'
  return new Problem('outcome_unknown', detail, { headers: { 'retry-after': '30' }, cause })
}

/** A write that is alone needs no savepoint: where it rejects, the transaction is rolled back. */
async function wholeOf<H>({ work, resolve }: Waiting<H>, handle: H): Promise<Ended> {
  const result = await work(handle)
  return () => resolve(result)
}

async function partOf<H>(
  transaction: Transaction<H>,
  { work, resolve, reject }: Waiting<H>,
  { handle, savepoints }: { readonly handle: H; readonly savepoints: boolean },
): Promise<Ended> {
  try {
    const result = await transaction.part(() => work(handle), savepoints)
    return () => resolve(result)
  } catch (error) {
    if (!transaction.isUnderWay() || error instanceof NeedsSavepoint) throw error
    return () => reject(error)
  }
}
