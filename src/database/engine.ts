import type { Kysely, RawBuilder } from 'kysely'
import type { Instant } from '../values/instant.ts'
import type { InvertedIndex } from './schema-dialect.ts'
import type { StatementCache } from './statement-cache.ts'
import type { Tables } from './tables.ts'

declare const writing: unique symbol

/** A handle to read through. It cannot write: the compiler refuses. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with' | 'getExecutor' | 'executeQuery'> & {
  readonly engine: EngineAbilities
}

/** A handle inside a transaction: it reads and writes. Only `Engine.write` and `Engine.alone` give one. */
export type Tx = Kysely<Tables> & { readonly engine: EngineAbilities; readonly [writing]: true }

/** The present instant as a part of a statement. */
export type InstantSql = RawBuilder<Instant>

/** What several writes of one transaction have done for all of them at once: given the items of all, in their order. */
export type DeferredWork<I> = (tx: Tx, items: readonly I[]) => Promise<void>

/** Work that waits until the other work of a transaction is done. */
export interface DeferredWrites {
  add<I>(tx: Tx, work: DeferredWork<I>, item: I): void
  run(): Promise<void>
  /** Returns a function that goes back to what is deferred now, for a part of the transaction that is rolled back. */
  mark(): () => void
}

/** What an engine can do, on every handle of it: asked by ability, never by name. */
export interface EngineAbilities {
  /** Compiled once and kept. */
  readonly statements: StatementCache
  /** The column type whose order is by code point. */
  readonly textType: string
  readonly invertedIndex: InvertedIndex
  /** Rows can be locked, and locked rows skipped. Other engines have one writer at a time and need neither. */
  readonly skipsLockedRows: boolean
  /** Ordered reads are merged without reading each to its end. Other engines need a limit in each part. */
  readonly mergesWhole: boolean
  /** Present where a statement may contain others that write: one round trip for several tables. */
  readonly writesInside?: {
    /** Whether this transaction can claim a name at once, as a part of a statement. */
    claim(name: string): RawBuilder<boolean>
  }
  /** The clock of this process. */
  clock(): Instant
  /** Whether a column is one of these words, separated by spaces in one text, so that the statement is the same for any number of them. */
  isAmong(column: string, words: string): RawBuilder<boolean>
  /** The current instant: by the clock of the database where nodes share it, else the one given. */
  nowSql(clock: Instant): InstantSql
  /** Claims the first of these names that no other running transaction has claimed. Undefined where all are claimed. */
  claim(tx: Tx, names: readonly string[]): Promise<string | undefined>
  /** Claims a name, and waits for the transaction that has it. False where that takes longer than `patienceMs`. */
  awaitClaim(tx: Tx, name: string, patienceMs: number): Promise<boolean>
  /** Present only in a transaction that several writes share. */
  readonly deferred?: DeferredWrites
}

export interface LookUpConnections {
  readonly db: Db
  /** How many statements can run at the same time. */
  readonly most: number
}

/** How much of what can be read is on the disk. Asking costs no round trip. */
export interface Durability {
  /** The version of the state that can be read now: another number after every commit, whoever made it. */
  readable(): number
  /**
   * The same number of the last state that is known to be on the disk; none where another process has written since. What another process
   * writes is seen from the next turn of the event loop on.
   */
  flushed(): number | undefined
  /**
   * Waits until all that can be read now is on the disk; nothing to wait for where it is. 503 `database_unavailable` from the moment on that
   * the disk failed to keep something.
   */
  flush(): Promise<void> | undefined
}

/** The seam between Verso and a database. One file per engine stands behind it, and nobody else knows a driver. */
export interface Engine {
  readonly db: Db
  /** The current instant, by the clock of the database where nodes share it. */
  now(): Promise<Instant>
  /**
   * Runs work in a transaction: committed when it resolves, rolled back when it rejects. Throws a `Problem` when the disk is full, the database
   * unavailable or the installation not open. Writes of one project may share a transaction; each is rolled back by itself, and may run again.
   */
  write<T>(work: (tx: Tx) => Promise<T>, project?: string): Promise<T>
  /** The same while nobody else writes, even where the installation is not open. */
  alone<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reads over one snapshot of the database. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Present only where commits can be read before they are on the disk. Writes are answered after the flush; reads must wait for it, too. */
  readonly durability?: Durability
  /** Connections reserved for authentication, where a query costs a round trip, so that it waits for no other read or write. */
  readonly forLookUps?: LookUpConnections
  /** Only for migrations, which change the schema. */
  migrate<T>(work: (schema: Kysely<unknown>) => Promise<T>): Promise<T>
  /** The faults that the engine finds in its own files and references. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Thrown where another writer changed a row after this transaction read it. The engine runs the transaction again. */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`the ${what} was changed at the same moment`)
    this.name = 'WriteConflict'
  }
}
