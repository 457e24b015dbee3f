import { describe, expect, it } from 'vitest'
import { button, dialog, said, studioOfFile, tabTo, undo } from './steps.ts'

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('history, calendar, media and trash', () => {
  const { started, enter } = studioOfFile()

  it('history: the words that differ, who wrote them, and a version restored by keyboard, and taken back', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Tides', content: 'The sea was calm.\n\nWe slept.' })).body
    await verso.patch(`/v1/posts/${id}`, { content: 'The sea was rough.\n\nWe slept.' })
    await verso.patch(`/v1/posts/${id}`, { title: 'Low tides' })
    const contentOf = async () => (await verso.get(`/v1/posts/${id}`)).body.content
    const { page } = await enter({ name: 'Hedda Past', path: `posts/${id}/history` })
    await page.getByRole('heading', { name: 'Version 3' }).waitFor()
    await page.locator('.history-fields dt').waitFor()
    expect(await page.locator('.history-fields dt').allInnerTexts()).toEqual(['Title'])
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Version 2' }).waitFor()
    await page.locator('.history-text ins').waitFor()
    expect(await page.locator('.history-text del').allInnerTexts()).toEqual(['calm'])
    expect(await page.locator('.history-text ins').allInnerTexts()).toEqual(['rough'])
    await page.keyboard.press('j')
    await tabTo(page, button(page, 'Restore version 1'))
    await page.keyboard.press('Enter')
    await said(page, 'Version 1 restored.')
    expect(await contentOf()).toBe('The sea was calm.\n\nWe slept.')
    await page.locator('.history-version', { hasText: 'Hedda Past' }).waitFor()
    await undo(page)
    await page.locator('.history-version').nth(4).waitFor()
    expect(await contentOf()).toBe('The sea was rough.\n\nWe slept.')
  })

  it('calendar: a scheduled post is moved by keyboard in one change, and by mouse; never into the past', async () => {
    const { verso } = await started()
    const scheduledFor = '2026-06-12T07:00:00.000Z'
    const { id, version } = (await verso.post('/v1/posts', { title: 'Regatta', status: 'scheduled', scheduledFor })).body
    const now = async () => (await verso.get(`/v1/posts/${id}`)).body
    const { page } = await enter({ name: 'Carl Ender', path: 'calendar' })
    const link = page.getByRole('link', { name: 'Regatta' })
    await tabTo(page, link)
    // No rest between the keys, however slow the machine is.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(`Shift+${key}`)
    await page.clock.resume()
    expect(await link.evaluate((element) => element.matches(':focus'))).toBe(true)
    await said(page, 'scheduled for 21 Jun 2026, 09:00')
    expect(await now()).toMatchObject({ scheduledFor: '2026-06-21T07:00:00.000Z', version: version + 1 })
    await undo(page)
    await page.locator('.day', { hasText: '12 June' }).getByRole('link', { name: 'Regatta' }).waitFor()
    expect(await now()).toMatchObject({ scheduledFor })
    await link.dragTo(page.locator('.day', { hasText: '16 June' }))
    await said(page, 'scheduled for 16 Jun 2026, 09:00')
    expect(await now()).toMatchObject({ scheduledFor: '2026-06-16T07:00:00.000Z' })
    for (let week = 0; week < 3; week++) await page.keyboard.press('Shift+ArrowUp')
    await said(page, 'only be scheduled for a time to come')
  })

  it('calendar: at an address without a month that there is, it is this one', async () => {
    const { page, complaints } = await enter({ name: 'Mo Nth', path: 'calendar?month=2026-13' })
    await page.getByRole('heading', { name: 'June 2026' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('media: a picture is read by the browser, named by its alternative text, found in its post, and deleted', async () => {
    const { verso } = await started()
    const url = 'https://pictures.example/the%20pier.png'
    // No word of it but its address has the name of the picture.
    const { id } = (await verso.post('/v1/posts', { title: 'Low tide', content: `![](${url})` })).body
    await verso.post('/v1/posts', { title: 'Another pier', content: 'The pier, not as a PNG.' })
    const { page } = await enter({ name: 'Pia Picture', path: 'media' })
    const body = Buffer.from(pixel, 'base64')
    await page.route(url, (route) => route.fulfill({ body, contentType: 'image/png', headers: { 'timing-allow-origin': '*' } }))
    await page.getByText('No pictures yet.').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Address of the picture').fill(url)
    await page.keyboard.press('Enter')
    await page.getByText('1 × 1').waitFor()
    await page.getByRole('textbox', { name: 'Alternative text' }).fill('A pier at low tide')
    await tabTo(page, button(page, 'Add'))
    await page.keyboard.press('Enter')
    await said(page, 'the pier.png added.')
    const { data } = (await verso.get('/v1/media')).body
    expect(data).toMatchObject([{ url, filename: 'the pier.png', mimeType: 'image/png', width: 1, height: 1, alt: 'A pier at low tide' }])
    await page.locator('.media-card', { hasText: 'A pier at low tide' }).click()
    await page.getByText('Shown in 1 post').waitFor()
    expect(await page.getByRole('link', { name: 'Low tide', exact: true }).getAttribute('href')).toContain(id)
    await button(page, 'Delete').click()
    await page.getByText('1 post shows this picture').waitFor()
    await button(page, 'Delete').click()
    await page.getByText('No pictures yet.').waitFor()
    expect((await verso.get('/v1/media')).body.data).toEqual([])
  })

  it('trash: a post comes back, goes again, comes back under another address, and is deleted for good', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Lost', status: 'published' })).body
    await verso.delete(`/v1/posts/${id}`)
    const statusOf = async (slug: string) => (await verso.get(`/v1/posts/${slug}`, { key: verso.public })).status
    const { page } = await enter({ name: 'Tess Bin', path: 'trash' })
    await page.getByText('30 days left').waitFor()
    await button(page, 'Restore Lost').click()
    await said(page, '“Lost” restored.')
    expect(await statusOf('lost')).toBe(200)
    await undo(page)
    await button(page, 'Restore Lost').waitFor()
    expect(await statusOf('lost')).toBe(404)
    await verso.post('/v1/posts', { title: 'Another', slug: 'lost' })
    await button(page, 'Restore Lost').click()
    await said(page, 'it is lost-2')
    expect(await statusOf('lost-2')).toBe(200)
    await undo(page)
    await tabTo(page, button(page, 'More for Lost'))
    await page.keyboard.press('Enter')
    await page.locator('.menu button:focus').waitFor()
    await page.keyboard.press('Enter')
    const confirm = button(dialog(page), 'Delete for good')
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
    await page.getByText('The trash is empty.').waitFor()
    expect((await verso.get('/v1/posts?trashed=true')).body.data).toEqual([])
  })

  it('what is written from right to left stands so: its full stop is on the left', async () => {
    const { verso } = await started()
    const title = 'שלום עולם.'
    const { id } = (await verso.post('/v1/posts', { title, content: title, status: 'scheduled', scheduledFor: '2026-06-18T07:00:00.000Z' }))
      .body
    await verso.delete(`/v1/posts/${(await verso.post('/v1/posts', { title })).body.id}`)
    const isRightToLeft = (element: Element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      const leftOf = (at: number) => {
        const range = new Range()
        if (text) range.setStart(text, at)
        if (text) range.setEnd(text, at + 1)
        return range.getBoundingClientRect().left
      }
      return leftOf((text?.nodeValue?.length ?? 0) - 1) < leftOf(0)
    }
    const { page } = await enter({ name: 'Ray Left', path: `posts/${id}/history` })
    for (const [path, place] of [
      [`posts/${id}/history`, '.page-back span'],
      [`posts/${id}/history`, '.history-text p'],
      ['calendar', '.day-title'],
      ['trash', '.row-name'],
    ] as const) {
      await page.goto(`${verso.app.url}/studio/in/default/${path}`)
      expect([place, await page.locator(place, { hasText: title }).evaluate(isRightToLeft)]).toEqual([place, true])
    }
  })
})
