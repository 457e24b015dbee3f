import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserOfFile, complaintsOf } from '../harness/browser.ts'
import { engines, shared, startVerso } from '../harness/harness.ts'
import { furnish, visit, visits } from './visits.ts'

const open = browserOfFile()
const [engine] = engines
if (!engine) throw new Error('no engine')

/** Both themes and both widths. */
const looks = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 360, height: 740 },
] as const

/** What axe finds against WCAG 2.2, level AA, with the first element of each kind. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // The frame of the preview runs no script, axe neither.
      iframes: false,
    }),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

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
  if (screen) await visit(page, verso, estate, screen)
  await page.waitForLoadState('networkidle')
  const sizes = [...scripts].map((path) => gzipSync(readFileSync(resolve(import.meta.dirname, `../../dist${path}`))).length)
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000).toBeLessThanOrEqual(most)
})

describe('every screen', () => {
  it.each(visits.map((each) => [each.name, each] as const))(
    '%s: no violation of WCAG 2.2 AA, no complaint, no scroll sideways',
    async (_, screen) => {
      const { verso, estate } = await started()
      const page = await open({ reducedMotion: 'reduce' })
      const complaints = complaintsOf(page)
      await visit(page, verso, estate, screen)
      for (const { colorScheme, width, height } of looks) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height })
        expect(await violationsOn(page), `${colorScheme} ${width}`).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${colorScheme} ${width}`).toBeLessThanOrEqual(width)
      }
      expect(complaints).toEqual([])
    },
  )
})
