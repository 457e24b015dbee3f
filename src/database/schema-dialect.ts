import type { RawBuilder } from 'kysely'

/** How an engine finds rows by a part of what they hold: through tables of its own (SQLite's FTS5) or through indexes. */
export type InvertedIndex = 'fts5' | 'gin'

/** What differs between engines in a schema. Released migrations import it: what it has may not change, only grow. */
export interface SchemaDialect {
  /** The type of text that is compared and sorted by code point. */
  readonly text: RawBuilder<unknown>
  readonly invertedIndex: InvertedIndex
}
