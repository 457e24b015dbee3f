import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import threads from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { operator } from '../../../../src/actions/caller.ts'
import { editProject } from '../../../../src/resources/projects/project-actions.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { engines, shared, startVerso, type TestApp } from '../../../harness/harness.ts'
import { photo } from '../../media/photo.ts'

const content = '# Boats\n\nThree **red** boats <script>alert(1)</script>\n\n![](https://example.com/a.jpg)'
const rendered = {
  contentHtml: `<h1 id="user-content-boats">Boats</h1>\n<p>Three <strong>red</strong> boats </p>\n<p><img src="https://example.com/a.jpg" alt=""></p>\n`,
  toc: [{ id: 'user-content-boats', text: 'Boats', level: 1 }],
  readingTimeMinutes: 1,
  wordCount: 4,
}
const everything = 'include=html,toc,reading_time,media'

async function setSite({ app, context, projectId }: TestApp, siteUrl: string) {
  const edits = { siteUrl, permalink: '/{slug}' }
  await app.installation.perform(editProject, operator(projectId, 'cli', toInstant(context.now())), { slug: 'default', edits })
}

/** As in a system that has no more threads. */
function withoutRenderingThreads() {
  const { Worker } = threads
  const replaceBy = (worker: typeof Worker) => {
    threads.Worker = worker
    syncBuiltinESMExports()
  }
  const refuse: ProxyHandler<typeof Worker>['construct'] = (target, [file, options]) => {
    if (String(file).includes('rendering-thread')) throw new Error('ERR_WORKER_INIT_FAILED')
    return new target(file, options)
  }
  replaceBy(new Proxy(Worker, { construct: refuse }))
  onTestFinished(() => replaceBy(Worker))
  return { end: () => replaceBy(Worker) }
}

for (const engine of engines) {
  describe(`include on ${engine.name}`, () => {
    const started = shared(async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'Boats', content, status: 'published', tags: ['sea'] })
      const { body: media } = await verso.post('/v1/media', { ...photo, url: 'https://example.com/a.jpg' })
      await verso.post('/v1/media', { ...photo, url: 'https://example.com/other.jpg' })
      return { verso, post, media }
    })

    it('GET /v1/posts/{id}: 200 with all of it after the other fields', async () => {
      const { verso, post, media } = await started()
      const { body } = await verso.get(`/v1/posts/${post.slug}?${everything}`)
      expect(body).toEqual({ ...post, ...rendered, media: [media] })
      expect(Object.keys(body).slice(-5)).toEqual(['contentHtml', 'toc', 'readingTimeMinutes', 'wordCount', 'media'])
    })

    it('GET /v1/posts: 200 with what is named alone, whatever the order', async () => {
      const { verso, post } = await started()
      const one = await verso.get('/v1/posts?include=toc,html&fields=title')
      expect(one.body.data).toEqual([{ id: post.id, title: 'Boats', contentHtml: rendered.contentHtml, toc: rendered.toc }])
      const other = await verso.get('/v1/posts?fields=title&include=html&include=toc')
      expect(other.text).toBe(one.text)
      expect((await verso.get('/v1/posts?exclude=content&include=reading_time')).body.data[0]).toMatchObject({ wordCount: 4 })
    })

    it('GET /v1/posts: the same HTML after a search, from the cache and by cursor', async () => {
      const { verso } = await started()
      for (const query of ['q=boats', 'search=boat', 'tag=sea', 'sort=title', 'total=false']) {
        const { body } = await verso.get(`/v1/posts?${everything}&${query}`)
        expect(body.data[0]).toMatchObject(rendered)
        expect((await verso.get(`/v1/posts?${everything}&${query}`)).body).toEqual(body)
      }
    })

    it('GET: 304 for the same include, and another ETag for another', async () => {
      const { verso, post } = await started()
      for (const path of ['/v1/posts', `/v1/posts/${post.id}`]) {
        const { headers } = await verso.get(`${path}?include=html`)
        const tag = headers.get('etag') ?? ''
        expect((await verso.get(`${path}?include=html`, { headers: { 'if-none-match': tag } })).status).toBe(304)
        expect((await verso.get(`${path}?include=toc`, { headers: { 'if-none-match': tag } })).status).toBe(200)
        expect((await verso.request('HEAD', `${path}?include=html`)).headers.get('etag')).toBe(tag)
      }
    })

    it('GET: 400 for a name that is not there, with the nearest', async () => {
      const { verso, post } = await started()
      for (const path of ['/v1/posts', `/v1/posts/${post.id}`]) {
        const { status, body } = await verso.get(`${path}?include=htm`)
        expect({ status, errors: body.errors }).toEqual({
          status: 400,
          errors: [{ parameter: 'include', code: 'not_allowed', detail: '`include` does not know htm; did you mean html?' }],
        })
      }
    })

    it('GET: 400 for a name that is like none, with all that there are', async () => {
      const { verso } = await started()
      const said = async (query: string) => (await verso.get(`/v1/posts?${query}`)).body.errors[0].detail
      expect(await said('include=foo')).toBe('`include` does not know foo; it knows html, toc, reading_time, media.')
      expect(await said('date=1')).toMatch(/^There is no parameter `date`; the parameters here are status, .*, page, .*include\.$/)
    })

    it('GET: 403 for media without media:read', async () => {
      const { verso, post } = await started()
      for (const path of ['/v1/posts', `/v1/posts/${post.id}`]) {
        const { status, body } = await verso.get(`${path}?include=html,media`, { key: verso.public })
        expect({ status, scope: body.scope }).toEqual({ status: 403, scope: 'media:read' })
        expect((await verso.get(`${path}?include=html`, { key: verso.public })).status).toBe(200)
      }
    })
  })

  describe(`include and changes on ${engine.name}`, () => {
    it('the list of posts changes with a media record that it shows, and its ETag with it', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Boats', content, status: 'published' })
      const before = await verso.get('/v1/posts?include=media')
      expect(before.body.data[0].media).toEqual([])
      const { body: media } = await verso.post('/v1/media', { ...photo, url: 'https://example.com/a.jpg' })
      const after = await verso.get('/v1/posts?include=media')
      expect(after.body.data[0].media).toEqual([media])
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    })

    it('media at relative URLs are those of the site, and the social picture is one of them', async () => {
      const verso = await startVerso(engine)
      await setSite(verso, 'https://blog.example.com/')
      const seo = { ogImage: 'https://example.com/card.png' }
      const { body: post } = await verso.post('/v1/posts', { title: 'A', content: '![](/pictures/ä.png) <img src="/b.png">', seo })
      const urls = ['https://example.com/card.png', 'https://blog.example.com/pictures/ä.png', 'https://blog.example.com/b.png']
      for (const url of [...urls, 'https://example.com/pictures/ä.png']) await verso.post('/v1/media', { ...photo, url })
      const { body } = await verso.get(`/v1/posts/${post.id}?include=media`)
      expect(body.media.map(({ url }: { url: string }) => url)).toEqual(urls)
    })

    it('the trash and previews have it, too', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'Boats', content })
      const { body: preview } = await verso.post(`/v1/posts/${post.id}/preview-tokens`, {})
      const path = `/v1/posts/${post.id}?preview_token=${preview.token}&${everything}`
      expect((await verso.get(path, { key: null })).body).toMatchObject({ ...rendered, media: [] })
      await verso.delete(`/v1/posts/${post.id}`)
      expect((await verso.get(`/v1/posts?trashed=true&${everything}`)).body.data).toMatchObject([rendered])
    })

    it('a list with a post that no parser gets through: that one is text, the log says so, and nobody else waits', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => lines.push(line) })
      const { body: hostile } = await verso.post('/v1/posts', { title: 'Hostile', content: '['.repeat(1024 * 1024), status: 'published' })
      for (let i = 0; i < 3; i++) await verso.post('/v1/posts', { title: 'Boats', content: `${content} ${i}`, status: 'published' })
      const list = verso.get('/v1/posts?include=html,reading_time&exclude=content')
      await wait(1)
      expect((await verso.get('/v1/posts?include=toc&search=boats', { key: verso.public })).body.data[0].toc).toEqual(rendered.toc)
      const { body, headers } = await list
      const html = (isHostile: boolean) =>
        body.data.find(({ id }: { id: string }) => (id === hostile.id) === isHostile).contentHtml as string
      expect(html(true) === `<pre>\n${'['.repeat(1024 * 1024)}</pre>`).toBe(true)
      expect(html(false)).toContain('<h1 id="user-content-boats">')
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ level: 40, postId: hostile.id, msg: 'a post could not be rendered and is shown as text' }),
      )
      const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
      expect((await verso.get('/v1/posts?include=html,reading_time&exclude=content', again)).status).toBe(304)
    })

    it('HTML that is nested too deep: 200 with the post as text, and the log says so once', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => lines.push(line) })
      const { body: deep } = await verso.post('/v1/posts', { title: 'Deep', content: '<div>'.repeat(501), status: 'published' })
      for (let i = 0; i < 2; i++)
        expect((await verso.get('/v1/posts/deep?include=html')).body.contentHtml).toBe(`<pre>\n${'&lt;div&gt;'.repeat(501)}</pre>`)
      const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a post could not be rendered and is shown as text')
      expect(said).toMatchObject([{ level: 40, postId: deep.id, reason: expect.stringContaining('The HTML is nested deeper than 500.') }])
    })

    it('while no thread can be started: 200 with all posts as text, and the log says so', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => lines.push(line) })
      const { body: post } = await verso.post('/v1/posts', { title: 'Boats', content: '# Boats & more', status: 'published' })
      const { body: long } = await verso.post('/v1/posts', { title: 'Long', content: 'x'.repeat(100_000), status: 'published' })
      const system = withoutRenderingThreads()
      const { body } = await verso.get('/v1/posts?include=html,reading_time&sort=title')
      expect(body.data.map(({ contentHtml }: { contentHtml: string }) => contentHtml)).toEqual([
        '<pre>\n# Boats &amp; more</pre>',
        `<pre>\n${long.content}</pre>`,
      ])
      expect(body.data[0].wordCount).toBe(2)
      const reason = expect.stringContaining('ERR_WORKER_INIT_FAILED')
      for (const { id } of [post, long]) {
        expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ level: 40, postId: id, reason }))
      }
      system.end()
      const { body: other } = await verso.post('/v1/posts', { title: 'Other', content })
      expect((await verso.get(`/v1/posts/${other.id}?include=html`)).body.contentHtml).toBe(rendered.contentHtml)
    })
  })
}
