import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { browserOfFile, complaintsOf, signInto } from '../harness/browser.ts'
import { engines, shared, startVerso } from '../harness/harness.ts'

const [first] = engines
if (!first) throw new Error('no engine')
/** The engine of tests that look at the studio alone. */
export const engine = first

interface Entry {
  readonly name: string
  readonly role?: 'writer' | 'editor' | 'owner'
  /** Below the project, such as `posts/new`. */
  readonly path: string
  readonly options?: BrowserContextOptions
}

/** A service that the tests of a file share, and pages of people who have signed in to it. */
export function studioOfFile() {
  const open = browserOfFile()
  const started = shared(async () => {
    const verso = await startVerso(engine)
    const key = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'posts:delete', 'authors:read', 'media:write')
    return {
      verso,
      read: async (path: string) => (await verso.get(path, { key })).body,
      write: (path: string, body: object) => verso.post(path, body, { key }),
    }
  })
  /** A page of a person of that name, whose complaints are looked at in the end. */
  const enter = async ({ name, role = 'editor', path, options }: Entry) => {
    const { verso } = await started()
    const page = await open(options)
    const complaints = complaintsOf(page)
    await signInto(page, verso, name, role)
    await page.goto(`${verso.app.url}/studio/in/default/${path}`)
    return { page, complaints }
  }
  return { open, started, enter }
}

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

/** The dialog that is open. */
export const dialog = (page: Page) => page.locator('dialog[open]')

/** Waits for what the studio says of what was done. */
export const said = (page: Page, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()

export const undo = (page: Page) => page.locator('.toast-undo').last().click()

/** Waits until the editor says so of what is written. */
export const saving = (page: Page, state: string | RegExp) => page.getByRole('status').filter({ hasText: state }).waitFor()

/** Lets no save of a pending edit reach the service until what it returns is called. */
export async function holdSaves(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/pending', async (route) => {
    if (route.request().method() === 'PATCH') await released
    await route.continue()
  })
  return release
}

/** Waits until it has the focus: the next key is its own. */
export const focused = (page: Page, wanted: Locator) => wanted.and(page.locator(':focus')).waitFor()

/** Presses Tab until it has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return
    // Of radios, Tab reaches the chosen one; arrows go on.
    const isAmongRadios = await wanted.evaluate((element) => {
      const [radio, at] = [element as HTMLInputElement, document.activeElement as HTMLInputElement]
      return radio.type === 'radio' && at.type === 'radio' && at.name === radio.name
    })
    await page.keyboard.press(isAmongRadios ? 'ArrowDown' : 'Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}
