import type { OpenFile } from '../../context.ts'
import { Problem } from '../../values/problems.ts'
import { singleFlight } from '../../values/single-flight.ts'
import type { Durability } from '../engine.ts'

/** A database whose commits can be read before they are on the disk. */
interface Unflushed {
  /** Changes with every commit of another process. */
  foreign(): number
  /** Changes with every commit of any process. */
  readable(): number
  /** Opens the file that commits are written to. It stays open, because the system reports write errors only to open files. */
  openFile(): Promise<OpenFile>
  /** Told once, of the first flush that failed. */
  onFailure?(failure: Problem): void
}

interface Flushes extends Durability {
  /** Throws once a flush has failed. */
  requireSound(): void
  /** A commit of this process that flushes by itself could not. */
  failed(cause: unknown): void
  /** Waits for the last flush, whether it fails or not. */
  close(): Promise<void>
}

/** How far the file was at one moment. */
interface Reached {
  readonly foreign: number
  readonly readable: number
}

/**
 * Flushes commits to the disk off the event loop: one flush at a time, shared by all commits before it. Once a flush has failed, all requests
 * fail: what can be read may be lost in a crash, and no later flush would report it (https://wiki.postgresql.org/wiki/Fsync_Errors).
 */
export function openFlushes({ foreign, readable, openFile, onFailure }: Unflushed): Flushes {
  const foreignThisTurn = oncePerTurn(foreign)
  let file: Promise<OpenFile> | undefined
  // Undefined at first: a process that has just ended may have left commits unflushed.
  let flushed: Reached | undefined
  let failure: Problem | undefined

  // In this order a commit of another process in between costs a needless flush; in the other order it would be missed.
  const reached = (): Reached => ({ foreign: foreign(), readable: readable() })

  const fail = (cause: unknown): Problem => {
    failure = unflushable(cause)
    onFailure?.(failure)
    return failure
  }
  const flushOnce = async (reaching: Reached): Promise<void> => {
    if (failure) throw failure
    const open = await opened()
    try {
      await open.datasync()
      flushed = reaching
    } catch (cause) {
      throw fail(cause)
    }
  }
  /** A file that cannot be opened (too many are open, say) is no failed flush: the next flush tries again. */
  const opened = async (): Promise<OpenFile> => {
    try {
      file ??= openFile()
      return await file
    } catch (cause) {
      file = undefined
      throw unavailable('The log of the database cannot be opened.', '5', cause)
    }
  }
  const flushUpTo = singleFlight(flushOnce, { covers: isSame })

  const flushes: Flushes = {
    readable,
    flushed() {
      try {
        return failure || flushed?.foreign !== foreignThisTurn() ? undefined : flushed.readable
      } catch {
        // The engine cannot be asked now: nothing is answered from memory, and the whole way says what is wrong.
        return undefined
      }
    },
    flush() {
      try {
        const now = reached()
        return isSame(flushed, now) && !failure ? undefined : flushUpTo(now)
      } catch (unreadable) {
        return Promise.reject(unreadable)
      }
    },
    requireSound() {
      if (failure) throw failure
    },
    failed: fail,
    async close() {
      // Flushes even what another process wrote, since a command may be about to print it.
      await flushes.flush()?.catch(() => undefined)
      await file?.then((each) => each.close()).catch(() => undefined)
    },
  }
  return flushes
}

/** Reads at most once per turn of the event loop: SQLite needs 6 µs, a quarter of a request from the cache. */
function oncePerTurn<T>(read: () => T): () => T {
  let found: { readonly value: T } | undefined
  const forget = () => {
    found = undefined
  }
  return () => {
    if (!found) setImmediate(forget)
    found ??= { value: read() }
    return found.value
  }
}

function isSame(a: Reached | undefined, b: Reached): boolean {
  return a?.foreign === b.foreign && a.readable === b.readable
}

function unflushable(cause: unknown): Problem {
  return unavailable('The disk failed during a write. The database is unavailable until the service is restarted.', '30', cause)
}

function unavailable(detail: string, retryAfter: string, cause: unknown): Problem {
  return new Problem('database_unavailable', detail, { headers: { 'retry-after': retryAfter }, cause })
}
