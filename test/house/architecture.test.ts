import { describe, expect, it } from 'vitest'
import { floors, laws } from './laws.ts'
import { readSources, sourceOf } from './sources.ts'

const sources = readSources()

it('the house was looked at: files, floors and imports are found', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(1_000)
  expect([...new Set(sources.map(({ path }) => path.split('/')[0]))].sort()).toEqual([...floors].sort())
  expect(sources.find(({ path }) => path === 'app/resource-registry.ts')?.imports).toContain('resources/posts/post-routes.ts')
  expect(sources.find(({ path }) => path === 'database/sqlite/sqlite-engine.ts')?.imports).toContain('better-sqlite3')
})

describe.each(laws)('law $name', ({ broken, breaches }) => {
  it('holds', () => {
    expect(broken(sources)).toEqual([])
  })

  it.each(breaches.map((planted) => ({ planted, where: planted[0]?.path })))('sees the breach in $where', ({ planted }) => {
    expect(broken(planted.map(({ path, text }) => sourceOf(path, text))).length).toBeGreaterThan(0)
  })
})
