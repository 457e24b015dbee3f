import type { Page, Route } from 'playwright-core'
import { signInto } from '../harness/browser.ts'
import type { TestApp } from '../harness/harness.ts'
import { invite } from '../harness/studio-browser.ts'

/** A screen, or a state of one, that every screen test looks at. */
export interface Visit {
  readonly name: string
  /** Below `/studio/`. `{post}` is a published post with a pending edit. */
  readonly path: string
  /** What is there once it is shown. */
  readonly shows: string
  readonly isSignedOut?: true
  /** What is done there before one looks. */
  act?(page: Page): Promise<void>
}

/** Presses a button that opens a dialog with this in it. */
function pressed(name: string, opens: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator(`dialog ${opens}`).waitFor()
  }
}

/** Answers as if somebody else had saved the text of the pending edit meanwhile. */
async function savedByAnother(route: Route): Promise<void> {
  if (route.request().method() === 'PATCH') return route.fulfill({ status: 412, json: { code: 'stale_version', status: 412 } })
  const { 'if-none-match': _, ...headers } = await route.request().allHeaders()
  const response = await route.fetch({ headers })
  await route.fulfill({ response, json: { ...(await response.json()), content: `${content}\nIt will never lift again.\n` } })
}

/** A line for each screen, and for each state of one that looks different. */
export const visits: readonly Visit[] = [
  { name: 'sign-in', path: '', shows: 'form', isSignedOut: true },
  { name: 'welcome', path: 'welcome#{link}', shows: 'form', isSignedOut: true },
  { name: 'welcome-over', path: 'welcome#over', shows: '.door a.button', isSignedOut: true },
  { name: 'posts', path: 'in/default/posts', shows: '.post-row' },
  {
    name: 'posts-selected',
    path: 'in/default/posts',
    shows: '.post-row',
    act: async (page) => {
      for (const i of [0, 2]) await page.getByRole('checkbox').nth(i).check()
    },
  },
  { name: 'no-posts', path: 'in/default/posts?search=nothing', shows: '.empty' },
  { name: 'palette', path: 'in/default/posts', shows: '.post-row', act: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: 'in/default/posts', shows: '.post-row', act: (page) => page.keyboard.press('?') },
  { name: 'new-post', path: 'in/default/posts/new', shows: '.cm-content' },
  { name: 'editor', path: 'in/default/posts/{post}', shows: '.cm-content' },
  { name: 'editor-settings', path: 'in/default/posts/{post}', shows: '.cm-content', act: (page) => page.keyboard.press('Control+.') },
  { name: 'editor-preview', path: 'in/default/posts/{post}', shows: '.cm-content', act: (page) => page.keyboard.press('Control+p') },
  {
    name: 'editor-publish',
    path: 'in/default/posts/{post}',
    shows: '.cm-content',
    act: async (page) => {
      await page.keyboard.press('Control+Enter')
      await page.getByRole('radio', { name: 'At a time' }).click()
    },
  },
  { name: 'editor-find', path: 'in/default/posts/{post}', shows: '.cm-content', act: (page) => page.keyboard.press('Control+f') },
  {
    name: 'editor-choice',
    path: 'in/default/posts/{post}',
    shows: '.cm-content',
    act: async (page) => {
      await page.route('**/pending', savedByAnother)
      await page.locator('.cm-content').press('Control+End')
      await page.keyboard.press('Backspace')
      await page.keyboard.type(' Mostly.')
      await page.getByRole('heading', { name: 'Two versions' }).waitFor()
      await page.unroute('**/pending')
    },
  },
  {
    name: 'history',
    path: 'in/default/posts/{post}/history',
    shows: '.history-version',
    // On a narrow window the text is not seen beside the versions.
    act: (page) => page.locator('.history-text').waitFor({ state: 'attached' }),
  },
  { name: 'history-compared', path: 'in/default/posts/{post}/history?version=2&against=1', shows: '.history-text ins' },
  { name: 'calendar', path: 'in/default/calendar', shows: '.day-post' },
  {
    name: 'calendar-reschedule',
    path: 'in/default/calendar',
    shows: '.day-post',
    act: (page) =>
      page
        .getByRole('button', { name: /^Reschedule / })
        .first()
        .click(),
  },
  { name: 'media', path: 'in/default/media', shows: '.media-card' },
  { name: 'media-open', path: 'in/default/media', shows: '.media-card', act: (page) => page.locator('.media-card').first().click() },
  { name: 'media-new', path: 'in/default/media', shows: '.media-card', act: (page) => page.keyboard.press('n') },
  { name: 'trash', path: 'in/default/trash', shows: '.rows > li' },
  {
    name: 'trash-erase',
    path: 'in/default/trash',
    shows: '.rows > li',
    act: async (page) => {
      await page.getByRole('button', { name: /^More for / }).click()
      await page.getByRole('button', { name: 'Delete for good' }).click()
    },
  },
  { name: 'authors', path: 'in/default/authors', shows: '.rows li' },
  { name: 'author', path: 'in/default/authors', shows: '.rows li', act: pressed('Mara Lindqvist', 'form') },
  { name: 'categories', path: 'in/default/categories', shows: '.rows li' },
  { name: 'tags', path: 'in/default/tags', shows: '.rows li' },
  { name: 'tag', path: 'in/default/tags', shows: '.rows li', act: pressed('boats', 'form') },
  { name: 'settings', path: 'in/default/settings', shows: '.settings form' },
  { name: 'settings-keys', path: 'in/default/settings/keys', shows: '.rows li' },
  { name: 'new-key', path: 'in/default/settings/keys', shows: '.rows li', act: pressed('New key', 'form') },
  { name: 'settings-webhooks', path: 'in/default/settings/webhooks', shows: '.rows li' },
  { name: 'new-webhook', path: 'in/default/settings/webhooks', shows: '.rows li', act: pressed('New webhook', 'form') },
  { name: 'webhook', path: 'in/default/settings/webhooks/{webhook}', shows: '.rows li' },
  { name: 'settings-people', path: 'in/default/settings/people', shows: '.rows li' },
  { name: 'invite', path: 'in/default/settings/people', shows: '.rows li', act: pressed('Invite someone', 'form') },
  { name: 'account', path: 'in/default/account', shows: '.settings form .button' },
  { name: 'not-found', path: 'in/default/nowhere', shows: '.empty' },
]

const titles = [
  'How we repaired the old crane',
  'A night on the breakwater',
  'Notes from the spring regatta',
  'The lighthouse keeper’s ledger',
  'Seven knots worth knowing',
  'What the tide tables do not say',
  'A short history of the fish market',
  'Winter storage, step by step',
]

const content = `We began at **six**, when the water was still flat. The crane had not moved since *the winter of 1987*, and nobody was sure that it would.

> Leave it alone until the wind turns, said the harbour master.

## What it took

- two new cables
- grease, more than one would think
- somebody who knows [the old drawings](https://example.com/drawings)

Then the wind turned. \`crane.start()\` is not how it works.
`

export interface Estate {
  readonly post: string
  readonly webhook: string
  readonly link: string
}

/** A project that looks like one. */
export async function furnish(verso: TestApp): Promise<Estate> {
  const key = await verso.keyWith('admin', 'posts:write', 'posts:publish', 'posts:delete', 'media:write')
  const make = async (path: string, body: object) => (await verso.post(path, body, { key })).body
  const authors = [await make('/v1/admin/authors', { name: 'Mara Lindqvist' }), await make('/v1/admin/authors', { name: 'Jon Okafor' })]
  const categories = [await make('/v1/admin/categories', { name: 'Harbour' }), await make('/v1/admin/categories', { name: 'Sailing' })]
  const posts = []
  for (const [i, title] of titles.entries()) {
    const status = ['archived', 'draft', 'published', 'scheduled'][i % 4]
    const about = { authorId: authors[i % 2].id, categoryId: categories[i % 2].id, tags: [['boats', 'tools'], ['people'], []][i % 3] }
    const time = status === 'scheduled' ? { scheduledFor: '2026-06-12T07:00:00Z' } : {}
    posts.push(await make('/v1/posts', { title, content, excerpt: 'What happened, and what it took.', status, ...about, ...time }))
  }
  const post = posts[2].id
  const told = 'What happened, what it took, and what it cost.'
  await verso.patch(`/v1/posts/${post}`, { content: content.replace('flat', 'calm'), excerpt: told }, { key })
  await verso.patch(`/v1/posts/${post}/pending`, { content: `${content}\nIt lifts again.\n` }, { key })
  for (const [i, name] of ['crane', 'knots', 'tide-table'].entries()) {
    const about = {
      filename: `${name}.svg`,
      mimeType: 'image/svg+xml',
      size: 4_213,
      width: 400,
      height: 300,
      alt: i === 0 ? 'The old crane' : '',
    }
    await make('/v1/media', { url: `https://pictures.example/${name}.svg`, ...about })
  }
  await verso.delete(`/v1/posts/${(await make('/v1/posts', { title: 'Thrown away' })).id}`, { key })
  await verso.patch('/v1/admin/project', { siteUrl: 'https://example.com', permalink: '/{year}/{slug}/' }, { key })
  const webhook = (await make('/v1/admin/webhooks', { url: 'https://example.com/hooks', name: 'Website build' })).id
  await make(`/v1/admin/webhooks/${webhook}/test`, {})
  return { post, webhook, link: (await invite(verso, 'Nia Brandt', 'writer')).link }
}

const nowhere = 'in/default/nowhere'

/** Opens the studio on a new page, signed in where that is wanted. */
export async function enter(page: Page, verso: TestApp, isSignedOut = false): Promise<void> {
  if (isSignedOut) await page.clock.install({ time: verso.context.now() })
  else await signInto(page, verso, 'Ada Winter', 'owner')
  await page.goto(`${verso.app.url}/studio/${nowhere}`)
  await page.locator(isSignedOut ? 'form' : '.empty h1').waitFor()
}

/** Goes to a screen, as new, on a page that shows the studio. */
export async function visit(page: Page, estate: Estate, { path, shows, isSignedOut, act }: Visit): Promise<void> {
  const to = path.replace(/\{(post|link|webhook)\}/, (_, name: keyof Estate) => estate[name])
  const start = new URL('/studio/', page.url()).href
  if (isSignedOut) await page.goto(start + to)
  else {
    await page.keyboard.press('Escape')
    await follow(page, start + nowhere)
    await page.locator('.empty h1').waitFor()
    await follow(page, start + to)
  }
  await page.locator(shows).first().waitFor()
  await act?.(page)
}

/** As a link within the studio leads there. */
const follow = (page: Page, url: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, url)
