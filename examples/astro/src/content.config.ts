import { defineCollection } from 'astro:content'
import { versoContent } from '@verso/astro'

const verso = versoContent({ url: import.meta.env.VERSO_URL, key: import.meta.env.VERSO_KEY })

export const collections = {
  posts: defineCollection({ loader: verso.posts() }),
  authors: defineCollection({ loader: verso.authors() }),
  redirects: defineCollection({ loader: verso.redirects() }),
}
