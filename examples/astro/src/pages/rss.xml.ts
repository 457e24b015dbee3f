import { getCollection } from 'astro:content'
import rss from '@astrojs/rss'
import { feedItems } from '@verso/astro'

const about = { title: 'The harbour log', description: 'Notes from the pier' }
export const GET = async ({ site }) => rss({ ...about, site, items: feedItems(await getCollection('posts'), '/posts/{slug}') })
