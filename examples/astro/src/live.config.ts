import { defineLiveCollection } from 'astro:content'
import { versoLive } from '@verso/astro'

const verso = versoLive({ url: import.meta.env.VERSO_URL })

export const collections = { drafts: defineLiveCollection({ loader: verso.posts() }) }
