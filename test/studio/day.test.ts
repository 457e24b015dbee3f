import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserOfFile, complaintsOf } from '../harness/browser.ts'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'
import { invite, testPassword } from '../harness/studio-browser.ts'
import { focused, said, saving, tabTo } from './steps.ts'

const open = browserOfFile()

/** How the person works: with the mouse, with the keyboard alone, or on a phone. */
interface Hands {
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  press(page: Page, role: 'button' | 'link' | 'radio', name: string | RegExp): Promise<void>
}

const mouse: Hands = {
  name: 'by mouse',
  size: { width: 1280, height: 800 },
  press: (page, role, name) => page.getByRole(role, { name }).last().click(),
}

const phone: Hands = { ...mouse, name: 'on a phone', size: { width: 360, height: 740 } }

const keyboard: Hands = {
  name: 'by keyboard alone',
  size: { width: 1280, height: 800 },
  async press(page, role, name) {
    await tabTo(page, page.getByRole(role, { name }).last())
    // Arrows have chosen a radio already.
    await page.keyboard.press(role === 'radio' ? 'Space' : 'Enter')
  },
}

const saved = (page: Page) => saving(page, /^Saved$/)

/** What everybody sees of a post. */
async function publicPost(verso: TestApp, slug: string) {
  const { status, body } = await verso.get(`/v1/posts/${slug}`, { key: verso.public })
  return status === 200 ? { title: body.title, content: body.content } : status
}

async function enter(page: Page, verso: TestApp): Promise<void> {
  const { link } = await invite(verso, 'Mira Holt', 'editor')
  await page.clock.install({ time: verso.context.now() })
  await page.goto(`${verso.app.url}/studio/welcome#${link}`)
  await page.getByLabel('Password').fill(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Posts' }).waitFor()
  expect(page.url()).toBe(`${verso.app.url}/studio/in/default/posts`)
}

async function aDay(verso: TestApp, { size, press }: Hands): Promise<void> {
  const page = await open({ viewport: size })
  const complaints = complaintsOf(page)
  await enter(page, verso)

  // A draft, seen by nobody.
  await press(page, 'link', 'New post')
  await focused(page, page.getByRole('textbox', { name: 'Title' }))
  await page.keyboard.type('Low tide')
  await page.keyboard.press('Enter')
  await page.keyboard.type('The **boats** lie on the sand.')
  await saved(page)
  expect(page.url()).toMatch(/\/posts\/post_\w+$/)
  expect(await publicPost(verso, 'low-tide')).toBe(404)
  await page.reload()
  await page.getByText('lie on the sand.').waitFor()

  // Seen as it will be, then published.
  await page.keyboard.press('Control+p')
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Low tide' }).waitFor()
  await page.keyboard.press('Control+p')
  await press(page, 'button', 'Publish')
  await page.getByText('Everybody will be able to read it at once').waitFor()
  await press(page, 'button', 'Publish')
  await said(page, 'Published.')
  expect(await publicPost(verso, 'low-tide')).toEqual({ title: 'Low tide', content: 'The **boats** lie on the sand.' })

  // Edited, seen by nobody until it is updated.
  await page.locator('.cm-content').press('Control+End')
  await page.keyboard.type(' They wait.')
  await saved(page)
  expect(await publicPost(verso, 'low-tide')).toMatchObject({ content: 'The **boats** lie on the sand.' })
  await press(page, 'button', 'Update')
  await page.getByText('Readers will see your changes at once').waitFor()
  await press(page, 'button', 'Update')
  await said(page, 'Updated.')
  expect(await publicPost(verso, 'low-tide')).toMatchObject({ content: 'The **boats** lie on the sand. They wait.' })

  // What readers saw before is put back from the history.
  await press(page, 'button', 'Post settings')
  await press(page, 'button', 'History')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await press(page, 'link', 'Created')
  await press(page, 'button', /^Restore version 1$/)
  await said(page, 'Version 1 restored.')
  expect(JSON.stringify(await publicPost(verso, 'low-tide'))).not.toContain('They wait.')
  await press(page, 'button', 'Undo')
  await expect.poll(() => publicPost(verso, 'low-tide')).toMatchObject({ content: 'The **boats** lie on the sand. They wait.' })
  await press(page, 'link', 'Low tide')
  await page.getByText('They wait.').waitFor()

  // Another one for tomorrow: its time comes.
  await press(page, 'link', 'Posts')
  await press(page, 'link', 'New post')
  await focused(page, page.getByRole('textbox', { name: 'Title' }))
  await page.keyboard.type('High tide')
  await saved(page)
  await press(page, 'button', 'Publish')
  await press(page, 'radio', 'At a time')
  await page.getByText('Everybody will be able to read it from').waitFor()
  await press(page, 'button', 'Schedule')
  await said(page, 'Scheduled for 2 Jun 2026')
  expect(await publicPost(verso, 'high-tide')).toBe(404)
  verso.context.travelTo('2026-06-02T13:00:00Z')
  expect(await publicPost(verso, 'high-tide')).toMatchObject({ title: 'High tide' })
  await page.clock.setFixedTime(verso.context.now())

  // Away, and back again.
  await press(page, 'link', 'Posts')
  await press(page, 'link', 'High tide')
  await press(page, 'button', 'Update')
  await press(page, 'button', 'Delete')
  await said(page, '1 post moved to the trash.')
  expect(await publicPost(verso, 'high-tide')).toBe(404)
  await press(page, 'button', 'Undo')
  await page.getByRole('textbox', { name: 'Title' }).waitFor()
  expect(await publicPost(verso, 'high-tide')).toMatchObject({ title: 'High tide' })

  await press(page, 'button', 'Update')
  await press(page, 'button', 'Delete')
  await said(page, '1 post moved to the trash.')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Trash')
  await page.keyboard.press('Enter')
  await press(page, 'button', 'Restore High tide')
  await page.getByText('The trash is empty.').waitFor()
  expect(await publicPost(verso, 'high-tide')).toMatchObject({ title: 'High tide' })

  await page.keyboard.press('Control+k')
  await page.keyboard.type('Sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
}

const [first, second = first] = engines
const days = [
  { engine: first, hands: mouse },
  { engine: second, hands: keyboard },
  { engine: first, hands: phone },
]

describe('an editor’s day', () => {
  for (const { engine, hands } of days)
    it.skipIf(!engine)(
      `${hands.name}, on ${engine?.name}: invited, a draft, a preview, published, edited, put back from the history, scheduled, deleted, restored`,
      async () => {
        if (engine) await aDay(await startVerso(engine), hands)
      },
      180_000,
    )
})
