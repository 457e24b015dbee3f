import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { allFaults } from '../../trials/faults/all-faults.ts'
import { withRun, withTable } from '../../trials/harness/recorded-figures.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const trials = readdirSync(join(root, 'trials')).filter((file) => file.endsWith('.trial.ts'))

it.each(trials)('%s has the name of its file, and at least one control', (file) => {
  const text = read(`trials/${file}`)
  expect(text).toContain(`name: '${file.replace('.trial.ts', '')}'`)
  expect(text).toMatch(/controls: \{\s*\S*\s*(async )?['[]|controls,|controls: [a-z]/)
})

it.each(allFaults)(
  'the planted fault $name can be planted, and names the trial that notices it',
  ({ file, replace: [from, to], caughtBy }) => {
    expect(read(file).split(from).length - 1, `${file} contains once: ${from}`).toBe(1)
    expect(to).not.toBe(from)
    expect(existsSync(join(root, `trials/${caughtBy}.trial.ts`))).toBe(true)
  },
)

it('no two planted faults have one name', () => {
  expect(new Set(allFaults.map(({ name }) => name)).size).toBe(allFaults.length)
})

it('a trial that runs over engines now loses its figures from when it ran once', () => {
  expect(withRun({ once: 1 }, 'SQLite', 2)).toEqual({ SQLite: 2 })
  expect(withRun({ SQLite: 2, PostgreSQL: 3 }, 'PostgreSQL', 4)).toEqual({ SQLite: 2, PostgreSQL: 4 })
  expect(withRun({ SQLite: 2, PostgreSQL: 4 }, null, 5)).toEqual({ once: 5 })
})

// `npm run trials -- --page` updates this snapshot, which is the page.
it('docs/promises.md shows the recorded figures', async () => {
  const page = withTable(read('docs/promises.md'), JSON.parse(read('trials/figures.json')))
  await expect(page).toMatchFileSnapshot(join(root, 'docs/promises.md'))
})
