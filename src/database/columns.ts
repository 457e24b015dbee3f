import type { RawBuilder } from 'kysely'

/** The column types whose spelling differs between engines, for the migrations. */
export interface Columns {
  /** Text that is compared and sorted by code point. */
  readonly text: RawBuilder<unknown>
}
