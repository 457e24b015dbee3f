import type { TestProject } from 'vitest/node'

/** By the names that the suites of an engine have. */
const engines = ['SQLite', 'PostgreSQL']

/** Says at the end how many tests have passed on each engine. */
export function setup({ vitest }: TestProject): () => void {
  return () => {
    const names = vitest.state
      .getTestModules()
      .flatMap((module) => [...module.children.allTests('passed')])
      .map((test) => test.fullName)
    const counts = engines.map((engine) => `${names.filter((name) => name.includes(engine)).length} on ${engine}`)
    process.stdout.write(`\n Passed ${counts.join(', ')}, ${names.length} in all\n`)
  }
}
