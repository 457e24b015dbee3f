import { Worker } from 'node:worker_threads'
import { type CompiledQuery, Kysely, type KyselyConfig, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from '../tables.ts'

const heapMb = 128
const cacheKib = 16 * 1024
const maxStatements = 500

export interface StatementThreadParts {
  readonly path: string
  readonly log: KyselyConfig['log']
}

/** A thread with its own connection. */
export interface StatementThread {
  readonly db: Kysely<Tables>
  run(sql: string): Promise<unknown>
  /** Rolls back the transaction under way, if there is one, before the next statement. */
  end(): void
  isAlive(): boolean
  terminate(): Promise<unknown>
}

interface Reply {
  readonly id: number
  readonly rows?: readonly unknown[]
  /** Only of a statement that returns no rows. */
  readonly changes?: number
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}

type Outcome = Pick<Reply, 'changes'> & { readonly rows: readonly unknown[] }

interface Pending {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** Starts a thread that runs one statement after the other. It only reads, or also `writes`. */
export function startStatementThread({ path, log, writes }: StatementThreadParts & { readonly writes: boolean }): StatementThread {
  // The build puts the thread's file beside every bundle with this module (`scripts/build.js`).
  const file = new URL('./statement-thread.js', import.meta.url)
  const workerData = { path, cacheKib, maxStatements, writes }
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  worker.unref()
  const pending = new Map<number, Pending>()
  let isAlive = true
  let lastId = 0

  const fail = (error: unknown) => {
    isAlive = false
    for (const each of pending.values()) each.reject(error)
    pending.clear()
  }
  worker.on('message', ({ id, rows = [], changes, error }: Reply) => {
    const asked = pending.get(id)
    pending.delete(id)
    if (error) asked?.reject(Object.assign(new Error(error.message), { name: error.name, code: error.code }))
    else asked?.resolve({ rows, ...(changes !== undefined && { changes }) })
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a statement thread has ended')))

  const query = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      if (!isAlive) return reject(new Error('the statement thread has ended'))
      const id = ++lastId
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, sql, parameters })
    })

  return {
    db: kyselyOver(query, log),
    run: (sql) => query({ sql, parameters: [] }),
    end: () => worker.postMessage('end'),
    isAlive: () => isAlive,
    terminate: () => worker.terminate(),
  }
}

/** Compiles statements as for SQLite, and passes them to `query`. */
function kyselyOver(query: (compiled: CompiledQuery) => Promise<Outcome>, log: KyselyConfig['log']): Kysely<Tables> {
  const connection = {
    async executeQuery<R>(compiled: CompiledQuery) {
      const { rows, changes } = await query(compiled)
      return { rows: rows as R[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
    },
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
  throw new Error('a statement thread runs one statement at a time, in the transaction that it is in')
}
