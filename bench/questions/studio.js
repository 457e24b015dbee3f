import { gzipSync } from 'node:zlib'
import { installation } from '../installation.js'
import { medianOf } from '../load.js'
import { startVerso } from '../server.js'
import { openBrowser, openPage, signIn } from '../studio-browser.js'

export const question = 'How soon can one work in the studio, and does it keep up with typing and scrolling?'
export const target =
  'posts ≤ 70 kB of script, editor ≤ 200 kB; interactive ≤ 1 s at a quarter of the speed; a key is painted in 16 ms in 100 kB of text; no stall over 50 ms in a list of 100,000 posts'
export const aims = [
  { row: 'posts', figure: 'script kB', atMost: 70 },
  { row: 'posts', figure: 'interactive ms', atMost: 1_000 },
  { row: 'editor', figure: 'script kB', atMost: 200 },
  { row: 'editor', figure: 'interactive ms', atMost: 1_000 },
  { row: 'typing in 100 kB', figure: 'p95 ms', atMost: 16 },
  ...['10000 posts', '100000 posts'].map((row) => ({ row: `scrolling ${row}`, figure: 'longest stall ms', atMost: 50 })),
]

const rounds = 5
const keys = 200
const wheels = 120

export async function run({ large }) {
  const posts = large ? 100_000 : 10_000
  const {
    database,
    keys: { secret },
  } = await installation(posts)
  const verso = await startVerso(database)
  const cookie = await signIn(verso, database)
  const browser = await openBrowser()
  try {
    const post = await longPost(verso, secret)
    const path = `${verso.url}/studio/in/default/posts`
    const at = (url, until, options) => ({ browser, cookie, url, until, ...options })
    const figures = {
      posts: await opened(at(path, '.post-row')),
      editor: await opened(at(`${path}/${post.id}`, '.cm-line')),
      'typing in 100 kB': await typing(at(`${path}/${post.id}`, '.cm-line')),
      [`scrolling ${posts} posts`]: await scrolling(at(path, '.post-row')),
    }
    await fetch(`${verso.url}/v1/posts/${post.id}?permanent=true`, { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } })
    return figures
  } finally {
    await browser.close()
  }
}

/** 100 kB of Markdown of every kind. */
async function longPost({ url }, secret) {
  const part =
    '## A heading\n\nSome *words* of a [link](https://example.com) and **more** of them, `code` too, as long as a paragraph is.\n\n- one\n- two\n\n> said\n\n'
  const response = await fetch(`${url}/v1/posts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'A long post', content: part.repeat(Math.ceil(100_000 / part.length)) }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return response.json()
}

/** From the request for the page until what one works with is painted; nothing is cached. And the script that it took, as gzip. */
async function opened({ browser, cookie, url, until }) {
  const times = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const { page, close } = await openPage(browser, cookie, { slowdown: 4 })
    const scripts = []
    page.on('response', (response) => response.url().endsWith('.js') && scripts.push(response.body().then((body) => gzipSync(body).length)))
    await page.addInitScript(markPainted, until)
    await page.goto(url)
    await page.waitForFunction(() => globalThis.paintedMs !== undefined)
    times.push(await page.evaluate(() => globalThis.paintedMs))
    bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0)
    await close()
  }
  return { 'interactive ms': Math.round(medianOf(times)), 'script kB': Math.round(bytes / 1_000) }
}

function markPainted(selector) {
  const look = () => {
    const within = document.querySelector('.desk-text')?.shadowRoot ?? document
    if (!within.querySelector(selector)) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      globalThis.paintedMs = performance.now()
    }
    requestAnimationFrame(() => port2.postMessage(0))
  }
  look()
}

/** From a key to the frame that shows it, in the middle of the text, as fast as one types. */
async function typing({ browser, cookie, url, until }) {
  const { page, close } = await openPage(browser, cookie)
  await page.goto(url)
  await page.locator(until).first().waitFor()
  await page.locator('.cm-content').press('Control+Home')
  for (let line = 0; line < 20; line++) await page.keyboard.press('PageDown')
  await page.evaluate(() => {
    globalThis.times = []
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => globalThis.times.push(performance.now() - timeStamp)
        requestAnimationFrame(() => port2.postMessage(0))
      },
      { capture: true },
    )
  })
  await page.keyboard.type('words and '.repeat(keys / 10), { delay: 60 })
  const times = (await page.evaluate(() => globalThis.times)).sort((a, b) => a - b)
  await close()
  return {
    'p50 ms': round(times[Math.floor(times.length / 2)]),
    'p95 ms': round(times[Math.floor(times.length * 0.95)]),
    'longest ms': round(times.at(-1)),
  }
}

/** The longest time without a frame while one scrolls as fast as a wheel turns. */
async function scrolling({ browser, cookie, url, until }) {
  const { page, close } = await openPage(browser, cookie)
  await page.goto(url)
  await page.locator(until).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.mouse.move(640, 500)
  await page.evaluate(() => {
    globalThis.longestMs = 0
    let before = performance.now()
    const frame = () => {
      const now = performance.now()
      globalThis.longestMs = Math.max(globalThis.longestMs, now - before)
      before = now
      requestAnimationFrame(frame)
    }
    frame()
  })
  for (let turn = 0; turn < wheels; turn++) await page.mouse.wheel(0, 1_500)
  const figures = await page.evaluate(() => ({
    longestMs: globalThis.longestMs,
    reached: Math.round(scrollY / 72),
    rows: document.querySelectorAll('.post-row').length,
  }))
  await close()
  return { 'longest stall ms': Math.round(figures.longestMs), 'rows passed': figures.reached, 'rows in the page': figures.rows }
}

const round = (ms) => Number(ms.toFixed(1))
