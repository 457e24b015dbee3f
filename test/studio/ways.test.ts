import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, dialog, focused, holdSaves, said, studioOfFile, undo } from './steps.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()

describe('from screen to screen', () => {
  const { enter, started } = studioOfFile()

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

  it('the first Tab offers a way past the navigation', async () => {
    const { page } = await enter({ path: 'trash', name: 'Owner P', role: 'owner' })
    await heading(page, 'Trash').waitFor()
    const before = page.url()
    await page.keyboard.press('Tab')
    await focused(page, link(page, 'Skip to content'))
    await page.keyboard.press('Enter')
    await focused(page, page.locator('main'))
    expect(page.url()).toBe(before)
  })

  it('who does not wait until a text is saved and goes on stays where they have gone', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Slow', content: 'Ferries.', status: 'published' })).body
    const { page } = await enter({ path: `posts/${id}`, name: 'Editor M' })
    const answer = await holdSaves(page)
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And trams.')
    for (let n = 0; n < 2; n++) await link(page, 'Posts').click()
    await heading(page, 'Posts').waitFor()
    await link(page, 'Trash').click()
    await heading(page, 'Trash').waitFor()
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    answer()
    await (await saved).finished()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(page.url()).toMatch(/\/trash$/)
  })

  it('what narrows the list is shown, though it is not among the choices', async () => {
    const { page } = await enter({ path: 'posts?tag=gone&author=auth_gone', name: 'Editor N' })
    await page.getByText('No posts match.').waitFor()
    const chosen = (name: string) =>
      page.getByLabel(name, { exact: true }).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
    expect([await chosen('Tag'), await chosen('Author'), await chosen('Category')]).toEqual(['gone', '…', 'Any category'])
  })

  it('drafts that are published from the list: of one that was changed since, it is said that the change is not', async () => {
    const { verso, read, write } = await started()
    const titles = ['Sent whole', 'Sent without its edit']
    const ids = await Promise.all(titles.map(async (title) => (await write('/v1/posts', { title })).body.id))
    await verso.patch(`/v1/posts/${ids[1]}/pending`, { content: 'Newer.' })
    const { page } = await enter({ path: 'posts?search=Sent', name: 'Editor P' })
    for (const i of [0, 1]) await page.getByRole('checkbox').nth(i).check()
    await button(page, 'Publish').click()
    await said(page, '2 posts published. 1 has a pending edit that readers do not see yet.')
    await undo(page)
    await expect.poll(async () => (await read('/v1/posts?search=Sent&status=draft')).data.length).toBe(2)
  })

  it('a script that did not come is asked for again', async () => {
    const { page } = await enter({ path: 'trash', name: 'Owner M', role: 'owner' })
    await heading(page, 'Trash').waitFor()
    await page.route('**/media-*.js', (route) => route.abort())
    await link(page, 'Media').click()
    await Promise.all([page.waitForEvent('load'), button(page, 'Try again').click()])
    await button(page, 'Try again').waitFor()
    await page.unroute('**/media-*.js')
    await button(page, 'Try again').click()
    await heading(page, 'Media').waitFor()
  })

  it('a long list is found as it was left, by the link of the editor and by back; anew it begins at its top', async () => {
    const { write } = await started()
    for (let i = 0; i < 70; i++) await write('/v1/posts', { title: `Letter ${i}`, status: 'published' })
    const { page } = await enter({ path: 'posts', name: 'Editor L' })
    await button(page, /^Published/).click()
    const rows = page.locator('.post-row')
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    while ((await rows.count()) < 60) await page.mouse.wheel(0, 2_000)
    const letter = link(page, await rows.nth(50).getByRole('link').innerText())
    await letter.scrollIntoViewIfNeeded()
    const [shown, top] = [await rows.count(), await scrolled()]
    expect(top).toBeGreaterThan(1_000)
    for (const goBack of [() => link(page, 'Posts').click(), () => page.goBack()]) {
      await letter.click()
      await page.getByLabel('Title').waitFor()
      await goBack()
      await letter.waitFor()
      expect(await rows.count()).toBeGreaterThanOrEqual(shown)
      await expect.poll(scrolled).toBe(top)
      expect(new URL(page.url()).search).toBe('?status=published')
    }
    await link(page, 'Media').click()
    await link(page, 'Posts').click()
    await heading(page, 'Posts').waitFor()
    await expect.poll(scrolled).toBe(0)
  })

  it('what was typed and not sent is not lost without a question: by link, back, Escape and reload', async () => {
    const { page } = await enter({ path: 'settings', name: 'Owner N', role: 'owner' })
    const answers: ('accept' | 'dismiss')[] = []
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      return answers.shift() === 'accept' ? question.accept() : question.dismiss()
    })
    await link(page, 'Trash').click()
    await heading(page, 'Trash').waitFor()
    await link(page, 'Settings').click()
    const notes = page.getByLabel('How to write here')
    await notes.fill('Write plainly.')
    await link(page, 'Posts').click()
    await expect.poll(() => asked.length).toBe(1)
    await page.goBack()
    await expect.poll(() => asked.length).toBe(2)
    expect(await notes.inputValue()).toBe('Write plainly.')
    expect(page.url()).toMatch(/\/settings$/)
    await page.evaluate(() => location.reload())
    await expect.poll(() => asked.at(-1)).toBe('beforeunload')
    answers.push('accept')
    await page.goBack()
    await heading(page, 'Trash').waitFor()

    // What was sent may be left, and so may what was cleared away on purpose.
    asked.length = 0
    await link(page, 'Settings').click()
    await notes.fill('Write plainly.')
    await button(page, 'Save').click()
    await said(page, 'Settings saved.')
    await link(page, 'Authors').click()
    await button(page, 'New author').click()
    await page.getByLabel('Name').fill('Mara Lindqvist')
    await page.keyboard.press('Escape')
    await expect.poll(() => asked.length).toBe(1)
    expect(await page.getByLabel('Name').inputValue()).toBe('Mara Lindqvist')
    await button(page, 'Cancel').click()
    await dialog(page).waitFor({ state: 'detached' })
    await link(page, 'Posts').click()
    await heading(page, 'Posts').waitFor()
    expect(asked).toEqual(['confirm'])
  })

  it('what could not be sent is said, also to who has gone on meanwhile', async () => {
    const { page } = await enter({ path: 'settings', name: 'Owner O', role: 'owner' })
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/admin/project', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await asked
      await route.fulfill({ status: 403, json: { code: 'insufficient_scope', status: 403 } })
    })
    await page.getByLabel('How to write here').fill('Write shortly.')
    await button(page, 'Save').click()
    await link(page, 'Trash').click()
    await heading(page, 'Trash').waitFor()
    answer()
    await said(page, 'Your role does not allow this.')
  })
})
