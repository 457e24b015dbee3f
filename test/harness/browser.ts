import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  type Page,
  chromium as playwright,
  type Request,
} from 'playwright-core'
import { afterAll, inject } from 'vitest'
import type { Role } from '../../src/resources/people/person.ts'
import { atEnd, type TestApp } from './harness.ts'
import { signedIn } from './studio-browser.ts'

/** A Chromium of npm runs on Linux x64. Elsewhere one is installed, or named by CHROME_PATH. */
const comesFromNpm = process.platform === 'linux' && process.arch === 'x64' && process.env.CHROME_PATH === undefined

const places = [
  process.env.CHROME_PATH ?? '',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** An installed browser. */
function browserPath(): string {
  const found = places.find((path) => path !== '' && existsSync(path))
  if (found === undefined) throw new Error('There is no Chrome or Chromium. Set CHROME_PATH to one.')
  return found
}

export async function launchBrowser(): Promise<BrowserServer> {
  return playwright.launchServer({
    executablePath: comesFromNpm ? await chromium.executablePath() : browserPath(),
    args: ['--no-sandbox', '--use-angle=swiftshader', '--font-render-hinting=none'],
    // The fonts that come with it: the machine may have none.
    env: { ...process.env, ...(comesFromNpm && { FONTCONFIG_PATH: join(tmpdir(), 'fonts') }) } as Record<string, string>,
  })
}

/** Longer than anything takes on a machine that does other things, too. */
const waitMs = 30_000

/** Opens pages in the browser of the run, each in a context of its own. The error of a test that fails says what its pages show then. */
export function browserOfFile() {
  const connected: { browser?: Promise<Browser> } = {}
  afterAll(async () => (await connected.browser)?.close())
  return async (options: BrowserContextOptions = {}): Promise<Page> => {
    connected.browser ??= playwright.connect(inject('browserUrl'))
    const context = await (await connected.browser).newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
    const requests = underWay(context)
    atEnd(async (test) => {
      for (const error of test?.task.result?.errors ?? [])
        for (const page of context.pages()) error.message += `\n${await shownBy(page)}\nNo answer yet: ${[...requests].join(', ')}`
      await context.close()
    })
    context.setDefaultTimeout(waitMs)
    return context.newPage()
  }
}

/** What a page shows, as assistive technology hears it. */
async function shownBy(page: Page): Promise<string> {
  return `${page.url()}:\n${await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)}`
}

/** The requests that have no answer yet. */
function underWay(context: BrowserContext): ReadonlySet<string> {
  const requests = new Set<string>()
  const named = (request: Request) => `${request.method()} ${request.url()}`
  context.on('request', (request) => requests.add(named(request)))
  context.on('requestfinished', (request) => requests.delete(named(request)))
  context.on('requestfailed', (request) => requests.delete(named(request)))
  return requests
}

/** Signs a person in, on a page that lives at the time of the service. */
export async function signInto(page: Page, verso: TestApp, name: string, role: Role): Promise<void> {
  const { browser } = await signedIn(verso, name, role)
  const [cookie = '', value = ''] = browser.cookie?.split('=') ?? []
  const { hostname } = new URL(verso.app.url)
  await page.context().addCookies([{ name: cookie, value, domain: hostname, path: '/studio' }])
  await page.clock.install({ time: verso.context.now() })
}

/** Everything that a page has complained about: errors of its scripts, and what its policy has refused. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Tools reach into the frame of the preview, where no script runs.
    if (message.type() === 'error' && !/Failed to load resource|Blocked script execution in 'about:srcdoc'/.test(message.text()))
      complaints.push(message.text())
  })
  return complaints
}
