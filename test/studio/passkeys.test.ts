import { it } from 'vitest'
import { browserOfFile, signInto } from '../harness/browser.ts'
import { startVerso } from '../harness/harness.ts'
import { engine } from './steps.ts'

const open = browserOfFile()

it('a passkey is added, signs in, and is deleted', async () => {
  const verso = await startVerso(engine)
  const page = await open()
  await signInto(page, verso, 'Ada Winter', 'owner')
  // Passkeys belong to a name: an address of numbers has none.
  const url = verso.app.url.replace('127.0.0.1', 'localhost')
  const cookies = (await page.context().cookies()).map((cookie) => ({ ...cookie, domain: 'localhost' }))
  await page.context().addCookies(cookies)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, automaticPresenceSimulation: true } })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

  await page.goto(`${url}/studio/in/default/account`)
  await page.getByLabel('Name of the device').fill('Phone')
  await press('Add a passkey')
  await page.locator('.rows li', { hasText: 'Phone' }).waitFor()

  await page.context().clearCookies()
  await page.reload()
  await press('Use a passkey')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await press('Delete Phone?')
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.locator('.rows li', { hasText: 'Phone' }).waitFor({ state: 'detached' })
})
