import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { engines, startVerso } from '../../harness/harness.ts'
import { temporaryFolder, verso } from '../../harness/program.ts'

const main = resolve(import.meta.dirname, '../../../dist/cli/main.js')

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')

/** The two halves of a file: its fields and its content. */
function halves(text: string) {
  const [, front = '', content = ''] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(text) ?? []
  return { front: parse(front), content }
}

for (const engine of engines)
  describe(`verso sync on ${engine.name}`, () => {
    it('writes every post as Markdown with front matter, the content byte for byte, the same bytes each time', async () => {
      const app = await startVerso(engine)
      const admin = { key: await app.keyWith('admin') }
      const author = (await app.post('/v1/admin/authors', { name: 'Ada: "the" first' }, admin)).body
      const category = (await app.post('/v1/admin/categories', { name: 'Yes' }, admin)).body
      const content = '---\nnot: front matter\n---\r\n\n  Trailing spaces  \n\t# é 日本 😀\u2028'
      const seo = { title: 'For search', description: null, canonicalUrl: null, ogImage: 'https://cdn.example.com/a.png' }
      const post = (
        await app.post('/v1/posts', {
          title: 'no: "quotes" & # signs',
          slug: 'odd',
          content,
          excerpt: 'One\n---\ntwo',
          status: 'published',
          authorId: author.id,
          categoryId: category.id,
          tags: ['yes', '007', 'C++', '~'],
          seo,
        })
      ).body
      await app.post('/v1/posts', { title: 'Plain', status: 'published' })
      await app.post('/v1/posts', { title: 'Draft' })
      const [one, other] = [temporaryFolder(), temporaryFolder()]
      const { port } = new URL(app.app.url)
      for (const [folder, where] of [
        [one, { VERSO_URL: app.app.url }],
        [other, { PORT: port }],
      ] as const) {
        const ended = await verso(['sync', folder], { env: { VERSO_KEY: app.public, ...where } })
        expect(ended).toMatchObject({ code: 0, stdout: `${folder}: 2 files written, 0 files deleted.\n`, stderr: '' })
      }
      expect(filesIn(one)).toEqual(['odd.md', 'plain.md'])
      for (const name of [...filesIn(one), '.verso-sync.json']) expect(read(other, name)).toBe(read(one, name))
      const odd = halves(read(one, 'odd.md'))
      expect(odd.content).toBe(content)
      expect(read(one, 'odd.md')).toContain('\ncategory: "Yes"\n')
      expect(odd.front).toEqual({
        id: post.id,
        slug: 'odd',
        title: post.title,
        status: 'published',
        excerpt: post.excerpt,
        date: post.publishedAt,
        publishedAt: post.publishedAt,
        createdAt: post.createdAt,
        updatedAt: post.updatedAt,
        version: 1,
        author: author.name,
        authorId: author.id,
        category: 'Yes',
        categorySlug: category.slug,
        tags: post.tags,
        seo: { title: 'For search', ogImage: seo.ogImage },
      })
      expect(read(one, '.verso-sync.json')).not.toContain(app.public)
    })

    it('keeps generators from looking for pictures that are not there; --assets leaves them and lists them', async () => {
      const app = await startVerso(engine)
      const content = '![a](a.png) ![b](b.png "B") ![c](/c.png) ![d](https://d.example/d.png)\n`![e](e.png)`\n\n![x](x.png)\n'
      await app.post('/v1/posts', { title: '2020-01-01', slug: 'one', content, status: 'published', tags: ['no'] })
      const [plain, beside] = [temporaryFolder(), temporaryFolder()]
      for (const folder of [plain, beside]) writeFileSync(join(folder, 'b.png'), 'PNG')
      const run = (folder: string, ...more: string[]) => verso(['sync', folder, '--url', app.app.url, '--key', app.public, ...more])
      expect((await run(plain)).stdout).toContain('\nPictures that are not in the folder: 2 (--assets lists them).\n')
      expect(halves(read(plain, 'one.md')).content).toBe(content.replace('(a.png)', '(a.png#)').replace('(x.png)', '(x.png#)'))
      const left = await run(beside, '--assets')
      expect(left.stdout).toContain('\nPictures that are not in the folder:\n  one.md: a.png\n  one.md: x.png\n')
      expect(halves(read(beside, 'one.md')).content).toBe(content)
      expect(JSON.parse((await run(beside, '--assets', '--json')).stdout)).toEqual({ folder: beside, written: 0, deleted: 0 })
    })

    it('gives parsers of YAML 1.1, which most generators have, texts as texts and dates as dates', async () => {
      const app = await startVerso(engine)
      const title = '1e3: no # "x"\u0085\u2028\u007f'
      await app.post('/v1/posts', {
        title,
        slug: 'one',
        excerpt: '2020-01-01',
        tags: ['yes', '0o7', '~', '12:30', 'a: b'],
        status: 'published',
      })
      await app.post('/v1/posts', { title: 'Draft', slug: 'two' })
      const folder = temporaryFolder()
      await verso(['sync', folder, '--url', app.app.url, '--key', app.secret])
      const fields = (name: string) =>
        parse(/^---\n([\s\S]*?\n)---\n/.exec(read(folder, name))?.[1] ?? '', { version: '1.1', schema: 'yaml-1.1' })
      expect(fields('one.md')).toMatchObject({
        title,
        excerpt: '2020-01-01',
        tags: ['yes', '0o7', '~', '12:30', 'a: b'],
        date: expect.any(Date),
        updatedAt: expect.any(Date),
        version: 1,
      })
      expect(fields('one.md')).not.toHaveProperty('draft')
      expect(fields('two.md')).toMatchObject({ draft: true })
    })

    it('run again, brings what has changed: new, renamed, deleted, unpublished, and touches nothing else', async () => {
      const app = await startVerso(engine)
      for (const title of ['Kept', 'Renamed', 'Deleted', 'Hidden', 'Left', 'Right'])
        await app.post('/v1/posts', { title, status: 'published' })
      const folder = temporaryFolder()
      const run = () => verso(['sync', folder, '--url', app.app.url, '--key', app.public, '--json'])
      expect(JSON.parse((await run()).stdout)).toEqual({ folder, written: 6, deleted: 0 })
      writeFileSync(join(folder, 'mine.md'), 'of another')
      const before = statSync(join(folder, 'kept.md')).mtimeMs
      expect(JSON.parse((await run()).stdout)).toEqual({ folder, written: 0, deleted: 0 })

      await app.patch('/v1/posts/renamed', { slug: 'new-name' })
      await app.delete('/v1/posts/deleted')
      await app.patch('/v1/posts/hidden', { status: 'archived' })
      await app.post('/v1/posts', { title: 'New', status: 'published' })
      // Two posts change slugs with each other.
      await app.patch('/v1/posts/left', { slug: 'between' })
      await app.patch('/v1/posts/right', { slug: 'left' })
      await app.patch('/v1/posts/between', { slug: 'right' })
      expect(JSON.parse((await run()).stdout)).toEqual({ folder, written: 4, deleted: 3 })
      expect(filesIn(folder)).toEqual(['kept.md', 'left.md', 'mine.md', 'new-name.md', 'new.md', 'right.md'])
      expect(halves(read(folder, 'left.md')).front.title).toBe('Right')
      expect(halves(read(folder, 'right.md')).front.title).toBe('Left')
      expect(read(folder, 'mine.md')).toBe('of another')
      expect(statSync(join(folder, 'kept.md')).mtimeMs).toBe(before)
      expect(existsSync(join(folder, '.verso-sync.tmp'))).toBe(false)
    })

    it('never touches a file that it did not write: says which is in the way, and goes on when it is gone', async () => {
      const app = await startVerso(engine)
      await app.post('/v1/posts', { title: 'One', status: 'published' })
      await app.post('/v1/posts', { title: 'Two', status: 'published' })
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'two.md'), 'mine')
      const run = () => verso(['sync', folder, '--url', app.app.url, '--key', app.public])
      expect(await run()).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${join(folder, 'two.md')} already exists`),
      })
      expect(read(folder, 'two.md')).toBe('mine')
      rmSync(join(folder, 'two.md'))
      expect((await run()).code).toBe(0)
      expect(filesIn(folder)).toEqual(['one.md', 'two.md'])
    })

    it('takes away only files of its own folder, whatever the folder says of itself', async () => {
      const app = await startVerso(engine)
      const folder = join(temporaryFolder(), 'content')
      const run = () => verso(['sync', folder, '--url', app.app.url, '--key', app.public])
      expect((await run()).code).toBe(0)
      const state = JSON.parse(read(folder, '.verso-sync.json'))
      const others = ['../claimed.md', '../old.md', 'mine.txt']
      for (const name of [...others, 'claimed.md', 'old.md']) writeFileSync(join(folder, name), 'mine')
      const files = {
        post_1: { name: '../old.md', round: 0 },
        post_2: { name: 'old.md', round: 0 },
        post_3: { name: 'mine.txt', round: 0 },
      }
      writeFileSync(
        join(folder, '.verso-sync.json'),
        JSON.stringify({ ...state, isWhole: false, files, claimed: ['../claimed.md', 'claimed.md'] }),
      )
      expect(await run()).toMatchObject({ code: 0, stdout: `${folder}: 0 files written, 2 files deleted.\n` })
      expect(filesIn(folder)).toEqual([])
      for (const name of others) expect(read(folder, name)).toBe('mine')
    })

    it('starts anew by itself where its cursor has expired or the key is another, and takes away what is gone', async () => {
      const app = await startVerso(engine)
      for (const title of ['Kept', 'Gone']) await app.post('/v1/posts', { title, status: 'published' })
      await app.post('/v1/posts', { title: 'Draft' })
      const folder = temporaryFolder()
      const run = (key: string) => verso(['sync', folder, '--url', app.app.url, '--key', key])
      expect((await run(app.secret)).code).toBe(0)
      expect(filesIn(folder)).toEqual(['draft.md', 'gone.md', 'kept.md'])
      const asPublic = await run(app.public)
      expect(asPublic).toMatchObject({
        code: 0,
        stdout: `${folder}: 0 files written, 1 file deleted.\n`,
        stderr: expect.stringContaining('comparing everything'),
      })
      expect(filesIn(folder)).toEqual(['gone.md', 'kept.md'])
      await app.delete('/v1/posts/gone')
      app.context.travelTo('2027-01-01T00:00:00.000Z')
      const late = await run(app.public)
      expect(late).toMatchObject({
        code: 0,
        stdout: `${folder}: 0 files written, 1 file deleted.\n`,
        stderr: expect.stringContaining('comparing everything'),
      })
      expect(filesIn(folder)).toEqual(['kept.md'])
    })

    it('killed between two pages or within one, it goes on where it was', async () => {
      const app = await startVerso(engine)
      for (let i = 0; i < 130; i++) await app.post('/v1/posts', { title: `Post ${i}`, status: 'published' })
      const folder = temporaryFolder()
      const command = spawn(process.execPath, [main, 'sync', folder, '--url', app.app.url, '--key', app.public], { stdio: 'ignore' })
      const ended = new Promise((end) => command.once('exit', end))
      await expect.poll(() => filesIn(folder).length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(5)
      command.kill('SIGKILL')
      await ended
      await app.patch('/v1/posts/post-1', { slug: 'moved', content: 'changed meanwhile' })
      await app.delete('/v1/posts/post-2')
      expect(await verso(['sync', folder, '--url', app.app.url, '--key', app.public])).toMatchObject({ code: 0, stderr: '' })
      const slugs = (await app.get('/v1/posts?limit=100')).body.data.concat((await app.get('/v1/posts?limit=100&page=2')).body.data)
      expect(filesIn(folder)).toEqual(slugs.map(({ slug }: { slug: string }) => `${slug}.md`).sort())
      expect(halves(read(folder, 'moved.md')).content).toBe('changed meanwhile')
    })

    it('--watch brings every change as it happens, and ends with a signal', async () => {
      const app = await startVerso(engine)
      const folder = temporaryFolder()
      const command = spawn(process.execPath, [main, 'sync', folder, '--url', app.app.url, '--watch'], {
        env: { PATH: process.env.PATH ?? '', VERSO_KEY: app.public },
      })
      onTestFinished(() => void command.kill('SIGKILL'))
      let output = ''
      command.stdout.on('data', (chunk) => (output += chunk))
      const ended = new Promise((end) => command.once('exit', end))
      await expect.poll(() => output, { timeout: 20_000 }).toContain('up to date')
      await app.post('/v1/posts', { title: 'Live', status: 'published' })
      await expect.poll(() => filesIn(folder), { timeout: 20_000 }).toEqual(['live.md'])
      await app.patch('/v1/posts/live', { slug: 'lively' })
      await expect.poll(() => filesIn(folder), { timeout: 20_000 }).toEqual(['lively.md'])
      command.kill('SIGTERM')
      expect(await ended).toBe(0)
    })

    it('2 for wrong usage, 1 with the reason where the service refuses or is away or the folder cannot be made; never the key', async () => {
      const app = await startVerso(engine)
      const folder = temporaryFolder()
      const weak = await app.keyWith('posts:read')
      const runs = [
        [await verso(['sync', folder, '--url', app.app.url]), 2, 'VERSO_KEY'],
        [await verso(['sync', folder, '--url', 'ftp://x', '--key', weak]), 2, '--url'],
        [await verso(['sync', folder, '--url', app.app.url, '--key', weak]), 1, 'changes:read'],
        [await verso(['sync', folder, '--url', app.app.url, '--key', `${weak}x`]), 1, 'API key'],
        [await verso(['sync', folder, '--url', 'http://127.0.0.1:9', '--key', weak]), 1, 'cannot be reached'],
        [
          await verso(['sync', folder, '--url', app.app.url.replace('http', 'https'), '--key', weak]),
          1,
          'cannot be reached: TLS failed (wrong version number).\n',
        ],
        [
          await verso(['sync', '/proc/nowhere/at/all', '--url', app.app.url, '--key', weak]),
          1,
          'the folder /proc/nowhere cannot be created',
        ],
      ] as const
      for (const [{ code, stderr }, expected, why] of runs) {
        expect([code, stderr]).toEqual([expected, expect.stringContaining(why)])
        expect(stderr).not.toContain(weak)
      }
    })
  })

describe('verso sync --watch', () => {
  it('asks again where the connection ends in the middle of an answer', async () => {
    const page = '{"data":[],"nextCursor":"c","hasMore":false}'
    let asked = 0
    const service = createServer((_, response) => {
      asked += 1
      if (asked === 1) response.end(page)
      if (asked === 2) response.write(page.slice(0, 9), () => response.destroy())
    })
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
    onTestFinished(() => void service.close().closeAllConnections())
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const command = spawn(process.execPath, [main, 'sync', temporaryFolder(), '--url', url, '--key', 'verso_pub_x', '--watch'])
    onTestFinished(() => void command.kill('SIGKILL'))
    let said = ''
    command.stderr.on('data', (chunk) => (said += chunk))
    const ended = once(command, 'exit')
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(3)
    expect(said).toMatch(/cannot be reached: .+ Trying again in 1 s\.\n$/)
    command.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

for (const engine of engines.filter(({ name }) => name === 'SQLite'))
  describe('verso sync', () => {
    it('stopped before the end: exit code 1, and the next one continues', async () => {
      const app = await startVerso(engine)
      for (let i = 0; i < 101; i++) await app.post('/v1/posts', { title: `Post ${i}`, status: 'published' })
      let asked = 0
      const held = createServer(async (request, response) => {
        asked += 1
        if (asked > 1) return
        const page = await fetch(`${app.app.url}${request.url}`, { headers: { authorization: `Bearer ${app.public}` } })
        response.end(await page.text())
      })
      held.listen(0, '127.0.0.1')
      await once(held, 'listening')
      onTestFinished(() => void held.close().closeAllConnections())
      const folder = temporaryFolder()
      const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}`
      const command = spawn(process.execPath, [main, 'sync', folder, '--url', url, '--key', app.public])
      onTestFinished(() => void command.kill('SIGKILL'))
      let said = ''
      command.stderr.on('data', (chunk) => (said += chunk))
      const ended = once(command, 'close')
      await expect.poll(() => asked, { timeout: 20_000 }).toBe(2)
      command.kill('SIGINT')
      expect(await ended).toEqual([1, null])
      expect(said).toBe('error: stopped before the end; the same command continues from here.\n')
      expect(filesIn(folder)).toHaveLength(100)
      expect((await verso(['sync', folder, '--url', app.app.url, '--key', app.public])).stdout).toContain(': 1 file written')
    })

    it('two at once in one folder: each writes whole files, and what a killed one has left is removed', async () => {
      const app = await startVerso(engine)
      for (let i = 0; i < 300; i++) await app.post('/v1/posts', { title: `Post ${i}`, content: `Text ${i}`, status: 'published' })
      // Both get their first page at the same moment.
      const waiting: (() => void)[] = []
      const gate = createServer(async (request, response) => {
        if (waiting.length < 2) {
          await new Promise<void>((go) => {
            waiting.push(go)
            if (waiting.length === 2) for (const each of waiting) each()
          })
        }
        const page = await fetch(`${app.app.url}${request.url}`, { headers: { authorization: `Bearer ${app.public}` } })
        response.end(await page.text())
      })
      gate.listen(0, '127.0.0.1')
      await once(gate, 'listening')
      onTestFinished(() => void gate.close().closeAllConnections())
      const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`
      const [alone, shared] = [temporaryFolder(), temporaryFolder()]
      const left = ['.verso-sync.tmp', `.verso-sync.${2 ** 22 + 1}.tmp`]
      for (const name of left) writeFileSync(join(shared, name), 'half')
      const run = (folder: string, address: string) => verso(['sync', folder, '--url', address, '--key', app.public])
      for (const ended of await Promise.all([run(shared, url), run(shared, url)])) expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect((await run(alone, app.app.url)).code).toBe(0)
      expect(readdirSync(shared).sort()).toEqual(readdirSync(alone).sort())
      for (const name of filesIn(alone)) expect(read(shared, name)).toBe(read(alone, name))
    })
  })
