import { PostgresQueryCompiler } from 'kysely'
import { afterAll, expect } from 'vitest'
import { allowedUnbound } from './allowed-unbound.ts'
import { unboundTables } from './shard-reader.ts'

declare global {
  /** Of this process, which runs many files. */
  var collectedStatements: Collected | undefined
}

interface Collected {
  /** The statements for PostgreSQL that the program has compiled, those that the tests ask for themselves not among them. */
  readonly ofProgram: Set<string>
  /** Those of them that have not been judged yet. */
  fresh: string[]
}

/** Reads the statements where they are compiled: the first file of the stack that is not the compiler's says who asked. */
function collect(): Collected {
  const collected: Collected = { ofProgram: new Set(), fresh: [] }
  const { compileQuery } = PostgresQueryCompiler.prototype
  PostgresQueryCompiler.prototype.compileQuery = function (...args) {
    const compiled = compileQuery.apply(this, args)
    if (!collected.ofProgram.has(compiled.sql) && isOfProgram()) {
      collected.ofProgram.add(compiled.sql)
      collected.fresh.push(compiled.sql)
    }
    return compiled
  }
  return collected
}

/** Statements of the program pass through these on their way to the compiler, and those of tests may, too. */
const between = /\/test\/harness\/statement-collector\.ts|\/src\/database\/(?:prepared|statement-cache|insert-rows)\.ts/

function isOfProgram(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const lines = (new Error().stack ?? '').split('\n')
  Error.stackTraceLimit = stackTraceLimit
  const caller = lines.find((line) => /\/(?:src|test|trials)\//.test(line) && !line.includes('/node_modules/') && !between.test(line))
  return caller?.includes('/src/') ?? false
}

globalThis.collectedStatements ??= collect()
const collected = globalThis.collectedStatements

afterAll(() => {
  const { fresh } = collected
  collected.fresh = []
  const wrong = fresh.filter((statement) => unboundTables(statement).length > 0 && !allowedUnbound.some(({ is }) => is.test(statement)))
  expect(wrong, 'these statements name tables that are sharded by project, each of which needs a project_id = $ of its own').toEqual([])
})
