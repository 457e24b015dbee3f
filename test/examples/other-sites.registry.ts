import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../harness/program.ts'
import { writeBlog } from './example-blog.ts'
import { brokenLinks, filesIn, installExample, nodeOf, run, startServer } from './registry-tools.ts'
import { serveBlog } from './served-blog.ts'

async function start(name: string) {
  const blog = join(temporaryFolder(), 'blog')
  writeBlog(blog)
  const [site, node] = [await serveBlog(blog), await nodeOf(24)]
  const { folder } = await installExample(name, node)
  return { site, folder, env: { ...node, VERSO_URL: site.url, VERSO_KEY: site.key } }
}

describe('examples/eleventy', () => {
  it('makes an index with pages and a page for each post', { timeout: 300_000 }, async () => {
    const { folder, env } = await start('eleventy')
    await run('npm', ['run', 'build'], folder, env)
    const site = join(folder, '_site')
    const pages = filesIn(site)
    expect(pages.filter((page) => page.startsWith('posts/')).length).toBe(12)
    expect(pages).toEqual(expect.arrayContaining(['index.html', '2/index.html', 'posts/day-3/index.html']))
    expect(pages).not.toContain('posts/not-yet/index.html')
    expect(brokenLinks(site)).toEqual([])
    expect(readFileSync(join(site, 'posts/day-6/index.html'), 'utf8')).toMatch(/<h1>Day 6 &amp; night<\/h1>[\s\S]*<table>/)
  })
})

describe('examples/next', () => {
  it('keeps pages until a webhook tells of a change, and shows a draft to who has its token', { timeout: 300_000 }, async () => {
    const { site, folder, env: base } = await start('next')
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
    const env = { ...base, WEBHOOK_SECRET: secret, NEXT_TELEMETRY_DISABLED: '1' }
    await run('npm', ['run', 'build'], folder, env)
    const home = await startServer(join(folder, 'node_modules/.bin/next'), ['start', '--port', '0', '--hostname', '127.0.0.1'], folder, env)
    const read = async (path: string, init?: RequestInit) => {
      const response = await fetch(home + path, { redirect: 'manual', ...init })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    expect((await read('/')).text.match(/<section>/g)?.length).toBe(12)
    expect((await read('/posts/day-6')).text).toMatch(/<h1>Day 6 &amp; night<\/h1>[\s\S]*<table>/)
    expect([(await read('/posts/not-yet')).status, (await read('/posts/no-such')).status]).toEqual([404, 404])

    await site.request('PATCH', '/v1/posts/day-6', { title: 'Day 6, again' })
    expect((await read('/posts/day-6')).text).toContain('Day 6 &amp; night')
    const tell = (by: string) => {
      const body = '{"type":"post.updated","data":{}}'
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': new Webhook(by).sign('evt_1', new Date(), body),
      }
      return read('/webhooks', { method: 'POST', body, headers })
    }
    expect((await tell(`whsec_${Buffer.alloc(32, 6).toString('base64')}`)).status).toBe(400)
    expect((await read('/posts/day-6')).text).toContain('Day 6 &amp; night')
    expect((await tell(secret)).status).toBe(204)
    expect((await read('/posts/day-6')).text).toContain('<h1>Day 6, again</h1>')

    const { token } = await site.request('POST', '/v1/posts/not-yet/preview-tokens', {})
    const link = await read(`/posts/not-yet?preview_token=${token}`)
    expect([link.status, link.headers.get('location')]).toEqual([307, `/draft?preview_token=${token}&slug=not-yet`])
    const draft = await read(link.headers.get('location') ?? '')
    expect([draft.status, draft.headers.get('location')]).toEqual([307, '/posts/not-yet'])
    const cookie = draft.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    expect((await read('/posts/not-yet', { headers: { cookie } })).text).toContain('<p>A <strong>draft</strong>.</p>')
    // The token opens one post; the others are there as everybody sees them.
    expect((await read('/posts/day-6', { headers: { cookie } })).text).toContain('<h1>Day 6, again</h1>')
    expect((await read('/posts/no-such', { headers: { cookie } })).status).toBe(404)
    expect((await read('/posts/not-yet')).status).toBe(404)
    for (const query of ['', '?slug=not-yet', '?slug=not-yet&preview_token=', '?preview_token=x'])
      expect([query, (await read(`/draft${query}`)).status]).toEqual([query, 404])
    expect((await read('/draft?slug=not-yet&preview_token=x')).status).toBe(404)
  })
})
