import { randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Random } from './values/ids.ts'

/** A file that others write and that is flushed to the disk here. */
export interface OpenFile {
  /** Resolves when its bytes are on the disk. */
  datasync(): Promise<void>
  /** Writes its bytes again, each as it is, so that the next flush takes all of them to the disk. Nobody else may write meanwhile. */
  rewrite(): Promise<void>
  close(): Promise<void>
}

/** The outside world: clock, randomness, disk, timers. It is passed in everywhere, so that tests control it. */
export interface Context {
  now(): Date
  readonly random: Random
  openFile(path: string): Promise<OpenFile>
  /** Runs work again and again, each time `everyMs` milliseconds after it ended. `stop` waits for a run under way. */
  repeat(everyMs: number, work: () => Promise<void>): { stop(): Promise<void> }
}

export const realContext: Context = { now: () => new Date(), random: pooledRandom(), openFile, repeat }

/** Opened for writing: some systems do not flush a file otherwise. */
async function openFile(path: string): Promise<OpenFile> {
  const file = await open(path, 'r+')
  return { datasync: () => file.datasync(), rewrite: () => rewrite(file), close: () => file.close() }
}

const rewriteBytes = 1024 * 1024

async function rewrite(file: FileHandle): Promise<void> {
  const bytes = Buffer.allocUnsafe(rewriteBytes)
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
    if (bytesRead === 0) return
    for (let written = 0; written < bytesRead; )
      written += (await file.write(bytes, written, bytesRead - written, at + written)).bytesWritten
    at += bytesRead
  }
}

/** Creates a folder and those above it, one after the other: Node's recursive form never returns for a path such as /proc/x/y. */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // What cannot be looked at cannot be created either, and that error says why.
    return false
  }
}

const pathFaults: Readonly<Record<string, string>> = {
  EEXIST: 'a part of the path is a file, not a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENAMETOOLONG: 'a name in the path is too long',
  ENOENT: 'its folder is not there and was not created',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Why the system could not write to a path, in words; nothing for other errors. Those of connections have the same codes, but no path. */
export function pathFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return 'path' in error || error.code === 'ENOSPC' ? pathFaults[String(error.code)] : undefined
}

/** What an error says, or what was thrown instead of one. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Takes random bytes from the system in blocks: taking ten at a time costs 4.6 µs, which every request would pay for its id. */
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
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(runOnce, everyMs)
  timer.unref()
  function runOnce(): void {
    running = work().finally(() => {
      if (stopped) return
      timer = setTimeout(runOnce, everyMs)
      timer.unref()
    })
  }
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
