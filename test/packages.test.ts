import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

const text = readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8')
const packages = (JSON.parse(text) as { packages: Record<string, Locked> }).packages
/** They fetch or build a native module when it is installed, and are never loaded by the program (docs/decisions/0007-packages.md). */
const installers = ['prebuild-install']

it('at most 60 packages are there at run time', () => {
  const found = reachable('', new Set())
  expect(found).toContain('node_modules/fastify')
  expect(found.size).toBeGreaterThan(20)
  expect(found.size).toBeLessThanOrEqual(60)
})

it('the lock file names no address that a package was fetched from', () => {
  expect(text).not.toMatch(/"resolved"/)
})

/** The packages that one needs, as Node would find them from where it lies. */
function reachable(from: string, found: Set<string>): Set<string> {
  for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
    const place = nearest(from, name)
    if (installers.includes(name) || place === undefined || found.has(place)) continue
    found.add(place)
    reachable(place, found)
  }
  return found
}

function nearest(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (packages[place]) return place
    if (at === '') return undefined
  }
}
