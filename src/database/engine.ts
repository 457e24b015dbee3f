import type { Kysely, RawBuilder } from 'kysely'
import type { ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import { Problem } from '../values/problems.ts'
import type { Asker } from './queues/long-reads.ts'
import type { InvertedIndex } from './schema-dialect.ts'
import type { StatementCache } from './statement-cache.ts'
import type { Tables } from './tables.ts'

declare const writing: unique symbol

/** A handle to read through. It cannot write: the compiler refuses. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'with' | 'getExecutor' | 'executeQuery' | 'introspection'> & {
  readonly engine: EngineAbilities
}

/** A handle inside a transaction: it reads and writes. Only `Engine.write` and `Engine.alone` give one. */
export type Tx = Kysely<Tables> & { readonly engine: EngineAbilities; readonly [writing]: true }

/** The present instant as a part of a statement. */
export type InstantSql = RawBuilder<Instant>

/** Work that a shared transaction does once, for the items of all its writes in their order. */
export type DeferredWork<I> = (tx: Tx, items: readonly I[]) => Promise<void>

/** Work to do at the end of a transaction. */
export interface DeferredWrites {
  add<I>(tx: Tx, work: DeferredWork<I>, item: I): void
  run(): Promise<void>
  /** Returns a function that restores the present list of work, for a part of the transaction that is rolled back. */
  mark(): () => void
}

/** What an engine can do. Ask for abilities, never for the engine's name. */
export interface EngineAbilities {
  readonly statements: StatementCache
  /** The column type for text that is compared by code point. */
  readonly textType: string
  readonly invertedIndex: InvertedIndex
  /** Rows can be locked, and locked rows skipped. Engines with one writer at a time need neither. */
  readonly skipsLockedRows: boolean
  /** Merges ordered reads without reading each to its end. Other engines need a limit in each part. */
  readonly mergesWhole: boolean
  /** The rows of each project lie together, on one of several servers. A statement asks one project, so that it is sent to one server alone. */
  readonly isSharded: boolean
  /** Present if the database is sharded. */
  readonly servers?: ShardServers
  /** Present if one statement can write to several tables. */
  readonly writesInside?: {
    /** An expression: whether this transaction could claim the name without waiting. */
    claim(name: string): RawBuilder<boolean>
  }
  /** Lets other work of the process go on in the middle of a long transaction, if it had none for some milliseconds. */
  pause(): Promise<void>
  /**
   * Present in a transaction that holds up others. Call it before very many rows are changed: it throws, and the transaction runs again by
   * itself, beside the event loop.
   */
  runByItself?(): never
  /** The clock of this process. */
  clock(): Instant
  /** Whether a column is among space-separated words. The statement is the same for any number of words. */
  isAmong(column: string, words: string): RawBuilder<boolean>
  /** The current instant: from the clock of the database if nodes share it, else `now`. */
  nowSql(clock: Instant): InstantSql
  /** Claims the first name that no other running transaction has claimed; undefined if there is none. */
  claim(tx: Tx, names: readonly string[]): Promise<string | undefined>
  /** Claims a name, and waits for the transaction that has it; false after `maxWaitMs`. */
  awaitClaim(tx: Tx, name: string, maxWaitMs: number): Promise<boolean>
  /** Whether a statement on the schema failed because a table is there already, or because a column is not. */
  isSchemaClash(error: unknown): boolean
  /** Content is erased for good. Present if the index keeps the words of what is deleted; they are dropped when the service stops. */
  readonly noteErasure?: (tx: Tx) => Promise<void>
  /** Present only in a transaction that several writes share. */
  readonly deferred?: DeferredWrites
}

/** Servers that each have some of the projects. */
export interface ShardServers {
  /**
   * Asks about one project, or with one statement about all. 503 `database_unavailable` after some seconds without an answer, so that background
   * work goes on with other projects.
   */
  ask<T>(projectId: ProjectId | undefined, work: (projectId?: ProjectId) => Promise<T>): Promise<T>
}

/** A server that has a part of the projects is away or does not answer. */
export function partUnavailable(): Problem {
  return new Problem('database_unavailable', 'A part of the database is unavailable.', { headers: { 'retry-after': '3' } })
}

export interface LookUpConnections {
  readonly db: Db
  /** How many statements can run at the same time. */
  readonly most: number
}

/** How much of the readable state is on the disk. Its methods cost no round trip. */
export interface Durability {
  /** The version of the readable state. Changes with every commit of any process. */
  readable(): number
  /**
   * The version of the last state known to be on the disk; undefined if another process has written since. Writes of other processes are
   * noticed in the next turn of the event loop.
   */
  flushed(): number | undefined
  /** Waits until the readable state is on the disk; undefined if it already is. 503 `database_unavailable` once a flush has failed. */
  flush(): Promise<void> | undefined
}

/** Where a table lies: in how many shards on which servers. One that is not sharded has none. */
export interface TablePlace {
  readonly table: string
  readonly shards: number
  /** `host:port`, in order. */
  readonly servers: readonly string[]
}

export interface Sharding {
  /** Shards the tables that are not sharded yet, and returns their names. Services must not run meanwhile, and start again afterwards. */
  shard(): Promise<readonly string[]>
  places(): Promise<readonly TablePlace[]>
}

/** The seam between Verso and a database. One file per engine stands behind it, and nobody else knows a driver. */
export interface Engine {
  readonly db: Db
  /** The current instant, from the clock of the database if nodes share it. */
  now(): Promise<Instant>
  /**
   * Runs work in a transaction: commits when it resolves, rolls back when it rejects. Throws a `Problem` if the disk is full, the database
   * unavailable or the installation not open. Writes of a project may share a transaction; each is rolled back alone and may run again.
   */
  write<T>(work: (tx: Tx) => Promise<T>, project?: ProjectId): Promise<T>
  /** Like `write`, but while nobody else writes, and even if the installation is not open. */
  alone<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs reads that may take long, over one snapshot, beside the event loop and beside other reads. Few run at the same time; askers take
   * turns. 503 `overloaded` if too many wait.
   */
  longRead<T>(asker: Asker, work: (db: Db) => Promise<T>): Promise<T>
  /** Runs reads over one snapshot of the database. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Present if commits can be read before they are on the disk. Responses to reads and writes must wait for the flush. */
  readonly durability?: Durability
  /** Connections reserved for authentication, so that it does not wait for other queries. */
  readonly forLookUps?: LookUpConnections
  /** Gathers statistics for the planner after many rows were written; present if the engine would do so by itself only later. */
  analyze?(): Promise<void>
  /** Only for migrations, which change the schema. */
  migrate<T>(work: (schema: Kysely<unknown>) => Promise<T>): Promise<T>
  /** Present if the server can shard the tables by project. */
  readonly sharding?: Sharding
  /** The faults that the engine finds in its own files and references. */
  check(): Promise<readonly string[]>
  /** Present if the database is files on this machine. */
  readonly serving?: {
    /** What others on the machine may do with the files. */
    warnings(): readonly string[]
    /** A service begins on the files: makes sure that all that can be read is on the disk, and marks them as in use until `close`. */
    begin(): Promise<void>
  }
  /** A sentence if the files seem to be a copy that lacks the latest writes. */
  missingLog?(): string | undefined
  close(): Promise<void>
}

/** Thrown in a transaction that holds up others, so that it runs again by itself. */
export class RunsByItself extends Error {}

export function runByItself(): never {
  throw new RunsByItself()
}

/** Thrown if another writer changed a row after this transaction read it. The engine runs the transaction again. */
export class WriteConflict extends Error {
  constructor(what: string) {
    super(`the ${what} was changed at the same moment`)
    this.name = 'WriteConflict'
  }
}
