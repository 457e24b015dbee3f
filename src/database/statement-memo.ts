import type { CompiledQuery } from 'kysely'

/** Statements that an engine has compiled already, by what builds them. */
export class StatementMemo {
  readonly #compiled = new Map<unknown, CompiledQuery>()

  of(build: unknown, compile: () => CompiledQuery): CompiledQuery {
    const known = this.#compiled.get(build)
    if (known) return known
    const compiled = compile()
    this.#compiled.set(build, compiled)
    return compiled
  }
}
