import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Random } from './values/ids.ts'

/** A file that others write and that is brought to the disk here. */
export interface OpenFile {
  /** Waits until its bytes are on the disk. */
  datasync(): Promise<void>
  close(): Promise<void>
}

/** The world outside: the clock, chance and the disk. Injected everywhere, so that tests hold both in their hands. */
export interface Context {
  now(): Date
  readonly random: Random
  openFile(path: string): Promise<OpenFile>
  /** Runs work again and again, so many milliseconds after it ended, until it is stopped; stopping waits for a turn that is under way. */
  repeat(everyMs: number, work: () => Promise<void>): { stop(): Promise<void> }
}

export const realContext: Context = { now: () => new Date(), random: pooledRandom(), openFile, repeat }

/** For writing, without which some systems do not flush it. */
function openFile(path: string): Promise<OpenFile> {
  return open(path, 'r+')
}

/** Random bytes taken from the system some thousands at a time: ten by themselves took 4.6 µs, which every request would pay for its id. */
function pooledRandom(): Random {
  const poolBytes = 8_192
  let pool: Uint8Array = new Uint8Array(0)
  let used = 0
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = randomBytes(Math.max(poolBytes, bytes))
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}

function repeat(everyMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer = setTimeout(run, everyMs)
  timer.unref()
  function run(): void {
    turn = work().finally(() => {
      if (stopped) return
      timer = setTimeout(run, everyMs)
      timer.unref()
    })
  }
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return turn
    },
  }
}
