import { CompiledQuery } from 'kysely'
import { BoundedMap } from '../values/bounded-map.ts'

/** Per builder. Inserts need many: one for each table and number of rows. */
const maxShapes = 1_000

/** Compiled statements by their builder and shape. */
export class StatementCache {
  readonly #compiled = new Map<unknown, BoundedMap<string, CompiledQuery>>()

  of(build: unknown, shape: string, compile: () => CompiledQuery): CompiledQuery {
    const shapes = this.#compiled.get(build) ?? new BoundedMap(maxShapes)
    const cached = shapes.get(shape)
    if (cached) return cached
    // Keeps the text (2 KB), not the tree that it was compiled from (70 KB).
    const { sql, parameters } = compile()
    const compiled = CompiledQuery.raw(sql, [...parameters])
    shapes.set(shape, compiled)
    this.#compiled.set(build, shapes)
    return compiled
  }
}
