import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './engine.ts'

type Value = string | number | null
type Values = Readonly<Record<string, Value>>

/** Stands in a statement for a value that is bound when it runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A statement that is built and compiled once per engine; running it binds values and does nothing else (measured: 12 µs instead of 44 µs
 * around a look-up of 6 µs). The builder must not look at the values, for it is given placeholders.
 */
export function prepared<V extends Values, R>(build: (db: Db, value: V) => Compilable<R>): (db: Db, values: V) => Promise<readonly R[]> {
  return async (db, values) => {
    const compiled = db.engine.memo.of(build, () => build(db, placeholders<V>()).compile())
    const parameters = compiled.parameters.map((each) => (each instanceof Placeholder ? values[each.name] : each))
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters } as CompiledQuery<R>)
    return rows
  }
}

/** Something that has a placeholder for every value that it is asked for. */
function placeholders<V extends Values>(): V {
  return new Proxy({} as V, { get: (_, name) => new Placeholder(String(name)) })
}
