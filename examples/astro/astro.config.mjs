import node from '@astrojs/node'
import sitemap from '@astrojs/sitemap'
import { verso } from '@verso/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: 'https://example.com',
  adapter: node({ mode: 'standalone' }),
  integrations: [sitemap(), verso({ permalink: '/posts/{slug}', preview: '/preview/{slug}', redirects: true })],
})
