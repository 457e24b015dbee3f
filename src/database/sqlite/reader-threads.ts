import { Worker } from 'node:worker_threads'
import { type CompiledQuery, Kysely, type KyselyConfig, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type Asker, openPlaces } from '../queues/long-reads.ts'
import type { Tables } from '../tables.ts'

/** One key never has all of them. More would take cores from the event loop, and 20 MB each. */
const maxThreads = 2
const heapMb = 128
const cacheKib = 16 * 1024
const maxStatements = 500

interface Settings {
  readonly path: string
  readonly log: KyselyConfig['log']
}

interface ReaderThreads {
  /** Runs reads in a thread, over one snapshot. Waits for a thread. */
  read<T>(asker: Asker, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A thread with its own connection. */
interface ReaderThread {
  readonly db: Kysely<Tables>
  beginSnapshot(): Promise<unknown>
  /** Ends the snapshot, before the next statement. */
  endSnapshot(): void
  isAlive(): boolean
  terminate(): Promise<unknown>
}

/** Long reads run in threads, each of which is started when it is first needed. */
export function openReaderThreads(settings: Settings): ReaderThreads {
  const places = openPlaces(() => maxThreads)
  const threads = new Set<ReaderThread>()
  const idle: ReaderThread[] = []

  const take = (): ReaderThread => {
    const ready = idle.pop()
    if (ready?.isAlive()) return ready
    if (ready) threads.delete(ready)
    const thread = startThread(settings)
    threads.add(thread)
    return thread
  }

  const readIn = async <T>(thread: ReaderThread, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> => {
    try {
      await thread.beginSnapshot()
      return await work(thread.db)
    } finally {
      thread.endSnapshot()
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

interface Reply {
  readonly id: number
  readonly rows?: readonly unknown[]
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}

interface Pending {
  resolve(rows: readonly unknown[]): void
  reject(error: unknown): void
}

function startThread({ path, log }: Settings): ReaderThread {
  // The build puts the thread's file beside every bundle with this module (`scripts/build.js`).
  const file = new URL('./reader-thread.js', import.meta.url)
  const worker = new Worker(file, { workerData: { path, cacheKib, maxStatements }, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  worker.unref()
  const pending = new Map<number, Pending>()
  let isAlive = true
  let lastId = 0

  const fail = (error: unknown) => {
    isAlive = false
    for (const each of pending.values()) each.reject(error)
    pending.clear()
  }
  worker.on('message', ({ id, rows = [], error }: Reply) => {
    const asked = pending.get(id)
    pending.delete(id)
    if (error) asked?.reject(Object.assign(new Error(error.message), { name: error.name, code: error.code }))
    else asked?.resolve(rows)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a reader thread has ended')))

  const query = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      if (!isAlive) return reject(new Error('the reader thread has ended'))
      const id = ++lastId
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, sql, parameters })
    })

  return {
    db: kyselyOver(query, log),
    // Any statement that reads begins it.
    beginSnapshot: () => query({ sql: 'select 1 from sqlite_schema limit 1', parameters: [] }),
    endSnapshot: () => worker.postMessage('end'),
    isAlive: () => isAlive,
    terminate: () => worker.terminate(),
  }
}

/** Compiles statements as for SQLite, and passes them to `query`. */
function kyselyOver(query: (compiled: CompiledQuery) => Promise<readonly unknown[]>, log: KyselyConfig['log']): Kysely<Tables> {
  const connection = {
    executeQuery: async <R>(compiled: CompiledQuery) => ({ rows: (await query(compiled)) as R[] }),
    streamQuery: unsupported,
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => connection,
        releaseConnection: async () => undefined,
        beginTransaction: unsupported,
        commitTransaction: unsupported,
        rollbackTransaction: unsupported,
        destroy: async () => undefined,
      }),
    },
    ...(log !== undefined && { log }),
  })
}

function unsupported(): never {
  throw new Error('a reader thread runs one statement at a time, in the transaction of its read')
}
