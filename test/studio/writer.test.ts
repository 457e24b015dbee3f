import { describe, expect, it } from 'vitest'
import { button, dialog, saving, studioOfFile } from './steps.ts'

describe('a writer', () => {
  const { started, enter } = studioOfFile()

  it('is not offered what only those may do who publish, and is told so; drafts are tagged and deleted', async () => {
    const { verso } = await started()
    await verso.post('/v1/posts', { title: 'Mine is a draft' })
    await verso.post('/v1/posts', { title: 'Mine is public', status: 'published' })
    const { page } = await enter({ name: 'Wren Writer', role: 'writer', path: 'posts?search=Mine&sort=title' })
    const offered = () => page.locator('.selection button').allInnerTexts()
    await page.getByRole('checkbox').first().check()
    expect(await offered()).toEqual(['Select all shown', 'Add tag', 'Delete', ''])
    await page.getByRole('checkbox').nth(1).check()
    await page.getByText('Only somebody who publishes can change published and scheduled posts.').waitFor()
    expect(await offered()).toEqual(['Select all shown', ''])
  })

  it('cannot change an update that is scheduled: that is said at once, and nothing is called saved', async () => {
    const { verso } = await started()
    const { id } = (await verso.post('/v1/posts', { title: 'Fixed', content: 'Ferries.', status: 'published' })).body
    await verso.patch(`/v1/posts/${id}/pending`, { content: 'Ferries and trams.' })
    await verso.post(`/v1/posts/${id}/pending/apply`, { scheduledFor: '2026-06-12T07:00:00.000Z' })
    const { page } = await enter({ name: 'Wes Writer', role: 'writer', path: `posts/${id}` })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' And buses.')
    const why = 'This update is scheduled: only somebody who publishes can change it.'
    await saving(page, `Not all of it could be saved: ${why}`)
    await button(page, 'Save').click()
    await dialog(page).getByText(why).waitFor()
    expect(await dialog(page).getByText('are saved').count()).toBe(0)
  })
})
