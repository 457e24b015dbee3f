import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { browserOfFile, complaintsOf } from '../harness/browser.ts'
import { shared, startVerso } from '../harness/harness.ts'
import { faultsOn } from './looks.ts'
import { engine } from './steps.ts'
import { enter, furnish, type Visit, visit, visits } from './visits.ts'

const open = browserOfFile()

const started = shared(async () => {
  const verso = await startVerso(engine)
  return { verso, estate: await furnish(verso) }
})

/** In kB, compressed with gzip. */
it.each([
  ['posts', 70],
  ['editor', 200],
])('%s loads at most %i kB of script', async (name, most) => {
  const { verso, estate } = await started()
  const page = await open()
  const scripts = new Set<string>()
  page.on('response', (response) => response.url().endsWith('.js') && scripts.add(new URL(response.url()).pathname))
  const screen = visits.find((each) => each.name === name)
  await enter(page, verso)
  if (screen) await visit(page, estate, screen)
  const sizes = [...scripts].map((path) => gzipSync(readFileSync(resolve(import.meta.dirname, `../../dist${path}`))).length)
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000).toBeLessThanOrEqual(most)
})

describe('every screen', () => {
  /** One page for all of them: it is loaded once, and goes from screen to screen as people do. */
  const onePage = (isSignedOut: boolean) =>
    shared(async () => {
      const { verso, estate } = await started()
      const page = await open({ reducedMotion: 'reduce' })
      await enter(page, verso, isSignedOut)
      return {
        page,
        go: (screen: Visit) => visit(page, estate, screen),
        complaints: complaintsOf(page),
        devtools: await page.context().newCDPSession(page),
      }
    })
  const pages = { inside: onePage(false), outside: onePage(true) }

  it.each(visits.map((each) => [each.name, each] as const))(
    '%s: no violation of WCAG 2.2 AA in any theme and width, all of it by keyboard and with large text, no complaint',
    async (_, screen) => {
      const { page, go, complaints, devtools } = await pages[screen.isSignedOut ? 'outside' : 'inside']()
      const before = complaints.length
      await go(screen)
      expect(await faultsOn(page, devtools)).toEqual([])
      expect(complaints.slice(before)).toEqual([])
    },
  )
})
