import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './engine.ts'

type Value = string | number | null
/** What is bound when a statement runs; a list binds its items one by one, and what is `undefined` is no part of the statement. */
export type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>

/** Stands in a statement for a value that is bound when it runs. */
class Placeholder {
  constructor(
    readonly name: string,
    readonly index?: number,
  ) {}
}

/**
 * A statement that is built and compiled once per engine and shape; running it binds values and does nothing else (measured: 12 µs instead of
 * 44 µs around a look-up of 6 µs, and of 150 µs around a list). The builder must not look at the values, for it is given placeholders: which
 * there are, how many of them a list has, and `shape` are all that may decide the statement.
 */
export function prepared<V extends Values, R, S = undefined, H extends Db = Db>(build: (db: H, values: V, shape: S) => Compilable<R>) {
  return async (db: H, values: V, ...[shape]: S extends undefined ? [] : [shape: S]): Promise<readonly R[]> => {
    const compile = () => build(db, placeholders(values), shape as S).compile()
    const compiled = db.engine.statements.of(build, keyOf(values, shape), compile)
    const parameters = compiled.parameters.map((each) => (each instanceof Placeholder ? bound(values, each) : each))
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters } as CompiledQuery<R>)
    return rows
  }
}

function keyOf(values: Values, shape: unknown): string {
  let key = shape === undefined ? '' : JSON.stringify(shape)
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) key += Array.isArray(value) ? ` ${name}${value.length}` : ` ${name}`
  }
  return key
}

function placeholders<V extends Values>(values: V): V {
  const entries = Object.entries(values).map(([name, value]) => {
    if (value === undefined) return [name, undefined]
    return [name, Array.isArray(value) ? value.map((_, index) => new Placeholder(name, index)) : new Placeholder(name)]
  })
  return Object.fromEntries(entries) as V
}

function bound(values: Values, { name, index }: Placeholder): unknown {
  const value = values[name]
  return index === undefined ? value : (value as readonly Value[])[index]
}
