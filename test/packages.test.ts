import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { engines } from './harness/harness.ts'

const root = resolve(import.meta.dirname, '..')

it('at most 100 packages are loaded at run time, by all commands on all engines together', async () => {
  const loaded = new Set<string>()
  for (const engine of engines) {
    const { address, drop } = await engine.createEmpty()
    for (const name of loadedWith(address.kind === 'sqlite' ? `sqlite:${address.path}` : address.url)) loaded.add(name)
    await drop()
  }
  for (const name of ['fastify', 'better-sqlite3', 'pg', 'commander']) expect(loaded).toContain(name)
  expect(loaded.size).toBeLessThanOrEqual(100)
})

it('the lock file names no address that a package was fetched from', () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const resolved = [...lock.matchAll(/"resolved": "([^"]*)"/g)].map(([, place]) => place)
  // Links to the packages of this repository: npm needs their folders.
  expect(resolved.filter((place) => !/^packages\/\w+$/.test(place ?? ''))).toEqual([])
})

function loadedWith(database: string): readonly string[] {
  return JSON.parse(execFileSync(process.execPath, [join(root, 'scripts/loaded-packages.js'), database], { encoding: 'utf8' })) as string[]
}
