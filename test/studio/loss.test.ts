import pino from 'pino'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from '../../src/app/config.ts'
import { startApp } from '../../src/app/start-app.ts'
import { browserOfFile, signInto } from '../harness/browser.ts'
import { makeProject, type TestApp, testContext, testSecret } from '../harness/harness.ts'
import { countText, soakSize } from '../harness/soak.ts'
import { button, dialog, engine, saving, studioOfFile } from './steps.ts'

const soak = { tags: ['soak'], timeout: 900_000 }
const text = (page: Page) => page.locator('.cm-content')
const words = (kind: string, count: number) => Array.from({ length: count }, (_, i) => ` ${kind}${i}`).join('')

describe(`nothing is lost, on ${engine.name}`, () => {
  const { started, enter } = studioOfFile()
  const publish = async (title: string, content: string): Promise<string> =>
    (await (await started()).verso.post('/v1/posts', { title, content, status: 'published' })).body.id
  const pendingOf = async (id: string): Promise<string> => (await (await started()).verso.get(`/v1/posts/${id}/pending`)).body.content

  const tabs = soakSize(100)
  it(`${countText(tabs)} tabs are killed while one types: what was typed a second before is there again`, soak, async ({ annotate }) => {
    const id = await publish('Killed', 'It begins.')
    let { page } = await enter({ name: 'Kim Killed', path: `posts/${id}` })
    const url = page.url()
    for (let tab = 0; tab < tabs; tab++) {
      await text(page).press('Control+End')
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
      await page.keyboard.type(words(`old${tab}-`, 1 + (tab % 4)))
      await page.clock.runFor(1_000)
      await kept(page)
      await page.keyboard.type(words(`young${tab}-`, 3))
      await page.clock.runFor((tab * 137) % 1_000)
      await kept(page)
      page = await killed(page)
      await page.goto(url)
      await text(page)
        .getByText(words(`old${tab}-`, 1 + (tab % 4)))
        .first()
        .waitFor()
    }
    await saving(page, 'Saved')
    const saved = await pendingOf(id)
    const lost = Array.from({ length: tabs }, (_, tab) => words(`old${tab}-`, 1 + (tab % 4))).filter((typed) => !saved.includes(typed))
    expect(lost).toEqual([])
    await annotate(`${countText(tabs)} tabs killed while typing, ${lost.length} lost what was older than a second`)
  })

  const races = soakSize(100)
  it(`${countText(races)} races of two editors: no word is overwritten without a question`, soak, async ({ annotate }) => {
    const id = await publish('Raced', 'First.\n\nSecond.\n\nThird.')
    const pages = [
      (await enter({ name: 'Rae One', path: `posts/${id}` })).page,
      (await enter({ name: 'Rob Two', path: `posts/${id}` })).page,
    ]
    let asked = 0
    for (let race = 0; race < races; race++) {
      // In every other race both write in the same paragraph.
      const places = race % 2 === 0 ? ['Control+End', 'Control+End'] : ['Control+Home', 'Control+End']
      await Promise.all(
        pages.map(async (page, i) => {
          await text(page).press(places[i] ?? '')
          if (race % 2 === 1 && i === 0) await page.keyboard.press('End')
          await page.keyboard.insertText(` ${'ab'[i]}${race}.`)
        }),
      )
      for (const page of pages) asked += await settled(page)
      for (const page of pages) asked += await settled(page)
      const saved = await pendingOf(id)
      expect(['a', 'b'].filter((kind) => !saved.includes(` ${kind}${race}.`))).toEqual([])
      // Both see both, before they go on.
      for (const page of pages)
        for (const [i, place] of places.entries()) {
          // Of a long text only what is seen is in the page.
          await text(page).press(place)
          await text(page).getByText(` ${'ab'[i]}${race}.`).first().waitFor()
        }
    }
    const saved = await pendingOf(id)
    const lost = Array.from({ length: races }, (_, race) => [`a${race}.`, `b${race}.`])
      .flat()
      .filter((word) => !saved.includes(word))
    expect(lost).toEqual([])
    await annotate(`${countText(races)} races of two editors, ${asked} of them asked, ${lost.length} words overwritten`)
  })

  const stops = soakSize(20)
  it(`the service stops ${countText(stops)} times while one writes: all of it is saved once it is back`, soak, async ({ annotate }) => {
    const { verso, restart } = await restartable()
    const id = (await verso.post('/v1/posts', { title: 'Stopped', content: 'It begins.', status: 'published' })).body.id
    const page = await open()
    await signInto(page, verso, 'Sia Stop', 'editor')
    await page.goto(`${verso.app.url}/studio/in/default/posts/${id}`)
    for (let stop = 0; stop < stops; stop++) {
      await text(page).press('Control+End')
      await page.keyboard.type(` before${stop}`)
      await restart(async () => {
        await page.keyboard.type(` while${stop}`)
        await saving(page, 'Offline')
      })
      await page.keyboard.type(` after${stop}`)
      await saving(page, /^Saved$/)
    }
    const { content } = (await verso.get(`/v1/posts/${id}/pending`)).body
    expect(content).toBe(`It begins.${Array.from({ length: stops }, (_, i) => ` before${i} while${i} after${i}`).join('')}`)
    await annotate(`${countText(stops)} stops of the service while one writes, nothing lost`)
  })
  const open = browserOfFile()
})

/** Waits until all that the page has put into its storage is there. */
const kept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const opening = indexedDB.open('verso')
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('edits', 'readwrite')
          transaction.objectStore('edits').count()
          transaction.oncomplete = () => done()
        }
      }),
  )

/** Another tab of the same browser, after the process of this one was killed. */
async function killed(page: Page): Promise<Page> {
  const context = page.context()
  const devtools = await context.newCDPSession(page)
  const gone = new Promise((done) => page.once('crash', done))
  void devtools.send('Page.crash').catch(() => undefined)
  await gone
  await page.close()
  const next = await context.newPage()
  await next.clock.resume()
  return next
}

/** Waits until all is saved; where two versions are shown, both are chosen. How often that was so. */
async function settled(page: Page): Promise<number> {
  const saved = page.getByRole('status').filter({ hasText: /Saved$/ })
  const asked = dialog(page).getByRole('radio', { name: 'Both' }).first()
  await saved.or(asked).first().waitFor()
  if (!(await asked.isVisible())) return 0
  for (const both of await dialog(page).getByRole('radio', { name: 'Both' }).all()) await both.check()
  await button(dialog(page), 'Use these').click()
  return 1 + (await settled(page))
}

/** A service that can be stopped, and started again at the same address. */
async function restartable() {
  const database = await engine.lend()
  const context = testContext()
  const config: Config = { ...readConfig({ host: '127.0.0.1', port: '0' }, testSecret), database: database.address }
  const start = (port: number) => startApp({ config: { ...config, port }, context, log: pino({ level: 'fatal' }) })
  let app = await start(0)
  const verso = { ...(await makeProject(app, context, 'default')), app, context } as unknown as TestApp
  onTestFinished(async () => {
    await app.stop()
    await database.drop()
  })
  const restart = async (meanwhile: () => Promise<void>) => {
    await app.stop()
    await meanwhile()
    app = await start(Number(new URL(verso.app.url).port))
  }
  return { verso, restart }
}
