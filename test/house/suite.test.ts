import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Folders without a counterpart in `src/`; `examples/`, `packages/` and `studio/` test what lies beside it. */
const own = ['.', 'examples', 'harness', 'house', 'packages', 'studio']

it('test/ mirrors src/: a folder of tests has the name of the folder that it tests', () => {
  expect(files.length).toBeGreaterThan(100)
  const folders = new Set(files.map(({ path }) => dirname(path)))
  expect([...folders].filter((folder) => !own.includes(folder) && !existsSync(join(root, '../src', folder)))).toEqual([])
})

it('a property has a fixed number of runs: none stops after a time', () => {
  const limits = /interruptAfterTimeLimit|skipAllAfterTimeLimit|markInterruptAsFailure/
  expect(files.filter(({ path, text }) => path !== 'house/suite.test.ts' && limits.test(text)).map(({ path }) => path)).toEqual([])
})

it('no file of the harness is longer than 250 lines', () => {
  expect(files.filter(({ path, text }) => path.startsWith('harness/') && text.split('\n').length > 251).map(({ path }) => path)).toEqual([])
})
