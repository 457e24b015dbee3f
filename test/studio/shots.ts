import { resolve } from 'node:path'
import { it } from 'vitest'
import { browserOfFile } from '../harness/browser.ts'
import { shared, startVerso } from '../harness/harness.ts'
import { engine } from './steps.ts'
import { enter, furnish, visit, visits } from './visits.ts'

/** Pictures of every screen, in both themes and at two widths: `npm run studio:shots`. They are for people to look at. */
const folder = resolve(import.meta.dirname, '../../screenshots')

const open = browserOfFile()

const started = shared(async () => {
  const verso = await startVerso(engine)
  return { verso, estate: await furnish(verso) }
})

it.each(visits.map((each) => [each.name, each] as const))('%s', async (name, screen) => {
  const { verso, estate } = await started()
  for (const [size, viewport] of [
    ['wide', { width: 1280, height: 800 }],
    ['phone', { width: 360, height: 740 }],
  ] as const) {
    const page = await open({ viewport, reducedMotion: 'reduce' })
    await enter(page, verso, screen.isSignedOut)
    await visit(page, estate, screen)
    // Pictures may come late. (The editor never stops to listen.)
    await page.waitForTimeout(500)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png` })
    }
  }
})
