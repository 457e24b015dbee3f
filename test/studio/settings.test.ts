import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserOfFile, complaintsOf, signInto } from '../harness/browser.ts'
import { engines, shared, startVerso } from '../harness/harness.ts'
import { openBrowser, testPassword } from '../harness/studio-browser.ts'

const open = browserOfFile()
const [engine] = engines
if (!engine) throw new Error('no engine')

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const said = (page: Page, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()
const dialog = (page: Page) => page.locator('dialog[open]')
const undo = (page: Page) => button(page, 'Undo').last().click()

describe('settings', () => {
  const started = shared(async () => {
    const verso = await startVerso(engine)
    const key = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'authors:read')
    return {
      verso,
      read: async (path: string) => (await verso.get(path, { key })).body,
      write: (path: string, body: object) => verso.post(path, body, { key }),
    }
  })
  /** A page of the owner, whose complaints are looked at in the end. */
  const enter = async (path: string, name: string) => {
    const { verso } = await started()
    const page = await open()
    const complaints = complaintsOf(page)
    await signInto(page, verso, name, 'owner')
    await page.goto(`${verso.app.url}/studio/in/default/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { page, complaints }
  }

  it('the project: an example of the permalink while one types, faults where they are, and undo', async () => {
    const { read } = await started()
    const { page } = await enter('settings', 'Owner D')
    await page.getByLabel('Address of the website').fill('https://harbour.example')
    await page.getByLabel('Address of a post').fill('/blog')
    await button(page, 'Save').click()
    await page.getByText('The permalink must be a path').waitFor()
    await page.getByLabel('Address of a post').fill('/{slug}/read')
    expect(await page.locator('output').textContent()).toMatch(/^https:\/\/harbour\.example\/[a-z0-9-]+\/read$/)
    await button(page, 'Save').click()
    await page.getByRole('link', { name: 'RSS' }).waitFor()
    expect(await read('/v1/admin/project')).toMatchObject({ siteUrl: 'https://harbour.example', permalink: '/{slug}/read' })
    await undo(page)
    await page.getByText('Readers can subscribe once').waitFor()
    expect(await read('/v1/admin/project')).toMatchObject({ siteUrl: null, permalink: null })
  })

  it('keys: shown once, and revoked; webhooks: made, tested, turned off and deleted', async () => {
    const { verso, read } = await started()
    const { page, complaints } = await enter('settings/keys', 'Owner E')
    await button(page, 'New key').click()
    await page.getByLabel('What it is for').fill('Preview')
    await button(page, 'Create').click()
    const token = await page.locator('.secret').inputValue()
    expect((await verso.get('/v1/posts?status=draft', { key: token })).status).toBe(200)
    expect((await verso.post('/v1/posts', { title: 'No' }, { key: token })).status).toBe(403)
    await button(page, 'Done').click()
    await button(page, 'Revoke Preview?').click()
    await dialog(page).getByRole('button', { name: 'Revoke', exact: true }).click()
    await said(page, 'Preview revoked.')
    expect((await verso.get('/v1/posts', { key: token })).status).toBe(401)

    await page.getByRole('link', { name: 'Webhooks' }).click()
    await button(page, 'New webhook').click()
    await page.getByLabel('Send to').fill('https://hooks.example/verso')
    await button(page, 'Create').click()
    expect(await page.locator('.secret').inputValue()).toMatch(/^whsec_/)
    await button(page, 'Done').click()
    await page.getByRole('link', { name: 'hooks.example' }).click()
    await button(page, 'Send a test').click()
    await page.locator('.rows li', { hasText: 'webhook.ping' }).waitFor()
    await button(page, 'More about hooks.example').click()
    await button(page, 'Turn off').click()
    await page.getByText('Off', { exact: false }).first().waitFor()
    await button(page, 'More about hooks.example').click()
    await page.locator('.menu').getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    expect((await read('/v1/admin/webhooks')).data).toEqual([])
    expect(complaints).toEqual([])
  })

  it('people: invited with a role, which is changed and taken away; one’s own password is changed', async () => {
    const { verso, read } = await started()
    const people = async () =>
      Object.fromEntries((await read('/v1/admin/people')).data.map(({ name, role }: Record<string, string>) => [name, role]))
    const { page } = await enter('settings/people', 'Owner F')
    await button(page, 'Invite someone').click()
    await page.getByLabel('Name').fill('Nia Brandt')
    await page.getByRole('radio', { name: 'Editor' }).check()
    await button(page, 'Make the link').click()
    const link = await page.locator('.secret').inputValue()
    expect(link).toMatch(/\/studio\/welcome#verso_link_/)
    await button(page, 'Done').click()
    expect(await people()).toMatchObject({ 'Nia Brandt': 'editor' })
    await button(page, 'Nia Brandt').click()
    await page.getByRole('radio', { name: 'Writer' }).check()
    await button(page, 'Save').click()
    await said(page, 'Nia Brandt saved.')
    expect(await people()).toMatchObject({ 'Nia Brandt': 'writer' })
    await button(page, 'More about Nia Brandt').click()
    await page.locator('.menu:popover-open').getByRole('button', { name: 'Remove' }).click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await said(page, 'Nia Brandt removed.')
    expect(await people()).not.toHaveProperty('Nia Brandt')

    await button(page, 'Owner F').first().click()
    await page.getByRole('link', { name: 'Your account' }).click()
    await page.getByLabel('Password until now').fill('not this one at all')
    await page.getByLabel('New password').fill('a longer one than before')
    await button(page, 'Change password').click()
    await page.getByText('This is not your password until now.').waitFor()
    await page.getByLabel('Password until now').fill(testPassword)
    await button(page, 'Change password').click()
    await said(page, 'Password changed.')
    const { status } = await openBrowser(verso.app.url).post('', { name: 'Owner F', password: 'a longer one than before' })
    expect(status).toBe(201)
  })
})
