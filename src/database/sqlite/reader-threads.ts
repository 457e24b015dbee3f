import type { Kysely } from 'kysely'
import { type Asker, openPlaces } from '../queues/long-reads.ts'
import type { Tables } from '../tables.ts'
import { type StatementThread, type StatementThreadParts, startStatementThread } from './statement-threads.ts'

/** One key never has all of them. More would take cores from the event loop, and 20 MB each. */
const maxThreads = 2

interface ReaderThreads {
  /** Runs reads in a thread, over one snapshot. Waits for a thread. */
  read<T>(asker: Asker, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Long reads run in threads, each of which is started when it is first needed. */
export function openReaderThreads(parts: StatementThreadParts): ReaderThreads {
  const places = openPlaces(() => maxThreads)
  const threads = new Set<StatementThread>()
  const idle: StatementThread[] = []

  const take = (): StatementThread => {
    const ready = idle.pop()
    if (ready?.isAlive()) return ready
    if (ready) threads.delete(ready)
    const thread = startStatementThread({ ...parts, writes: false })
    threads.add(thread)
    return thread
  }

  const readIn = async <T>(thread: StatementThread, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    try {
      // Any statement that reads begins the snapshot.
      await thread.run('select 1 from sqlite_schema limit 1')
      return await work(thread.db)
    } finally {
      thread.end()
      idle.push(thread)
    }
  }

  return {
    async read(asker, work) {
      const leave = await places.enter(asker)
      try {
        return await readIn(take(), work)
      } finally {
        leave()
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}
