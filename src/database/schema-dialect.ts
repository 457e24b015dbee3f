import type { RawBuilder } from 'kysely'

/** How an engine indexes words and parts of texts: SQLite with FTS5 tables, PostgreSQL with GIN indexes. */
export type InvertedIndex = 'fts5' | 'gin'

/** Differences between engines in a schema. Released migrations import it, so members may be added but never changed. */
export interface SchemaDialect {
  /** The type for text that is compared by code point. */
  readonly text: RawBuilder<unknown>
  readonly invertedIndex: InvertedIndex
}
