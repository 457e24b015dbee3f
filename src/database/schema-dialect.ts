import type { RawBuilder } from 'kysely'
import type { InvertedIndex } from './engine.ts'

/** What differs between engines in a schema, for the migrations. */
export interface Columns {
  /** Text that is compared and sorted by code point. */
  readonly text: RawBuilder<unknown>
  readonly invertedIndex: InvertedIndex
}
