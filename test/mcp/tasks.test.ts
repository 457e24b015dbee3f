import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestEngine, testContext } from '../harness/harness.ts'
import { realBlogs } from '../harness/real-blogs.ts'
import { blogFor, importInto } from '../import/import-fixture.ts'
import { agentOn } from './agent-fixture.ts'
import { type Cost, runTasks } from './agent-tasks.ts'

/** A blog of thirty posts, one of them long. */
const blog = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => {
    const body = `The boat number ${i} went out with the morning tide.\n\n## What happened\n\nIt came home late, number ${i}, and nobody asked why.\n`
    const long = i === 29 ? `\n## The log\n\n${'Wind from the west, sea calm. '.repeat(600)}\n` : ''
    return [
      `posts/2020-01-${String(i + 1).padStart(2, '0')}-boat-${i}.md`,
      `---\ntitle: Boat ${i}\ntags: [boats, ${i % 2 ? 'odd' : 'even'}]\n---\n\n${body}${long}`,
    ]
  }),
)

const [sqlite] = engines as readonly [TestEngine]

function expectCheap(costs: readonly Cost[]): void {
  expect(costs.length).toBeGreaterThanOrEqual(30)
  for (const { task, longest } of costs) expect([task, longest <= 8_000]).toEqual([task, true])
  const rows = costs.map(({ task, calls, characters }) => `${task} | ${calls} | ${characters}`)
  process.stdout.write(process.env.VERSO_TEST_TABLE ? `\n${rows.join('\n')}\n` : '')
}

describe('the work of agents', () => {
  it('thirty tasks on an imported blog, no answer longer than 2,000 tokens', async () => {
    const verso = await startVerso(sqlite, { context: testContext('2026-11-21T00:00:00.000Z') })
    await (await blogFor(verso, blog)).import()
    expectCheap(await runTasks(await agentOn(verso.app.url, verso.secret)))
  })

  const real = realBlogs.find(([name]) => name === 'electron-blog')
  it.skipIf(real === undefined)('the same on a real blog', async () => {
    const verso = await startVerso(sqlite, { context: testContext('2026-11-21T00:00:00.000Z') })
    await importInto(verso, real?.[2] ?? '')
    expectCheap(await runTasks(await agentOn(verso.app.url, verso.secret)))
  })
})
