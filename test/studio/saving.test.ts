import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signInto } from '../harness/browser.ts'
import type { TestApp } from '../harness/harness.ts'
import { focused, saving, studioOfFile } from './steps.ts'

const paragraphs = ['First paragraph.', 'Second paragraph.', 'Third paragraph.'].join('\n\n')

const pendingOf = async (verso: TestApp, id: string) => (await verso.get(`/v1/posts/${id}/pending`)).body

/** Another page writes into the storage of the browser, so that nobody else can, until it is closed. */
async function holdStorage(page: Page, verso: TestApp): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(`${verso.app.url}/healthz`)
  const hold = () =>
    new Promise<void>((begun) => {
      const opening = indexedDB.open('verso')
      opening.onupgradeneeded = () => opening.result.createObjectStore('edits')
      opening.onsuccess = () => {
        const store = opening.result.transaction('edits', 'readwrite').objectStore('edits')
        const goOn = () => {
          begun()
          store.get('none').onsuccess = goOn
        }
        goOn()
      }
    })
  await other.evaluate(hold)
  return other
}

interface OpenedPost {
  /** Of the person. */
  readonly name: string
  readonly content?: string
  readonly title?: string
}

describe('saving', () => {
  const { started, enter } = studioOfFile()
  /** A published post, open in the editor of one person. */
  const opened = async ({ name, content = paragraphs, title = name }: OpenedPost) => {
    const { verso } = await started()
    const id: string = (await verso.post('/v1/posts', { title, content, status: 'published' })).body.id
    const { page } = await enter({ name, path: `posts/${id}` })
    await page.locator('.cm-content').waitFor()
    return { verso, id, page }
  }

  it('a text with line breaks of two kinds, tabs and blanks at ends: one word typed is all that changes', async () => {
    const content = 'a\r\nb\nc\t \n\n\u00a0é 😀  \r\n\r\nend'
    const { verso, id, page } = await opened({ name: 'Bea Byte', content })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' word')
    await saving(page, 'Saved')
    expect((await pendingOf(verso, id)).content).toBe(`${content} word`)
  })

  it('a page that is opened and left saves nothing', async () => {
    const { verso, id, page } = await opened({ name: 'Lea Look', content: 'a\r\n- b\r\n' })
    await page.locator('.cm-content').press('Control+End')
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.locator('.post-row').first().waitFor()
    expect((await verso.get(`/v1/posts/${id}/pending`)).status).toBe(404)
  })

  it('a draft that is left is a version with the whole title, under a slug made from it that was free', async () => {
    const { verso } = await started()
    await verso.post('/v1/posts', { title: 'Low tide at noon' })
    const { page } = await enter({ name: 'Dora Draft', role: 'writer', path: 'posts/new' })
    await focused(page, page.getByRole('textbox', { name: 'Title' }))
    for (const words of ['Low', ' tide', ' at noon']) {
      await page.keyboard.type(words)
      await saving(page, 'Saved')
    }
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.locator('.post-title', { hasText: 'Low tide at noon' }).first().waitFor()
    expect((await verso.get('/v1/posts/low-tide-at-noon-2')).body).toMatchObject({ title: 'Low tide at noon', hasPendingEdit: false })
  })

  it('without a network one goes on; what was written is there after the tab was killed, and is saved when the network is back', async () => {
    const { verso, id, page } = await opened({ name: 'Ola Offline' })
    await page.context().setOffline(true)
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' On the train.')
    await saving(page, 'Offline')
    await page.context().setOffline(false)
    // The tab is gone at once, without a word to its page; another one opens in the same browser.
    const next = await page.context().newPage()
    await page.close({ runBeforeUnload: false })
    await next.goto(`${verso.app.url}/studio/in/default/posts/${id}`)
    await next.getByText('On the train.').waitFor()
    await saving(next, 'Saved')
    expect((await pendingOf(verso, id)).content).toBe(`${paragraphs} On the train.`)
  })

  it('one hears that what was written is kept on the device when it is', async () => {
    const { verso, page } = await opened({ name: 'Kai Kept' })
    const other = await holdStorage(page, verso)
    await page.route('**/pending', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    const refused = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Here?')
    await refused
    // The page has heard of it.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await saving(page, 'Saving')
    await other.close()
    await saving(page, 'Offline. Kept on this device.')
  })

  it('where the browser keeps nothing and Verso cannot be reached, one hears so, and is asked before the page closes', async () => {
    const { verso } = await started()
    const { page } = await enter({ name: 'Una Unkept', role: 'writer', path: 'posts' })
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Storage is forbidden.', 'SecurityError')
      }
    })
    await page.goto(`${verso.app.url}/studio/in/default/posts/new`)
    await page.route('**/v1/posts**', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.getByRole('textbox', { name: 'Title' }).fill('Kept nowhere')
    await saving(page, 'Only on this page. Leave it open')
    const asked = page.waitForEvent('dialog')
    void page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await page.unroute('**/v1/posts**')
    await saving(page, 'Saved')
    expect((await verso.get('/v1/posts?search=Kept nowhere')).body.data).toHaveLength(1)
  })

  it('an editor opens and saves where the storage of the browser hangs', async () => {
    const { verso } = await started()
    const { page } = await enter({ name: 'Hanna Hang', role: 'writer', path: 'posts' })
    await holdStorage(page, verso)
    await page.goto(`${verso.app.url}/studio/in/default/posts/new`)
    const title = page.getByRole('textbox', { name: 'Title' })
    const isOpenLater = async () => {
      await page.clock.fastForward(1_000)
      return title.isVisible()
    }
    await expect.poll(isOpenLater, { timeout: 30_000 }).toBe(true)
    await title.fill('Storage hangs')
    await saving(page, 'Saved')
    expect((await verso.get('/v1/posts?search=Storage hangs')).body.data).toHaveLength(1)
  })

  it('the last words before the page is closed are there again', async () => {
    const { verso, id, page } = await opened({ name: 'Lars Twords' })
    await page.locator('.cm-content').press('Control+End')
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
    await page.keyboard.type(' The last.')
    await page.goto('about:blank')
    await page.clock.resume()
    await page.goto(`${verso.app.url}/studio/in/default/posts/${id}`)
    await page.getByText('The last.').waitFor()
  })

  it('what was written and not saved continues a post that was changed meanwhile, and takes nothing back', async () => {
    const { verso, id, page } = await opened({ name: 'Rue Sume' })
    const context = page.context()
    await context.route('**/pending', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Mine.')
    await saving(page, 'Offline')
    await page.close({ runBeforeUnload: false })
    await verso.patch(`/v1/posts/${id}`, { content: paragraphs.replace('First', 'The new first'), excerpt: 'Theirs.' })
    await context.unroute('**/pending')
    const next = await context.newPage()
    await next.goto(`${verso.app.url}/studio/in/default/posts/${id}`)
    await next.getByText('Mine.').waitFor()
    await saving(next, 'Saved')
    const both = { content: `${paragraphs.replace('First', 'The new first')} Mine.`, excerpt: 'Theirs.', conflicts: [] }
    expect(await pendingOf(verso, id)).toMatchObject(both)
  })

  it('two tabs with one post that nobody could save: what was written in each is there again', async () => {
    const { verso, id, page } = await opened({ name: 'Tim Twice' })
    const context = page.context()
    const another = async () => {
      const tab = await context.newPage()
      await tab.goto(page.url())
      await tab.locator('.cm-content').waitFor()
      return tab
    }
    const tabs = [await another(), await another()]
    await context.route('**/pending', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    for (const [i, tab] of tabs.entries()) {
      if (i === 0) await tab.locator('.cm-content').press('Control+End')
      else await tab.getByRole('textbox', { name: 'Title' }).focus()
      await tab.keyboard.type(` Tab ${i}.`)
      await saving(tab, 'Offline')
    }
    for (const tab of tabs) await tab.close({ runBeforeUnload: false })
    await context.unroute('**/pending')
    // Each editor takes up what one of them has left.
    for (const _ of tabs) {
      const before = await pendingOf(verso, id)
      await another()
      await expect.poll(async () => (await pendingOf(verso, id)).version).not.toBe(before.version)
    }
    expect(await pendingOf(verso, id)).toMatchObject({ content: `${paragraphs} Tab 0.`, title: expect.stringContaining('Tab 1.') })
  })

  it('two tabs with new posts that nobody could save, and another person at the same machine: each has their own text', async () => {
    const { verso } = await started()
    const { page } = await enter({ name: 'Tia Tabs', role: 'writer', path: 'posts/new' })
    const context = page.context()
    const title = (tab: Page) => tab.getByRole('textbox', { name: 'Title' })
    const opened = async (cookies?: Awaited<ReturnType<typeof context.cookies>>) => {
      await context.addCookies(cookies ?? [])
      const tab = await context.newPage()
      await tab.goto(`${verso.app.url}/studio/in/default/posts/new`)
      await tab.locator('.cm-content').waitFor()
      return tab
    }
    await context.route('**/v1/posts', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    const tabs: Page[] = []
    for (const words of ['Mine, the first', 'Mine, the second']) {
      const tab = await opened()
      expect(await title(tab).inputValue()).toBe('')
      await title(tab).fill(words)
      await saving(tab, 'Offline')
      tabs.push(tab)
    }
    for (const tab of tabs) await tab.close({ runBeforeUnload: false })
    const mine = await context.cookies()
    await signInto(page, verso, 'Otto Other', 'writer')
    const theirs = await opened()
    expect(await title(theirs).inputValue()).toBe('')
    await theirs.close()
    await context.unroute('**/v1/posts')
    for (const _ of tabs) await saving(await opened(mine), 'Saved')
    const titles = (await verso.get('/v1/posts?search=Mine, the')).body.data.map((post: { readonly title: string }) => post.title)
    expect(titles.sort()).toEqual(['Mine, the first', 'Mine, the second'])
  })

  it('a page that came without TLS edits, too, and takes up what was left unsaved', async () => {
    const { verso } = await started()
    const { page, complaints } = await enter({ name: 'Ines Ecure', role: 'writer', path: 'posts' })
    const context = page.context()
    // What browsers hide there.
    await context.addInitScript(() => {
      Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
      Reflect.deleteProperty(Navigator.prototype, 'locks')
    })
    const network = { isAway: true }
    await context.route('**/v1/posts', (route) =>
      network.isAway && route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.goto(`${verso.app.url}/studio/in/default/posts/new`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Without locks')
    await saving(page, 'Offline')
    network.isAway = false
    await page.reload()
    await page.getByRole('heading', { name: 'Without locks' }).waitFor()
    await saving(page, 'Saved')
    expect((await verso.get('/v1/posts?search=Without')).body.data).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  it('two who change different paragraphs: both changes stand, and nobody is asked', async () => {
    const { verso, id, page } = await opened({ name: 'Ida One' })
    await verso.patch(`/v1/posts/${id}/pending`, { content: paragraphs.replace('First', 'The very first') })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Mine.')
    await saving(page, 'Saved')
    expect((await pendingOf(verso, id)).content).toBe(`${paragraphs.replace('First', 'The very first')} Mine.`)
    await page.getByText('The very first paragraph.').waitFor()
  })

  it('what is typed into a setting stays there while another saves, and is saved, too', async () => {
    const { verso, id, page } = await opened({ name: 'Sia Set' })
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('summary', { hasText: 'Former addresses' }).click()
    const aliases = page.getByLabel('One path a line')
    await aliases.pressSequentially('/first\n/second')
    await verso.patch(`/v1/posts/${id}/pending`, { content: paragraphs.replace('First', 'The very first') })
    await page.locator('.cm-content').getByText('The very first paragraph.').waitFor()
    expect(await aliases.inputValue()).toBe('/first\n/second')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await pendingOf(verso, id)).aliases).toEqual(['/first', '/second'])
    // What comes later is shown.
    await aliases.pressSequentially('x')
    await page.keyboard.press('Backspace')
    await page.locator('.cm-content').focus()
    await verso.patch(`/v1/posts/${id}/pending`, { aliases: ['/theirs'] })
    await expect.poll(() => aliases.inputValue()).toBe('/theirs')
  })

  it('two who change the same paragraph: nothing is overwritten, and the one who comes later chooses', async () => {
    const { verso, id, page } = await opened({ name: 'Uwe Two' })
    const theirs = paragraphs.replace('Third paragraph.', 'Third, by another.')
    // Else theirs may arrive first, and mine continue it.
    await page.context().setOffline(true)
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Mine.')
    await saving(page, 'Offline')
    await verso.patch(`/v1/posts/${id}/pending`, { content: theirs, excerpt: 'Theirs alone.' })
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Two versions' }).waitFor()
    expect((await pendingOf(verso, id)).content).toBe(theirs)
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Both' }).check()
    await page.getByRole('button', { name: 'Use these' }).click()
    await saving(page, 'Saved')
    const edit = await pendingOf(verso, id)
    expect(edit).toMatchObject({ content: `${paragraphs} Mine.\n\nThird, by another.`, excerpt: 'Theirs alone.' })
  })

  it('the published post was changed since the edit began: the result continues the new version', async () => {
    const { verso, id, page } = await opened({ name: 'Pia Post' })
    await page.locator('.cm-content').press('Control+End')
    await page.keyboard.type(' Mine.')
    await saving(page, 'Saved')
    await verso.patch(`/v1/posts/${id}`, { content: paragraphs.replace('First', 'The new first') })
    await page.keyboard.type(' More.')
    await page.getByText('The new first paragraph.').waitFor()
    await saving(page, 'Saved')
    const edit = await pendingOf(verso, id)
    expect(edit).toMatchObject({ content: `${paragraphs.replace('First', 'The new first')} Mine. More.`, conflicts: [], basedOn: 2 })
  })

  it('hostile words run no script, leave no frame and ask nobody', async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script><a href="javascript:document.title=1">x</a>'
    const content = `${evil}\n\n[go](javascript:alert(1)) <iframe src="https://evil.example"></iframe>\n\n<meta http-equiv="refresh" content="0;url=https://evil.example">\n\n<form action="https://evil.example"><button>b</button></form>

The end.`
    const { verso, page } = await opened({ name: 'Eve "><img src=x onerror=document.title=1>', content, title: `${evil} hostile` })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => asked.push(`dialog ${dialog.message()}`))
    await page.keyboard.press('Control+p')
    await page.frameLocator('iframe').getByText('The end.').waitFor()
    await page.keyboard.press('Control+.')
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.locator('.post-row', { hasText: 'hostile' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('hostile')
    await page.getByRole('option').getByText('hostile').waitFor()
    expect(await page.title()).toBe('Posts · default')
    expect(asked.filter((url) => !url.startsWith(verso.app.url) && !url.startsWith('about:'))).toEqual([])
  })
})
