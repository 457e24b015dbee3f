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

/** A handle inside a transaction. It reads too, and it alone writes; there is no other way into one than `Engine.write` and `Engine.alone`. */
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
  /** Rows can be locked, and those that others have locked be passed over; elsewhere there is one writer at a time, and no need to. */
  readonly skipsLockedRows: boolean
  /** What is read in order is merged without reading it to its end; elsewhere each part must be told where to end. */
  readonly mergesWhole: boolean
  /** Where a statement may have others inside it that write: one trip to the database for several tables. */
  readonly writesInside?: {
    /** Whether this transaction gets a name at once, as a part of a statement. */
    claim(name: string): RawBuilder<boolean>
  }
  /** The clock of this process. */
  clock(): Instant
  /** Whether a column holds one of these words, which have no spaces and stand in one text: a statement is the same for any number of them. */
  isAmong(column: string, words: string): RawBuilder<boolean>
  /** The present instant by the clock that counts: the database's where several nodes share it, else the one given. */
  nowSql(clock: Instant): InstantSql
  /** The first of these names that no other transaction has claimed and not yet ended; this one has it then. None where all are claimed. */
  claim(tx: Tx, names: readonly string[]): Promise<string | undefined>
  /** The same for one name, waiting for whoever has it to end; false where that takes longer than this. */
  awaitClaim(tx: Tx, name: string, patienceMs: number): Promise<boolean>
  /** Only in a transaction that several writes share. */
  readonly deferred?: DeferredWrites
}

export interface LookUpConnections {
  readonly db: Db
  /** How many statements find a connection at the same time. */
  readonly most: number
}

/** How far what can be read is on the disk. Asking costs no round trip. */
export interface Durability {
  /** A number that is another one after every commit, whoever made it: the state that can be read now. */
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
  /** The present instant by the clock that counts. */
  now(): Promise<Instant>
  /**
   * Runs work whole inside one transaction: committed when it resolves, undone when it rejects. Throws a `Problem` when the engine is full or
   * away, and where the installation does not take writes. Works of one project may share a transaction, each undone by itself.
   */
  write<T>(work: (tx: Tx) => Promise<T>, project?: string): Promise<T>
  /** The same with nobody writing beside it, whether or not the installation takes writes: for those who close and open it. */
  alone<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reading work over one state of the database, which does not change meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Only where commits can be read before they are on the disk. Writes are answered after that; what reads tell must wait for it, too. */
  readonly durability?: Durability
  /** For what every request asks first, where asking costs a round trip: waits for no other read or write where connections suffice. */
  readonly forLookUps?: LookUpConnections
  /** For migrations alone, which change the schema itself. */
  migrate<T>(work: (schema: Kysely<unknown>) => Promise<T>): Promise<T>
  /** What the engine finds wrong with its own files and references; nothing where all is well. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Thrown where another writer changed a row between the read and the write of this transaction; the engine runs the transaction again. */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`the ${what} was changed at the same moment`)
    this.name = 'WriteConflict'
  }
}
