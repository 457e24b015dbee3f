// A browser on the studio of a service, signed in, on a machine as slow as one likes.
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Chromium as `npm ci` brings it on Linux x64, or the one at CHROME_PATH. Frames come as fast as they are made, so that no figure has a wait in it. */
export async function openBrowser() {
  const { chromium } = await import('playwright-core')
  const { default: packed } = await import('@sparticuz/chromium')
  const { CHROME_PATH } = process.env
  return chromium.launch({
    executablePath: CHROME_PATH ?? (await packed.executablePath()),
    args: ['--no-sandbox', '--use-angle=swiftshader', '--font-render-hinting=none', '--disable-gpu-vsync', '--disable-frame-rate-limit'],
    env: { ...process.env, ...(!CHROME_PATH && { FONTCONFIG_PATH: join(tmpdir(), 'fonts') }) },
  })
}

/** What a new owner's browser would send as its cookie. */
export async function signIn({ url }, database) {
  const name = `Bench ${Date.now()}`
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    'person',
    'invite',
    name,
    '--role',
    'owner',
    '--database',
    database,
  ])
  const [, token] = /welcome#(\S+)/.exec(stdout) ?? []
  const response = await fetch(`${url}/studio/session/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token, password: 'correct horse battery' }),
  })
  const [, cookie, value] = /^([^=]+)=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (!value) throw new Error(`no session: ${response.status} ${await response.text()}`)
  return { name: cookie, value, domain: new URL(url).hostname, path: '/studio' }
}

/** A page in a context of its own: nothing is cached. */
export async function openPage(browser, cookie, { slowdown = 1, viewport = { width: 1280, height: 800 } } = {}) {
  const context = await browser.newContext({ viewport, locale: 'en-GB' })
  await context.addCookies([cookie])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, devtools, close: () => context.close() }
}
