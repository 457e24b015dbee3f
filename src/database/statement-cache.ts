import { CompiledQuery } from 'kysely'

/** Statements that are kept at once, of all shapes; beyond them all are compiled anew. */
const most = 1_000

/** Statements that an engine has compiled already, by what builds them and in which shape. */
export class StatementCache {
  readonly #compiled = new Map<unknown, Map<string, CompiledQuery>>()
  #size = 0

  of(build: unknown, shape: string, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build)?.get(shape)
    if (known) return known
    // The tree that it was compiled from takes 70 KB, the text two.
    const { sql, parameters } = compile()
    const compiled = CompiledQuery.raw(sql, [...parameters])
    if (this.#size >= most) this.#forgetAll()
    const shapes = this.#compiled.get(build) ?? new Map<string, CompiledQuery>()
    this.#compiled.set(build, shapes.set(shape, compiled))
    this.#size += 1
    return compiled
  }

  #forgetAll(): void {
    this.#compiled.clear()
    this.#size = 0
  }
}
