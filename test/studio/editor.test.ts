import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, dialog, focused, said, saving, studioOfFile, undo } from './steps.ts'

/** A PNG of one pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

describe('the editor', () => {
  const { started, enter } = studioOfFile()

  it('the address of a picture, dropped on the text, is that picture; the editor fills the screen and comes back', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Dropped' })).body
    const { page, complaints } = await enter({ name: 'Dee Drop', path: `posts/${id}` })
    const url = 'https://pictures.example/pier.png?w=2'
    await page.route(url, (route) => route.fulfill({ body: pixel, contentType: 'image/png' }))
    const drag = await page.evaluateHandle((dropped) => {
      const data = new DataTransfer()
      data.setData('text/plain', dropped)
      return data
    }, url)
    await page.locator('.cm-content').dispatchEvent('drop', { dataTransfer: drag })
    await page.locator('.md-image:not([hidden])').waitFor()
    await saving(page, 'Saved')
    expect((await verso.get(`/v1/posts/${id}/pending`)).body.content).toBe(`![](${url})`)

    await button(page, 'Full screen').click()
    await page.waitForFunction(() => document.fullscreenElement?.contains(document.querySelector('.toasts')))
    await button(page, 'Full screen').click()
    await page.waitForFunction(() => document.fullscreenElement === null)
    await button(page, 'Full screen').click()
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.waitForFunction(() => document.fullscreenElement === null)
    expect(complaints).toEqual([])
  })

  it('formats without Markdown: bold and back, a list, a link, the slash menu, and rich text that is pasted', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Formats', content: 'one\r\ntwo\r\n' })).body
    const { page, complaints } = await enter({ name: 'Fay Format', path: `posts/${id}` })
    const text = page.locator('.cm-content')
    const written = (content: string) =>
      expect.poll(async () => (await verso.get(`/v1/posts/${id}/pending`)).body.content, { timeout: 20_000 }).toBe(content)
    await text.press('Control+Home')
    await page.keyboard.press('Shift+End')
    for (const name of ['Bold', 'Bold', 'Italic']) await button(page, name).click()
    await page.keyboard.press('Control+A')
    await button(page, 'List').click()
    await written('- *one*\r\n- two\r\n')
    await page.keyboard.press('Control+End')
    await page.keyboard.type('/link')
    await page.getByRole('option', { name: 'Link' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('here')
    await written('- *one*\r\n- two\r\n[here](https://)')
    await page.keyboard.press('Control+A')
    const pasted = '<h2>Tides</h2><p>High and <b>low</b>.</p>'
    await text.evaluate((element, html) => {
      const data = new DataTransfer()
      data.setData('text/html', html)
      data.setData('text/plain', 'Tides')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, pasted)
    await text.getByText('Tides').waitFor()
    await written('## Tides\r\n\r\nHigh and **low**.')
    expect(complaints).toEqual([])
  })

  it('a link shows the post to whoever has it, until it is revoked', async () => {
    const { verso } = await started()
    await verso.patch(
      '/v1/admin/project',
      { siteUrl: 'https://harbour.example', permalink: '/{slug}' },
      { key: await verso.keyWith('admin') },
    )
    const { id } = (await verso.post('/v1/posts', { title: 'Not yet' })).body
    const { page } = await enter({ name: 'Lin Link', path: `posts/${id}`, options: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('summary', { hasText: 'Who can see it' }).click()
    await button(page, 'Copy a preview link').click()
    await said(page, 'The link is copied')
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    expect(link.origin + link.pathname).toBe('https://harbour.example/not-yet')
    const read = async () => (await verso.get(`/v1/posts/${id}${link.search}`, { key: null })).status
    expect(await read()).toBe(200)
    await button(page, 'Revoke').click()
    await button(page, 'Revoke').waitFor({ state: 'detached' })
    expect(await read()).toBe(404)
  })

  it('where there is no clipboard, such as on a page without TLS, the link is shown', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'By hand' })).body
    const { page } = await enter({ name: 'Han Ded', path: 'posts' })
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'))
    await page.goto(`${verso.app.url}/studio/in/default/posts/${id}`)
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('summary', { hasText: 'Who can see it' }).click()
    await button(page, 'Copy a preview link').click()
    const link = new URL(await page.locator('.secret').inputValue())
    expect((await verso.get(`/v1/posts/${id}${link.search}`, { key: null })).status).toBe(200)
    await button(page, 'Done').click()
    await button(page, 'Revoke').waitFor()
  })

  it('an update of a published post for later: said in words, seen in the calendar, made at its time; the dialog begins with the choice', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Timetable', content: 'Ferries.', status: 'published' })).body
    const { page, complaints } = await enter({ name: 'Upe Date', path: `posts/${id}` })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And trams.')
    await saving(page, 'Saved')
    await page.keyboard.press('Control+Enter')
    await focused(page, page.getByRole('radio', { name: 'Now', exact: true }))
    await page.keyboard.press('ArrowDown')
    // The site is in UTC, its editor in Berlin.
    await page.getByLabel('The website’s time (UTC)').fill('2026-06-03T07:30')
    expect(await page.getByLabel('Your time (Europe/Berlin)').inputValue()).toBe('2026-06-03T09:30')
    await page.getByLabel('Your time (Europe/Berlin)').fill('2020-06-03T09:30')
    await page.getByText('This time has passed.').waitFor()
    expect(await button(dialog(page), 'Schedule').isDisabled()).toBe(true)
    await page.getByLabel('Your time (Europe/Berlin)').fill('2026-06-03T09:30')
    await page.getByText('Readers will see your changes from').waitFor()
    await button(dialog(page), 'Schedule').click()
    await said(page, 'Scheduled for 3 Jun 2026')
    await page.getByText('Update on 3 Jun 2026, 09:30').waitFor()
    await page.goto(`${verso.app.url}/studio/in/default/calendar`)
    const update = page.locator('.day', { hasText: '3 June' }).locator('.day-post.update')
    await update.filter({ hasText: 'Timetable' }).waitFor()
    const publicText = async () => (await verso.get(`/v1/posts/${id}`, { key: verso.public })).body.content
    expect(await publicText()).toBe('Ferries.')
    verso.context.travelTo('2026-06-03T07:31:00Z')
    expect(await publicText()).toBe('Ferries. And trams.')
    expect(complaints).toEqual([])
  })

  it('an update that could not be made at its time: the editor says so, and why', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Late', status: 'published' })).body
    await verso.patch(`/v1/posts/${id}/pending`, { slug: 'wanted-by-two' })
    await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor: '2026-06-04T07:00:00Z' })
    await verso.post('/v1/posts', { title: 'First', slug: 'wanted-by-two', status: 'published' })
    verso.context.travelTo('2026-06-04T07:01:00Z')
    const { page } = await enter({ name: 'Miss Taken', path: `posts/${id}` })
    await page.getByText(/^The update of 4 Jun 2026, 09:00 was not made: .*wanted-by-two/).waitFor()
  })

  it('an edit that is discarded comes back, with its time and with what was written meanwhile', async () => {
    const { verso } = await started()
    const content = 'Ferries.\n\nBuses.'
    const { id } = (await verso.post('/v1/posts', { title: 'Discarded', content, status: 'published' })).body
    const scheduledFor = '2026-06-12T07:00:00.000Z'
    await verso.patch(`/v1/posts/${id}/pending`, { content: `${content} And trams.`, excerpt: 'All of them.' })
    await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor })
    const { page, complaints } = await enter({ name: 'Dis Card', path: `posts/${id}` })
    const text = page.locator('.cm-content')
    await text.getByText('Buses. And trams.').waitFor()
    await button(page, 'Update').click()
    await button(dialog(page), 'Discard the edit').click()
    await said(page, 'The edit is discarded.')
    await text.getByText('And trams.').waitFor({ state: 'detached' })
    expect((await verso.get(`/v1/posts/${id}/pending`)).status).toBe(404)
    await text.press('Control+Home')
    await page.keyboard.type('Slow ')
    await undo(page)
    await page.getByText('Update on 12 Jun 2026').waitFor()
    await text.getByText('Buses. And trams.').waitFor()
    const edit = { content: `Slow ${content} And trams.`, excerpt: 'All of them.', scheduledFor }
    expect((await verso.get(`/v1/posts/${id}/pending`)).body).toMatchObject(edit)
    expect(complaints).toEqual([])
  })

  it('a scheduled post: what is written is said to be missing in what goes out, until one updates it', async () => {
    const { verso } = await started()
    const scheduledFor = '2026-06-12T07:00:00.000Z'
    const { id } = (await verso.post('/v1/posts', { title: 'Tomorrow', content: 'Ferries.', status: 'scheduled', scheduledFor })).body
    const missing = (page: Page) => page.getByText('Goes out without these changes')
    const { page: writer } = await enter({ name: 'Wim Writer', role: 'writer', path: `posts/${id}` })
    await writer.locator('.cm-content').press('Control+End')
    await writer.keyboard.type(' And trams.')
    await missing(writer).waitFor()
    const { page, complaints } = await enter({ name: 'Sky Ed', path: `posts/${id}` })
    await missing(page).waitFor()
    await button(page, 'Update').click()
    await dialog(page).getByRole('heading', { name: 'Update the scheduled post' }).waitFor()
    await page.getByText('with these changes from Friday').waitFor()
    await button(dialog(page), 'Update').click()
    await said(page, 'Scheduled for 12 Jun 2026')
    await missing(page).waitFor({ state: 'detached' })
    await button(page, 'Publish').waitFor()
    expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ content: 'Ferries. And trams.', scheduledFor, hasPendingEdit: false })
    expect(complaints).toEqual([])
  })

  it('a search that nobody waits for any more is given up', async () => {
    const { page } = await enter({ name: 'Sue Search', path: 'posts' })
    await page.route(/search=ti(?!de)/, () => undefined)
    await page.getByRole('heading', { name: 'Posts' }).waitFor()
    await page.keyboard.press('Control+k')
    const asked = page.waitForRequest(/search=ti(?!de)/)
    await page.keyboard.type('ti')
    await asked
    const givenUp = page.waitForEvent('requestfailed', (request) => /search=ti(?!de)/.test(request.url()))
    await page.keyboard.type('de')
    await givenUp
  })

  it('who else writes is named at once, and what they save appears', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Together', content: 'One.\n\nTwo.', status: 'published' })).body
    const { page: mine } = await enter({ name: 'Ann Here', path: `posts/${id}` })
    const { page: theirs } = await enter({ name: 'Bo There', path: `posts/${id}` })
    await mine.locator('.cm-content').waitFor()
    await theirs.locator('.cm-content').press('Control+End')
    await theirs.keyboard.type(' Three.')
    await mine.getByText('Bo There is writing here, too.').waitFor()
    await mine.locator('.cm-content').getByText('Two. Three.').waitFor()
  })

  it('what Verso refuses of the text is said at the text, until it is written anew', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Refused', content: 'Ferries.\n'.repeat(60) })).body
    const { page } = await enter({ name: 'Rea Fused', path: `posts/${id}` })
    const text = page.locator('.cm-content')
    await text.press('Control+End')
    await text.evaluate((element) => {
      const data = new DataTransfer()
      data.setData('text/plain', 'a\0b')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    const fault = page.getByRole('alert').filter({ hasText: 'holds a NUL character' })
    await fault.waitFor()
    // It is seen where one writes, however long the text is.
    const isSeen = (element: Element) => element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight
    expect(await fault.evaluate(isSeen)).toBe(true)
    await text.press('Control+z')
    await saving(page, 'Saved')
    await fault.waitFor({ state: 'detached' })
  })

  it('a tag is added when one says so, not when what is typed so far is another tag', async () => {
    const { verso } = await started()
    await verso.post('/v1/posts', { title: 'By the sea', tags: ['sea'] })
    const { id } = (await verso.post('/v1/posts', { title: 'At the seaside' })).body
    const { page } = await enter({ name: 'Tia Typing', path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('datalist option[value=sea]').waitFor({ state: 'attached' })
    const input = page.getByRole('combobox', { name: 'Tags' })
    await input.pressSequentially('seat')
    await page.keyboard.press('Backspace')
    expect(await input.inputValue()).toBe('sea')
    await input.pressSequentially('side')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await verso.get(`/v1/posts/${id}/pending`)).body.tags).toEqual(['seaside'])
  })

  it('a tag with a comma in its name is chosen whole', async () => {
    const { verso } = await started()
    await verso.post('/v1/posts', { title: 'At table', tags: ['Food, drink'] })
    const { id } = (await verso.post('/v1/posts', { title: 'In the kitchen' })).body
    const { page } = await enter({ name: 'Com Ma', path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('datalist option[value="Food, drink"]').waitFor({ state: 'attached' })
    // As browsers tell of what is chosen from a list.
    await page.getByRole('combobox', { name: 'Tags' }).evaluate((input) => {
      Object.assign(input, { value: 'Food, drink' })
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await expect.poll(async () => (await verso.get(`/v1/posts/${id}/pending`)).body.tags).toEqual(['Food, drink'])
  })

  it('a long list of tags is pasted whole, and that there are too many is said', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Many tags' })).body
    const { page } = await enter({ name: 'Max Tags', path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.getByRole('combobox', { name: 'Tags' }).focus()
    await page.keyboard.insertText(Array.from({ length: 60 }, (_, i) => `tag ${i}`).join(', '))
    await page.locator('.settings .note.error', { hasText: '50' }).waitFor()
    expect(await page.locator('.tag').count()).toBe(60)
  })

  it('a title that is cleared is asked for, and the rest is saved', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Cleared', content: 'Ferries.' })).body
    const { page } = await enter({ name: 'Cle Ar', path: `posts/${id}` })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And trams.')
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('')
    await saving(page, 'Not all of it could be saved')
    await page.locator('.desk-title .note.error').waitFor()
    expect((await verso.get(`/v1/posts/${id}/pending`)).body).toMatchObject({ title: 'Cleared', content: 'Ferries. And trams.' })
    await title.fill('Clear')
    await saving(page, 'Saved')
    expect((await verso.get(`/v1/posts/${id}/pending`)).body.title).toBe('Clear')
  })

  it('a post goes out as it is written or not at all: what Verso refuses of it is said where one publishes', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Half', content: 'Ferries.' })).body
    const { page } = await enter({ name: 'Ha Lef', path: `posts/${id}` })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And trams.')
    await page.keyboard.press('Control+.')
    await page.getByLabel('Address', { exact: true }).fill('Not OK!')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Publish').click()
    await dialog(page).getByRole('alert').filter({ hasText: 'single hyphens' }).waitFor()
    expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ status: 'draft', content: 'Ferries.' })
    await button(dialog(page), 'Close').click()
    await page.getByLabel('Address', { exact: true }).fill('half-a-post')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Publish').click()
    await said(page, 'Published.')
    const published = { status: 'published', slug: 'half-a-post', content: 'Ferries. And trams.' }
    expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject(published)
  })

  it('a draft that another has changed in the same place meanwhile is not published without a choice', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Disputed', content: 'Ferries.' })).body
    const { page } = await enter({ name: 'Dis Pute', path: `posts/${id}` })
    await page.route('**/pending', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Mine.')
    await saving(page, 'Offline')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Publish').waitFor()
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Ferries. Theirs.' })
    await page.unroute('**/pending')
    await button(dialog(page), 'Publish').click()
    await page.getByRole('heading', { name: 'Two versions' }).waitFor()
    await dialog(page).getByText('Waiting for your choice').waitFor()
    expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ status: 'draft', content: 'Ferries.' })
  })

  it.each([
    ['another paragraph: both changes go out', 'Ferries.\n\nBuses, too.', ['Ferries and trams.\n\nBuses, too.']],
    ['the same: one chooses first', 'Ferries by night.\n\nBuses.', ['Ferries by night.\n\nBuses.', 'Ferries and trams.\n\nBuses.']],
  ])('a pending edit is applied after the post was changed in %s', async (what, content, texts) => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: what, content: 'Ferries.\n\nBuses.', status: 'published' })).body
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Ferries and trams.\n\nBuses.' })
    await verso.patch(`/v1/posts/${id}`, { content })
    const { page } = await enter({ name: `Ap ${what}`, path: `posts/${id}` })
    const contentOf = async () => (await verso.get(`/v1/posts/${id}`)).body.content
    await page.locator('.cm-content').getByText('Ferries and trams.').waitFor()
    await button(page, 'Update').click()
    await button(dialog(page), 'Update').click()
    if (texts.length > 1) {
      await page.getByRole('heading', { name: 'Two versions' }).waitFor()
      expect(await contentOf()).toBe(texts[0])
      await button(page, 'Use these').click()
      await saving(page, 'Saved')
      await button(dialog(page), 'Update').click()
    }
    await said(page, 'Updated.')
    expect(await contentOf()).toBe(texts.at(-1))
  })

  it('what Verso refuses of the settings is named beside the state, also while they are closed', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Named', content: 'Ferries.' })).body
    const { page } = await enter({ name: 'Nan Amed', path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.getByLabel('Address', { exact: true }).fill('Not OK!')
    await page.keyboard.press('Control+.')
    await saving(page, 'Not all of it could be saved: Address')
  })

  it('an edit that was refused in part is discarded: nothing is said to be wrong any more', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Whole', content: 'Ferries.', status: 'published' })).body
    const { page } = await enter({ name: 'Who Le', path: `posts/${id}` })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And trams.')
    await page.keyboard.press('Control+.')
    const slug = page.getByLabel('Address', { exact: true })
    await slug.fill('Not OK!')
    await page.keyboard.press('Tab')
    await saving(page, 'Not all of it could be saved')
    await page.keyboard.press('Control+Enter')
    await button(dialog(page), 'Discard the edit').click()
    await said(page, 'The edit is discarded.')
    await saving(page, 'Saved')
    expect(await slug.inputValue()).toBe('whole')
    expect(await slug.getAttribute('aria-invalid')).toBe('false')
  })

  it('what is written from right to left stands so, line by line', async () => {
    const { verso } = await started()
    const content = 'שלום עולם.\n\nThe end.\n\n```\nnpm ci\n```'
    const { id } = (await verso.post('/v1/posts', { title: 'מדריך', content, excerpt: 'קצר' })).body
    const { page, complaints } = await enter({ name: 'Ray Left', path: `posts/${id}` })
    const directionOf = (element: Element) => getComputedStyle(element).direction
    const directions = () => page.locator('.cm-line').evaluateAll((lines) => lines.map((line) => getComputedStyle(line).direction))
    await page.locator('.cm-content').press('Control+End')
    expect(await directions()).toEqual(['rtl', ...Array(6).fill('ltr')])
    await page.keyboard.type('\nעוד')
    await expect.poll(directions).toEqual(['rtl', ...Array(6).fill('ltr'), 'rtl'])
    expect(await page.getByRole('textbox', { name: 'Title' }).evaluate(directionOf)).toBe('rtl')
    await page.keyboard.press('Control+.')
    expect(await page.getByRole('textbox', { name: 'Excerpt' }).evaluate(directionOf)).toBe('rtl')
    await page.keyboard.press('Control+p')
    const preview = page.frameLocator('iframe')
    await preview.getByText('עולם').waitFor()
    expect(await preview.getByText('עולם').evaluate(directionOf)).toBe('rtl')
    expect(await preview.getByText('npm ci').evaluate(directionOf)).toBe('ltr')
    await page.getByRole('link', { name: 'Posts' }).click()
    expect(await page.locator('.post-title', { hasText: 'מדריך' }).evaluate(directionOf)).toBe('rtl')
    expect(complaints).toEqual([])
  })
})
