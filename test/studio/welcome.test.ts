import { describe, expect, it } from 'vitest'
import { invite, testPassword } from '../harness/studio-browser.ts'
import { button, studioOfFile } from './steps.ts'

describe('a one-time link', () => {
  const { open, started } = studioOfFile()
  const over = 'This link no longer works: it has been used, or its 72 hours are over.'

  it('is still good when the page is loaded again; used, it says so, and leads to where one signs in', async () => {
    const { verso } = await started()
    const { link } = await invite(verso, 'Mira Holt', 'editor')
    const page = await open()
    await page.goto(`${verso.app.url}/studio/welcome#${link}`)
    await page.getByRole('heading', { name: 'Welcome, Mira Holt' }).waitFor()
    expect(page.url()).not.toContain(link)
    await page.reload()
    await page.getByLabel('Password').fill(testPassword)
    await button(page, 'Set password').click()
    await page.getByRole('heading', { name: 'Posts' }).waitFor()

    await page.goto(`${verso.app.url}/studio/welcome#${link}`)
    await page.getByText(over).waitFor()
    await page.reload()
    await page.getByText(over).waitFor()
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.getByRole('heading', { name: 'Posts' }).waitFor()

    const other = await open()
    await other.goto(`${verso.app.url}/studio/welcome`)
    await other.getByText(over).waitFor()
    await other.getByText('an owner of the project can give you a new link').waitFor()
    await other.getByRole('link', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('that is used elsewhere meanwhile says so when the password is set, and gives way to another', async () => {
    const { verso } = await started()
    const { link } = await invite(verso, 'Nia Brandt', 'editor')
    const pages = [await open(), await open()] as const
    for (const page of pages) {
      await page.goto(`${verso.app.url}/studio/welcome#${link}`)
      await page.getByLabel('Password').fill(testPassword)
    }
    await button(pages[0], 'Set password').click()
    await pages[0].getByRole('heading', { name: 'Posts' }).waitFor()
    await button(pages[1], 'Set password').click()
    await pages[1].getByText(over).waitFor()
    const { link: another } = await invite(verso, 'Noa Brandt', 'editor')
    await pages[1].goto(`${verso.app.url}/studio/welcome#${another}`)
    await pages[1].getByRole('heading', { name: 'Welcome, Noa Brandt' }).waitFor()
  })
})
