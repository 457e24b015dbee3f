import { describe, expect, it } from 'vitest'
import { button, dialog, saving, studioOfFile } from './steps.ts'

const viewport = { width: 360, height: 640 }

describe('a small window', () => {
  const { started, enter } = studioOfFile()

  it('360 px wide: every format is seen, and so is all of what a scheduled post goes without', async () => {
    const { verso } = await started()
    const scheduled = { status: 'scheduled', scheduledFor: '2026-06-12T07:00:00.000Z' }
    const { id } = (await verso.post('/v1/posts', { title: 'Narrow', content: 'Ferries.', ...scheduled })).body
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Ferries. And trams.' })
    const { page } = await enter({ name: 'Nan Row', path: `posts/${id}`, options: { viewport } })
    const note = page.getByText('Goes out without these changes')
    await note.waitFor()
    const isWhole = (element: Element) => element.scrollWidth <= element.clientWidth
    expect(await note.evaluate(isWhole)).toBe(true)
    expect(await page.locator('.desk-formats').evaluate(isWhole)).toBe(true)
  })

  it('360 px wide: a long word without a place to break is as wide as its dialog at most', async () => {
    const { write } = await started()
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'
    const scheduled = { status: 'scheduled', scheduledFor: '2026-06-12T07:00:00Z' }
    const { id } = (await write('/v1/posts', { title: word, tags: [word], ...scheduled })).body
    const { page } = await enter({ name: 'Lon Gword', path: 'calendar?month=2026-06', options: { viewport } })
    const isWider = (element: Element) => element.scrollWidth > element.clientWidth
    await button(page, `Reschedule ${word}`).click()
    expect(await dialog(page).locator('.dialog-body').evaluate(isWider)).toBe(false)
    await page.goto(page.url().replace(/calendar.*/, `posts/${id}`))
    await button(page, 'Post settings').click()
    await button(page, `Remove ${word}`).waitFor()
    expect(await dialog(page).locator('.dialog-body').evaluate(isWider)).toBe(false)
  })

  it('360 px wide: what does not fit beside the state is cut with a sign that there is more', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Cut', content: 'Fähren.', status: 'published' })).body
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Fähren und Bahnen.' })
    const { page } = await enter({ name: 'Cut', path: `posts/${id}`, options: { viewport, locale: 'de-DE' } })
    await saving(page, 'Gespeichert')
    const [state, note] = [await page.locator('.desk-state').boundingBox(), await page.locator('.desk-note[role]').boundingBox()]
    expect((note?.x ?? 0) + (note?.width ?? 0)).toBeLessThanOrEqual((state?.x ?? 0) + (state?.width ?? 0))
  })

  it('360 px wide: a mark shows whether the post is published, and a screen reader says it', async () => {
    const { verso } = await started()
    for (const [status, word] of [
      ['draft', 'Draft'],
      ['published', 'Published'],
    ] as const) {
      const { id } = (await verso.post('/v1/posts', { title: `Small ${status}`, content: 'Ferries.', status })).body
      const { page } = await enter({ name: `Small ${status}`, path: `posts/${id}`, options: { viewport } })
      await page.locator(`.desk-state .mark.${status}`).waitFor()
      expect(await page.locator('.desk-state').ariaSnapshot()).toContain(word)
    }
  })

  it.each([300, 400, 640])('%i px high: the formats behind / stand between the bars, the last one, too', async (height) => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: `Low ${height}`, content: 'Ferries.\n'.repeat(60) })).body
    const { page } = await enter({ name: `Low ${height}`, path: `posts/${id}`, options: { viewport: { width: 800, height } } })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type('/')
    await page.getByRole('option').first().waitFor()
    await saving(page, 'Saved')
    await page.keyboard.press('ArrowUp')
    await page.locator('li[aria-selected=true]', { hasText: 'Line' }).waitFor()
    const edges = () =>
      page.evaluate(() => {
        const shadow = document.querySelector('.desk-text')?.shadowRoot
        const boxes = [
          document.querySelector('.desk-bar'),
          shadow?.querySelector('.cm-tooltip'),
          shadow?.querySelector('li[aria-selected]'),
          document.querySelector('.desk-tools'),
        ].map((element) => element?.getBoundingClientRect())
        const [bar, menu, last, tools] = boxes
        return [bar?.bottom, menu?.top, last?.top, last?.bottom, menu?.bottom, tools?.top].map((edge) => Math.round(edge ?? Number.NaN))
      })
    await expect.poll(async () => (await edges()).every((edge, i, all) => i === 0 || edge >= (all[i - 1] ?? 0))).toBe(true)
  })
})
