import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../harness/program.ts'
import { realBlogs, withoutBlogs } from '../harness/real-blogs.ts'
import { writeBlog } from './example-blog.ts'
import { brokenLinks, filesIn, installExample, nodeOf, run, startBrowser, startServer } from './registry-tools.ts'
import { serveBlog } from './served-blog.ts'

const client = resolve(import.meta.dirname, '../../packages/client/dist/client.js')

async function astro(clone?: string) {
  const node = await nodeOf(24)
  const { folder, seconds } = await installExample('astro', node, clone)
  const build = (site: { readonly url: string; readonly key: string }) =>
    run(join(folder, 'node_modules/.bin/astro'), ['build'], folder, {
      ...node,
      VERSO_URL: site.url,
      VERSO_KEY: site.key,
      ASTRO_TELEMETRY_DISABLED: '1',
    })
  return { node, folder, installSeconds: seconds, build }
}

describe('examples/astro', () => {
  it('is a whole blog over an imported one: pages, feed, sitemap, a rebuild by one request, previews, in a browser', {
    timeout: 300_000,
  }, async () => {
    const blog = join(temporaryFolder(), 'blog')
    writeBlog(blog)
    const site = await serveBlog(blog)
    const { node, folder, build } = await astro()
    await site.requests()
    const { output } = await build(site)
    expect(output).not.toMatch(/warn/i)
    expect(await site.requests()).toEqual(['/v1/changes', '/v1/redirects'])
    const pages = filesIn(join(folder, 'dist/client'))
    for (const page of ['index', '2/index', 'posts/day-3/index', 'tags/sea/index', '404']) expect(pages).toContain(`${page}.html`)
    for (const file of ['rss.xml', 'sitemap-index.xml', 'sitemap-0.xml']) expect(pages).toContain(file)
    expect(brokenLinks(join(folder, 'dist/client'))).toEqual([])
    const read = (page: string) => readFileSync(join(folder, 'dist/client', page), 'utf8')
    expect(read('posts/day-12/index.html')).toMatch(/src=".\/pier.png".*src="100%\.png"/)
    expect(read('old/day-3/index.html')).toContain('url=/posts/day-3')
    expect(pages.filter((page) => page.startsWith('authors/'))).toEqual(['authors/jon-berg/index.html', 'authors/mira-holt/index.html'])
    expect(read('rss.xml').match(/<item>/g)?.length).toBe(12)
    expect(read('sitemap-0.xml')).not.toContain('preview')
    expect(pages.some((page) => read(page).includes('Not yet'))).toBe(false)

    await site.request('PATCH', '/v1/posts/day-5', { title: 'Day 5, again' })
    await site.requests()
    await build(site)
    expect(await site.requests()).toEqual(['/v1/changes'])
    expect(read('posts/day-5/index.html')).toContain('<h1>Day 5, again</h1>')

    const { token } = await site.request('POST', '/v1/posts/not-yet/preview-tokens', {})
    const env = { ...node, HOST: '127.0.0.1', PORT: '0' }
    const home = await startServer('node', ['dist/server/entry.mjs'], folder, env)
    const preview = await fetch(`${home}/preview/not-yet?preview_token=${token}`)
    expect([preview.status, preview.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(await preview.text()).toContain('<p>A <strong>draft</strong>.</p>')
    for (const path of ['/preview/not-yet?preview_token=x', '/preview/not-yet', '/posts/not-yet'])
      expect((await fetch(home + path)).status).toBe(404)

    const browser = await startBrowser()
    for (const [path, width] of [
      ['/', 1100],
      ['/', 390],
      ['/posts/day-5/', 390],
      ['/posts/day-1/', 390],
      ['/tags/sea/', 1100],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 } })
      const errors: string[] = []
      page.on('pageerror', (error) => void errors.push(error.message))
      await page.goto(home + path)
      expect([path, errors]).toEqual([path, []])
      expect([path, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width, width])
    }
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
    await page.goto(`${home}/posts/not-yet?preview_token=${token}`)
    await page.waitForURL(/\/preview\/not-yet\?preview_token=/)
    expect(await page.title()).toBe('Not yet · The harbour log')
    // The client itself, in a page of another origin.
    const code = JSON.stringify(readFileSync(client, 'utf8'))
    const script = `(async () => {
      const { Verso } = await import(URL.createObjectURL(new Blob([${code}], { type: 'text/javascript' })))
      const verso = new Verso({ url: '${site.url}', key: '${site.key}' })
      const read = async () => { const slugs = []; for await (const { slug } of verso.posts.all({ fields: ['slug'], limit: 5 })) slugs.push(slug); return slugs.length }
      return [await read(), await read(), await verso.posts.get('not-yet').catch(({ code }) => code)]
    })()`
    expect(await page.evaluate(script)).toEqual([12, 12, 'not_found'])
  })
})

describe.skipIf(realBlogs.length === 0)(
  `examples/astro over the blogs of real projects${realBlogs.length === 0 ? `: ${withoutBlogs}` : ''}`,
  () => {
    const clone = mkdtempSync(join(tmpdir(), 'verso-astro-'))
    const shared: { site?: Awaited<ReturnType<typeof astro>> } = {}
    afterAll(() => rmSync(clone, { recursive: true, force: true }))

    it.each(realBlogs.map(([name, , path]) => [name, path] as const))(
      '%s: a page for each published post, and nothing that cannot be rendered',
      { timeout: 300_000 },
      async (name, path) => {
        const site = await serveBlog(path)
        shared.site ??= await astro(clone)
        const { folder, build } = shared.site
        const { pagination } = await site.request('GET', '/v1/posts?status=published&limit=1')
        await site.requests()
        const cold = await build(site)
        const asked = await site.requests()
        const posts = filesIn(join(folder, 'dist/client')).filter((file) => /^posts\/[^/]+\/index\.html$/.test(file))
        expect([posts.length, cold.output.match(/cannot be rendered/g)?.length ?? 0]).toEqual([pagination.total, 0])
        expect(brokenLinks(join(folder, 'dist/client'))).toEqual([])
        const { data } = await site.request('GET', '/v1/posts?status=published&limit=1&fields=slug')
        await site.request('PATCH', `/v1/posts/${data[0]?.slug}`, { title: 'One edit' })
        await site.requests()
        const again = await build(site)
        expect(await site.requests()).toEqual(['/v1/changes'])
        const figures = [
          `${posts.length} posts`,
          `cold ${cold.seconds.toFixed(1)} s by ${asked.length} requests`,
          `after one edit ${again.seconds.toFixed(1)} s by 1`,
        ]
        process.stdout.write(`examples/astro over ${name}: ${figures.join(', ')}\n`)
      },
    )
  },
)
