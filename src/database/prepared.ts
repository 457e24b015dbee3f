import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './engine.ts'

type Value = string | number | null
/** Values to bind. Each item of a list is bound separately; `undefined` is left out of the statement. */
export type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>

class Placeholder {
  constructor(
    readonly name: string,
    readonly index?: number,
  ) {}
}

/**
 * A statement that is compiled once per engine and shape, which saves 32 µs for a look-up and 138 µs for a list. The builder gets
 * placeholders, not values: only `shape`, the presence of values and the lengths of lists may decide the statement.
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
