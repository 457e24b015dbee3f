import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { browserOfFile, signInto } from '../harness/browser.ts'
import { shared, startVerso } from '../harness/harness.ts'
import { invite, testPassword } from '../harness/studio-browser.ts'
import { button, dialog, engine } from './steps.ts'

describe('passkeys', () => {
  const open = browserOfFile()
  const started = shared(() => startVerso(engine))
  /** Passkeys belong to a name: an address of numbers has none. */
  const urlOf = async () => (await started()).app.url.replace('127.0.0.1', 'localhost')

  it('one is added, signs in, and is deleted', async () => {
    const page = await open()
    await signInto(page, await started(), 'Ada Winter', 'owner')
    const cookies = (await page.context().cookies()).map((cookie) => ({ ...cookie, domain: 'localhost' }))
    await page.context().addCookies(cookies)
    await authenticator(page)
    await page.goto(`${await urlOf()}/studio/in/default/account`)
    await page.getByLabel('Name of the device').fill('Phone')
    await page.getByLabel('Your password').fill(testPassword)
    await button(page, 'Add a passkey').click()
    await page.locator('.rows li', { hasText: 'Phone' }).waitFor()
    await page.context().clearCookies()
    await page.reload()
    await button(page, 'Use a passkey').click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await button(page, 'Delete Phone?').click()
    await button(dialog(page), 'Delete').click()
    await page.locator('.rows li', { hasText: 'Phone' }).waitFor({ state: 'detached' })
  })

  it('a one-time link sets one in place of a password, and it signs in from then on', async () => {
    const verso = await started()
    const { link } = await invite(verso, 'Wei Welcome', 'editor')
    const page = await open()
    await page.clock.install({ time: verso.context.now() })
    await authenticator(page)
    await page.goto(`${await urlOf()}/studio/welcome#${link}`)
    await button(page, 'Use a passkey instead').click()
    await page.getByRole('heading', { name: 'Posts' }).waitFor()
    await page.context().clearCookies()
    await page.reload()
    await button(page, 'Use a passkey').click()
    await page.getByRole('heading', { name: 'Posts' }).waitFor()
  })
})

/** An authenticator in software, as of a phone whose owner has unlocked it. */
async function authenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const options = { ...kind, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
}
