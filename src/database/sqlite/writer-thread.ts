import type { Kysely } from 'kysely'
import { outcomeUnknown, type Run } from '../group-commit.ts'
import type { Tables } from '../tables.ts'
import { isFailedFlush, toProblem } from './sqlite-errors.ts'
import { beginWithPatience } from './sqlite-transaction.ts'
import { type StatementThread, type StatementThreadParts, startStatementThread } from './statement-threads.ts'

interface WriterThreadParts extends StatementThreadParts {
  /** Throws once a flush has failed. */
  requireSound(): void
  /** Throws if the installation takes no writes. */
  requireOpen(): void
  /** Told of a flush that failed. */
  flushFailed(cause: unknown): void
}

interface WriterThread {
  readonly run: Run<Kysely<Tables>>
  close(): Promise<void>
}

/** Runs long transactions in a thread, which is started when it is first needed. The writing connection must have none meanwhile. */
export function openWriterThread({ requireSound, requireOpen, flushFailed, ...parts }: WriterThreadParts): WriterThread {
  let thread: StatementThread | undefined

  const commit = async ({ run }: StatementThread) => {
    try {
      await run('commit')
    } catch (error) {
      if (!isFailedFlush(error)) throw error
      // All of it may be on the disk.
      flushFailed(error)
      throw outcomeUnknown(error)
    }
  }

  return {
    async run(work) {
      if (!thread?.isAlive()) thread = startStatementThread({ ...parts, writes: true })
      const { db, run, end } = thread
      try {
        requireSound()
        await beginWithPatience(() => run('begin immediate'))
        requireOpen()
        await work(db)
        await commit(thread)
      } catch (error) {
        end()
        throw toProblem(error)
      }
    },
    async close() {
      await thread?.terminate()
    },
  }
}
