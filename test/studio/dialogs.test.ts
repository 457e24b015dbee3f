import { describe, expect, it } from 'vitest'
import { button, dialog, focused, holdSaves, saving, studioOfFile } from './steps.ts'

describe('dialogs', () => {
  const { started, enter } = studioOfFile()
  const opened = async (name: string, scheduledFor?: string) => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: name, content: 'Ferries.', status: 'published' })).body
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Ferries and trams.' })
    if (scheduledFor) await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor })
    const { page } = await enter({ name, path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    return page
  }

  it('keys do nothing below one: it does not open twice, and nothing is searched behind it', async () => {
    const page = await opened('Kay Keys')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Update').waitFor()
    for (const keys of ['Control+Enter', 'Control+f', 'Control+p']) await page.keyboard.press(keys)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.locator('.cm-search, iframe').count()).toBe(0)
    await page.keyboard.press('Control+p')
    await page.locator('iframe').waitFor()
  })

  it('one that is too long scrolls within: its scrollbar is a part of it, and not beside it', async () => {
    const page = await opened('Lon G')
    await page.setViewportSize({ width: 800, height: 400 })
    await page.keyboard.press('Control+.')
    const isLonger = (element: Element) => element.scrollHeight > element.clientHeight
    expect(await dialog(page).locator('.dialog-body').evaluate(isLonger)).toBe(true)
    expect(await dialog(page).evaluate(isLonger)).toBe(false)
  })

  it('while what was written is being saved, where one publishes that is said, and not that nothing was written', async () => {
    const page = await opened('Sloan Slow')
    const answer = await holdSaves(page)
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And buses.')
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByText('Saving …').waitFor()
    answer()
    await button(dialog(page), 'Update').waitFor()
  })

  it('while Verso has a problem that is said, also where one publishes, and it is tried again; nobody is called offline', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Failing', content: 'Ferries.', status: 'published' })).body
    const { page } = await enter({ name: 'Fay Ling', path: `posts/${id}` })
    await page.route('**/pending', (route) => route.fulfill({ status: 500, json: { code: 'internal', status: 500 } }))
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And buses.')
    await saving(page, 'Verso has a problem. Kept on this device.')
    await page.keyboard.press('Control+Enter')
    await dialog(page).getByText('Verso has a problem. Kept on this device.').waitFor()
    await page.unroute('**/pending')
    await button(dialog(page), 'Update').waitFor()
  })

  it('what is said while one is open is said above it', async () => {
    const page = await opened('Abe Above')
    await page.route('**/v1/posts/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Back to draft').click()
    const toast = dialog(page).locator('.toast')
    await toast.getByText('Verso cannot be reached.').waitFor()
    const isOnTop = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.toast') === element
    }
    expect(await toast.evaluate(isOnTop)).toBe(true)
  })

  it('whoever closes one that a menu has opened is back at the button of the menu', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Thrown away' })).body
    await verso.delete(`/v1/posts/${id}`)
    const { page } = await enter({ name: 'Mel Enu', path: 'trash' })
    const more = button(page, 'More for Thrown away')
    await more.press('Enter')
    await focused(page, button(page, 'Delete for good'))
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await focused(page, more)
  })

  it('an update that is scheduled begins with its time', async () => {
    const page = await opened('Tim E', '2026-06-12T07:00:00.000Z')
    await page.keyboard.press('Control+Enter')
    expect(await page.getByRole('radio', { name: 'At a time' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Your time (Europe/Berlin)').inputValue()).toBe('2026-06-12T09:00')
  })

  it('what is shown once goes by Escape and by back only after a question, until it is copied', async () => {
    const { page } = await enter({ name: 'One Time', role: 'owner', path: 'posts' })
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.message())
      return question.dismiss()
    })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'People' }).click()
    await button(page, 'Invite someone').click()
    await page.getByLabel('Name').fill('Nia Brandt')
    await button(page, 'Make the link').click()
    const secret = page.locator('.secret')
    await focused(page, secret)
    await page.keyboard.press('Escape')
    await expect.poll(() => asked).toEqual(['It is shown only this once. Close it without copying it?'])
    await page.goBack()
    await expect.poll(() => asked.length).toBe(2)
    expect(await secret.inputValue()).toMatch(/verso_link_/)
    await secret.press('Control+a')
    await secret.press('Control+c')
    await button(page, 'Copied').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect(asked).toHaveLength(2)
  })
})
