import type { TestCase, TestProject } from 'vitest/node'
import { realBlogs, withoutBlogs } from './real-blogs.ts'

/** As the names of tests name them. */
const engines = ['SQLite', 'PostgreSQL', ...(process.env.VERSO_TEST_CITUS ? ['Citus'] : [])]

/** Says at the end how many tests have passed on each engine, what the soaks did, and what could not be tested. */
export function setup({ vitest }: TestProject): () => void {
  return () => {
    const passed = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests('passed')])
    const counts = engines.map((engine) => `${passed.filter(({ fullName }) => fullName.includes(engine)).length} on ${engine}`)
    for (const test of passed.filter(({ options }) => options.tags?.includes('soak'))) process.stdout.write(figuresOf(test))
    if (realBlogs.length === 0) process.stdout.write(`\n Tests of real blogs: ${withoutBlogs}\n`)
    process.stdout.write(`\n Passed ${counts.join(', ')}, ${passed.length} in all\n`)
  }
}

function figuresOf(test: TestCase): string {
  const engine = engines.find((name) => test.fullName.includes(name)) ?? 'PostgreSQL'
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(0)
  return test
    .annotations()
    .map(({ message }) => ` Soak on ${engine}: ${message} (${seconds} s)\n`)
    .join('')
}
