import { CompiledQuery } from 'kysely'
import { BoundedMap } from '../values/bounded-map.ts'

/** Per builder: rows are inserted by statements of up to a hundred of them, with the columns of several tables. */
const maxShapes = 1_000

/** The statements that an engine has compiled, by what builds them and in which shape. */
export class StatementCache {
  readonly #compiled = new Map<unknown, BoundedMap<string, CompiledQuery>>()

  of(build: unknown, shape: string, compile: () => CompiledQuery): CompiledQuery {
    const shapes = this.#compiled.get(build) ?? new BoundedMap(maxShapes)
    const known = shapes.get(shape)
    if (known) return known
    // The tree that a statement is compiled from takes 70 KB, its text two.
    const { sql, parameters } = compile()
    const compiled = CompiledQuery.raw(sql, [...parameters])
    shapes.set(shape, compiled)
    this.#compiled.set(build, shapes)
    return compiled
  }
}
