import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { button, studioOfFile } from './steps.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()

describe('from screen to screen', () => {
  const { enter } = studioOfFile()

  it('without a connection it is said so, and the screen comes by itself when there is one again', async () => {
    const { page } = await enter({ path: 'trash', name: 'Owner L', role: 'owner' })
    await heading(page, 'Trash').waitFor()
    await page.context().setOffline(true)
    await link(page, 'Posts').click()
    await page.getByText('Verso cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'Posts').waitFor()
    await link(page, 'Trash').click()
    await heading(page, 'Trash').waitFor()
    await page.context().setOffline(true)
    await link(page, 'Posts').click()
    await page.getByText('Verso cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No posts yet.').waitFor()
  })

  it('a script that did not come is asked for again', async () => {
    const { page } = await enter({ path: 'trash', name: 'Owner M', role: 'owner' })
    await heading(page, 'Trash').waitFor()
    await page.route('**/media-*.js', (route) => route.abort())
    await link(page, 'Media').click()
    await button(page, 'Try again').click()
    await button(page, 'Try again').waitFor()
    await page.unroute('**/media-*.js')
    await button(page, 'Try again').click()
    await heading(page, 'Media').waitFor()
  })
})
