import { Verso } from '@verso/client'

const options = { url: process.env.VERSO_URL, key: process.env.VERSO_KEY, cacheSize: 0 }

/** Next.js keeps the answers until a webhook says that something has changed. */
export const verso = new Verso({
  ...options,
  fetch: (url, init) => fetch(url, { ...init, cache: 'force-cache', next: { tags: ['verso'] } }),
})

/** For drafts: nothing is kept. */
export const drafts = new Verso({ ...options, fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }) })
