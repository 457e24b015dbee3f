import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp, type TestEngine } from '../../harness/harness.ts'
import { temporaryFolder } from '../../harness/program.ts'
import { realBlogs, realExports, withoutBlogs } from '../../harness/real-blogs.ts'
import { soakStride } from '../../harness/soak.ts'
import { importFile } from '../../import/exports/export-fixture.ts'
import { importInto } from '../../import/import-fixture.ts'
import { exportFrom, filesIn, importExportInto } from './export-fixture.ts'

const contents = [
  '',
  'no newline at the end',
  '\n\n  leading blank lines\n',
  '---\ntitle: not front matter\n---\ntext\n',
  'a\r\nb\r\n',
  '---\r\n---\r\n',
  '...\n---\n',
  '\uFEFFa mark',
  '\u2028\u0085\u00a0',
]

describe.each(engines)('an export on $name', (engine) => {
  it('comes back into an empty project with the same ids, slugs, dates and bytes', async () => {
    const verso = await startVerso(engine)
    const key = await verso.keyWith('admin')
    const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', email: 'ada@a.example', bio: 'a\n b: c' }, { key })
    const { body: category } = await verso.post('/v1/admin/categories', { name: 'News', description: '- x' }, { key })
    await verso.post('/v1/media', {
      url: 'https://a.example/a.png',
      filename: 'a.png',
      mimeType: 'image/png',
      size: 1,
      width: 2,
      height: 0,
      alt: '"',
    })
    for (const [index, content] of contents.entries()) {
      const created = await verso.post('/v1/posts', { title: `no: ${index} #x`, content, status: 'published', tags: ['C', 'C++', 'yes'] })
      expect(created.status).toBe(201)
    }
    await verso.post('/v1/posts', {
      title: 'Draft',
      authorId: author.id,
      categoryId: category.id,
      excerpt: ' x\n',
      aliases: ['/a?b=c', '/ü'],
    })
    await verso.post('/v1/posts', {
      title: 'Later',
      status: 'scheduled',
      scheduledFor: '2027-01-01T00:00:00Z',
      seo: { title: '2020-01-01' },
    })
    await verso.post('/v1/posts', { title: 'Old', status: 'archived', publishedAt: '2001-01-01T00:00:00.123Z' })
    const { body: moved } = await verso.post('/v1/posts', { title: 'Moved', status: 'published' })
    await verso.patch(`/v1/posts/${moved.id}`, { slug: 'elsewhere' })
    await verso.patch(`/v1/posts/${moved.id}`, { status: 'draft' })
    const { body: gone } = await verso.post('/v1/posts', { title: 'Gone' })
    await verso.delete(`/v1/posts/${gone.id}`)

    const [one, two] = [temporaryFolder(), temporaryFolder()]
    expect(await exportFrom(verso, one)).toMatchObject({ posts: contents.length + 4, files: { unchanged: 0, removed: 0 }, edited: [] })
    const copy = await startVerso(engine)
    expect(await importExportInto(copy, one, { dryRun: true })).toMatchObject({ posts: { created: contents.length + 4, failed: 0 } })
    expect((await copy.get('/v1/posts')).body.pagination.total).toBe(0)
    expect(await importExportInto(copy, one)).toMatchObject({
      posts: { created: contents.length + 4, failed: 0 },
      made: { authors: 1, categories: 1, tags: 3, media: 1 },
    })
    await exportFrom(copy, two)
    expect(filesIn(two)).toEqual(filesIn(one))
    const shown = async (from: typeof verso) =>
      (await from.get('/v1/posts?limit=100&sort=slug')).body.data.map(({ version, ...post }: { version: number }) => post)
    expect(await shown(copy)).toEqual(await shown(verso))
    expect((await copy.get('/v1/posts/moved')).status).toBe(301)
    expect(await importExportInto(copy, one)).toMatchObject({ posts: { created: 0, unchanged: contents.length + 4, failed: 0 } })

    // Into a project where others have the slugs: as a blog that was imported there before.
    const other = await startVerso(engine)
    const admin = { key: await other.keyWith('admin') }
    await other.post('/v1/admin/authors', { name: 'Ada' }, admin)
    await other.post('/v1/admin/categories', { name: 'News' }, admin)
    const report = await importExportInto(other, one)
    expect(report).toMatchObject({ posts: { created: contents.length + 4, failed: 0 }, made: { authors: 1, categories: 1 } })
    expect(report.notes).toEqual([
      { path: 'authors.yml', note: 'the slug "ada" of "Ada" is taken; it became "ada-2"' },
      { path: 'categories.yml', note: 'the slug "news" of "News" is taken; it became "news-2"' },
    ])
    expect((await other.get('/v1/posts/draft')).body).toMatchObject({ author: { id: author.id }, category: { slug: 'news-2' } })
  })

  it('of a post that was edited in the folder updates it, and leaves alone what was changed here', async () => {
    const verso = await startVerso(engine)
    for (const title of ['A', 'B', 'C']) await verso.post('/v1/posts', { title, content: 'text' })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const edit = (slug: string) => {
      const path = join(folder, `posts/${slug}.md`)
      writeFileSync(path, `${readFileSync(path, 'utf8')}more`)
    }
    edit('a')
    edit('b')
    verso.context.travelTo('2026-06-02T00:00:00Z')
    await verso.patch('/v1/posts/b', { title: 'Changed' })
    await verso.delete('/v1/posts/c')
    expect(await importExportInto(verso, folder)).toMatchObject({
      posts: { updated: 1, unchanged: 0, conflicting: 2 },
      conflicts: [
        { path: 'posts/b.md', reason: 'changed here' },
        { path: 'posts/c.md', reason: 'deleted here' },
      ],
    })
    expect((await verso.get('/v1/posts/a')).body).toMatchObject({ content: 'textmore', version: 2 })
    expect(await importExportInto(verso, folder, { force: true })).toMatchObject({ posts: { updated: 1, unchanged: 1, conflicting: 1 } })
    expect((await verso.get('/v1/posts/b')).body).toMatchObject({ content: 'textmore', title: 'B' })
  })

  it('of a post that was given tags counts those that no post had, a dry run like the true one', async () => {
    const verso = await startVerso(engine)
    for (const title of ['A', 'B']) await verso.post('/v1/posts', { title, tags: ['old'] })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    for (const slug of ['a', 'b']) {
      const path = join(folder, `posts/${slug}.md`)
      writeFileSync(path, readFileSync(path, 'utf8').replace('- old', `- old\n  - New\n  - ${slug}`))
    }
    verso.context.travelTo('2026-06-02T00:00:00Z')
    await verso.patch('/v1/posts/b', { title: 'Changed' })
    const counts = { posts: { updated: 1, conflicting: 1 }, made: { tags: 2 } }
    for (const dryRun of [true, false]) expect(await importExportInto(verso, folder, { dryRun })).toMatchObject(counts)
    const copy = await startVerso(engine)
    for (const dryRun of [true, false]) expect(await importExportInto(copy, folder, { dryRun })).toMatchObject({ made: { tags: 4 } })
  })

  it('of a post whose file begins with a byte order mark updates it, and the mark is no part of it', async () => {
    const verso = await startVerso(engine)
    await verso.post('/v1/posts', { title: 'A', content: '\ufefftext' })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const path = join(folder, 'posts/a.md')
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8').replace('title: A', 'title: B')}`)
    expect(await importExportInto(verso, folder)).toMatchObject({ posts: { updated: 1, failed: 0 } })
    expect((await verso.get('/v1/posts/a')).body).toMatchObject({ title: 'B', content: '\ufefftext' })
  })

  it('of a post that was given a date in the future is refused unless its status is scheduled', async () => {
    const verso = await startVerso(engine)
    for (const [title, status] of [
      ['A', 'published'],
      ['B', 'archived'],
      ['C', 'published'],
    ])
      await verso.post('/v1/posts', { title, status, ...(status === 'archived' && { publishedAt: '2020-01-01T00:00:00Z' }) })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const edit = (slug: string, status: string) => {
      const path = join(folder, `posts/${slug}.md`)
      const text = readFileSync(path, 'utf8').replace(/^status: .*/m, `status: ${status}`)
      writeFileSync(path, text.replace(/^date: .*/m, 'date: 2033-01-01T00:00:00.000Z'))
    }
    edit('a', 'published')
    edit('b', 'archived')
    edit('c', 'scheduled')
    expect(await importExportInto(verso, folder)).toMatchObject({
      posts: { updated: 1, failed: 2 },
      faults: [
        { path: 'posts/a.md', message: 'its date lies in the future, and it is published; make its status scheduled' },
        { path: 'posts/b.md', message: 'its date lies in the future, and it is archived; make its status scheduled' },
      ],
    })
    expect((await verso.get('/v1/posts?sort=slug')).body.data).toMatchObject([
      { slug: 'a', publishedAt: expect.stringMatching(/^2026/) },
      { slug: 'b', publishedAt: '2020-01-01T00:00:00.000Z' },
      { slug: 'c', status: 'scheduled', scheduledFor: '2033-01-01T00:00:00.000Z', publishedAt: null },
    ])
  })

  it('of a post whose file says of `draft` something else than of `status` is refused, and says which counts', async () => {
    const verso = await startVerso(engine)
    for (const [title, status] of [
      ['A', 'published'],
      ['B', 'draft'],
      ['C', 'archived'],
    ])
      await verso.post('/v1/posts', { title, status })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const edit = (slug: string, from: RegExp, to: string) => {
      const path = join(folder, `posts/${slug}.md`)
      writeFileSync(
        path,
        readFileSync(path, 'utf8')
          .replace(from, to)
          .replace(/^title: .*/m, 'title: Edited'),
      )
    }
    edit('a', /^status: .*/m, '$&\ndraft: true')
    edit('b', /^draft: true/m, 'draft: false')
    edit('c', /^draft: true\n/m, '')
    expect(await importExportInto(verso, folder)).toMatchObject({
      posts: { updated: 1, failed: 2 },
      faults: [
        { path: 'posts/a.md', message: 'it says "draft: true", but its status is published; make its status draft' },
        { path: 'posts/b.md', message: 'it says "draft: false", but its status is draft; make its status published' },
      ],
    })
    expect((await verso.get('/v1/posts?sort=slug')).body.data).toMatchObject([
      { title: 'A', status: 'published' },
      { title: 'B', status: 'draft' },
      { title: 'Edited', status: 'archived' },
    ])
  })

  it('of a draft whose file lost its line `draft: true` leaves it a draft, with a note', async () => {
    const verso = await startVerso(engine)
    for (const [title, status] of [
      ['A', 'draft'],
      ['B', 'archived'],
    ])
      await verso.post('/v1/posts', { title, status })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    for (const slug of ['a', 'b']) {
      const path = join(folder, `posts/${slug}.md`)
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^draft: true\n/m, ''))
    }
    expect(await importExportInto(verso, folder)).toMatchObject({
      posts: { unchanged: 2 },
      notes: [{ path: 'posts/a.md', note: 'it has no "draft: true", but its status is draft; to publish it, make its status published' }],
    })
    expect((await verso.get('/v1/posts/a')).body.status).toBe('draft')
  })

  it('in which an author, a category or a media record was edited leaves them as they are, with a note', async () => {
    const verso = await startVerso(engine)
    const admin = { key: await verso.keyWith('admin') }
    await verso.post('/v1/admin/authors', { name: 'Ada', email: 'ada@a.example' }, admin)
    await verso.post('/v1/admin/categories', { name: 'News', description: 'x' }, admin)
    const asset = { filename: 'a.png', mimeType: 'image/png', size: 1, width: 2, height: 3, alt: '' }
    await verso.post('/v1/media', { url: 'https://a.example/a.png', ...asset })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    expect((await importExportInto(verso, folder)).notes).toEqual([])
    const edit = (path: string, from: RegExp, to: string) =>
      writeFileSync(join(folder, path), readFileSync(join(folder, path), 'utf8').replace(from, to))
    edit('authors.yml', /ada@a.example/, 'ada@b.example"\n  bio: "new')
    edit('categories.yml', /name: News/, 'name: Novelties')
    edit('media.yml', /alt: ""/, 'alt: A picture')
    for (const dryRun of [true, false])
      expect((await importExportInto(verso, folder, { dryRun })).notes).toEqual([
        { path: 'authors.yml', note: '"Ada" is not the same here (email, bio); it stays as it is here' },
        { path: 'categories.yml', note: '"Novelties" is not the same here (name); it stays as it is here' },
        { path: 'media.yml', note: '"a.png" is not the same here (alt); it stays as it is here' },
      ])
    expect((await verso.get('/v1/authors')).body.data).toMatchObject([{ name: 'Ada', bio: null, version: 1 }])
  })

  it('in which two files have one id, slug or alias: the first is imported, the others are at fault and named', async () => {
    const verso = await startVerso(engine)
    const { body: one } = await verso.post('/v1/posts', { title: 'One', aliases: ['/caf%C3%A9'] })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const text = readFileSync(join(folder, 'posts/one.md'), 'utf8')
    const another = text.replace(/post_\w+/, 'post_01kt0000000000000000000000')
    writeFileSync(join(folder, 'posts/other.md'), text)
    writeFileSync(join(folder, 'posts/slug.md'), another)
    writeFileSync(join(folder, 'posts/path.md'), another.replace('slug: one', 'slug: two').replace('/caf%C3%A9', '/café'))
    const copy = await startVerso(engine)
    for (const dryRun of [true, false])
      expect(await importExportInto(copy, folder, { dryRun })).toMatchObject({
        posts: { created: 1, failed: 3 },
        faults: [
          { path: 'posts/other.md', message: `posts/one.md has the same id "${one.id}"; left out` },
          { path: 'posts/path.md', message: 'posts/one.md has the same alias "/café"; left out' },
          { path: 'posts/slug.md', message: 'posts/one.md has the same slug "one"; left out' },
        ],
      })
    expect((await copy.get('/v1/posts')).body.pagination.total).toBe(1)
  })

  it('leaves a post alone that was erased meanwhile; with `force` it brings back what the file says, under a version that the post never had', async () => {
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    const { body: erased } = await verso.post('/v1/posts', { title: 'Secret', content: 'A secret.', tags: ['secret'] })
    expect((await verso.get('/v1/posts')).text).toContain('A secret.')
    await exportFrom(verso, folder)
    await verso.delete(`/v1/posts/${erased.id}?permanent=true`)
    const file = join(folder, 'posts/secret.md')
    const published = readFileSync(file, 'utf8')
      .replace('A secret.', 'Nothing.')
      .replace('status: draft\ndraft: true', 'status: published\ndate: 2026-01-01T00:00:00Z')
    writeFileSync(file, published.replace(/\ntags:\n *- secret/, ''))
    expect((await importExportInto(verso, folder)).posts).toMatchObject({ created: 0, conflicting: 1 })
    expect((await verso.get(`/v1/posts/${erased.id}`)).status).toBe(404)
    expect((await importExportInto(verso, folder, { force: true })).posts).toMatchObject({ created: 1 })
    const { body } = await verso.get(`/v1/posts/${erased.id}`, { key: verso.public })
    expect(body).toMatchObject({ content: 'Nothing.', tags: [], version: 3 })
    expect((await verso.get('/v1/posts', { key: verso.public })).body.data).toEqual([body])
    const stale = { headers: { 'if-match': '1' } }
    expect((await verso.patch(`/v1/posts/${erased.id}`, { title: 'Other' }, stale)).status).toBe(412)
  })

  it('leaves media records deleted that were deleted meanwhile, with a note; with `force` it brings back those that were erased', async () => {
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    const asset = { mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
    const register = async (filename: string) =>
      (await verso.post('/v1/media', { ...asset, filename, url: `https://a.example/${filename}` })).body.id
    const [kept, erased, trashed] = [await register('kept.png'), await register('erased.png'), await register('trashed.png')]
    await exportFrom(verso, folder)
    expect((await verso.delete(`/v1/media/${erased}?permanent=true`)).status).toBe(204)
    expect((await verso.delete(`/v1/media/${trashed}`)).status).toBe(204)
    const note = (filename: string) => ({ path: 'media.yml', note: `"${filename}" was deleted here; left out` })
    for (const dryRun of [true, false]) {
      const { made, notes } = await importExportInto(verso, folder, { dryRun })
      expect({ made: made.media, notes: new Set(notes) }).toEqual({ made: 0, notes: new Set([note('erased.png'), note('trashed.png')]) })
    }
    expect((await verso.get('/v1/media')).body.data).toMatchObject([{ id: kept }])
    const forced = await importExportInto(verso, folder, { force: true })
    expect(forced).toMatchObject({ made: { media: 1 }, notes: [note('trashed.png')] })
    expect((await verso.get(`/v1/media/${erased}`)).body).toMatchObject({ filename: 'erased.png', version: 3 })
    expect((await verso.get(`/v1/media/${trashed}`)).status).toBe(404)
  })

  it('leaves authors and categories deleted that were deleted meanwhile, with a note; with `force` it brings them back', async () => {
    const verso = await startVerso(engine)
    const admin = { key: await verso.keyWith('admin') }
    const { body: ada } = await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
    const { body: bob } = await verso.post('/v1/admin/authors', { name: 'Bob' }, admin)
    const { body: news } = await verso.post('/v1/admin/categories', { name: 'News' }, admin)
    await verso.post('/v1/posts', { title: 'A', authorId: ada.id })
    await verso.post('/v1/posts', { title: 'B', categoryId: news.id })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    verso.context.travelTo('2026-06-02T00:00:00Z')
    await verso.delete(`/v1/admin/authors/${ada.id}?reassign_to=${bob.id}`, admin)
    await verso.patch('/v1/posts/b', { categoryId: null })
    await verso.delete(`/v1/admin/categories/${news.id}`, admin)
    const another = readFileSync(join(folder, 'posts/a.md'), 'utf8').replace(/post_\w+/, 'post_01kt0000000000000000000000')
    writeFileSync(join(folder, 'posts/c.md'), another.replace('slug: a', 'slug: c'))
    for (const dryRun of [true, false])
      expect(await importExportInto(verso, folder, { dryRun })).toMatchObject({
        posts: { created: 0, updated: 0, conflicting: 2, failed: 1 },
        made: { authors: 0, categories: 0 },
        conflicts: ['a', 'b'].map((slug) => ({ path: `posts/${slug}.md`, reason: 'changed here' })),
        faults: [{ path: 'posts/c.md', message: `it names ${ada.id}, which the project does not have` }],
        notes: [
          { path: 'authors.yml', note: '"Ada" was deleted here; left out' },
          { path: 'categories.yml', note: '"News" was deleted here; left out' },
        ],
      })
    expect((await verso.get('/v1/authors')).body.data).toMatchObject([{ id: bob.id }])
    for (const dryRun of [true, false])
      expect(await importExportInto(verso, folder, { force: true, dryRun })).toMatchObject({
        posts: { created: 1, updated: 2 },
        made: { authors: 1, categories: 1 },
        notes: [],
      })
    expect((await verso.get(`/v1/authors/${ada.id}`)).body).toMatchObject({ name: 'Ada', version: 3 })
    expect((await verso.get(`/v1/categories/${news.id}`)).body).toMatchObject({ name: 'News', version: 3 })
    expect((await verso.get('/v1/posts/a')).body).toMatchObject({ author: { id: ada.id } })
  })

  it('leaves no redirect from a slug that a public post has, and none that a hidden post would show by', async () => {
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    const redirects = async () => (await verso.get('/v1/redirects', { key: verso.public })).body.data
    await verso.patch('/v1/admin/project', { siteUrl: 'https://a.example', permalink: '/{slug}' }, { key: await verso.keyWith('admin') })
    const moved = async (title: string, more: object) => {
      const { body } = await verso.post('/v1/posts', { title, status: 'published' })
      await verso.patch(`/v1/posts/${body.id}`, { slug: `${body.slug}-moved`, ...more })
      return body.id
    }
    const erased = [await moved('One', {}), await moved('Two', { status: 'archived' })]
    await exportFrom(verso, folder)
    for (const id of erased) await verso.delete(`/v1/posts/${id}?permanent=true`)
    const others = [
      await verso.post('/v1/posts', { title: 'One', status: 'published' }),
      await verso.post('/v1/posts', { title: 'Two', status: 'published' }),
    ]
    expect((await importExportInto(verso, folder, { force: true })).posts).toMatchObject({ created: 2 })
    expect(await redirects()).toEqual([])
    for (const { body } of others) await verso.patch(`/v1/posts/${body.id}`, { slug: `${body.slug}-other` })
    expect((await redirects()).map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['/one', '/one-other'],
      ['/two', '/two-other'],
    ])
  })

  it('ends the redirect from a slug that a post of it has in public', async () => {
    const verso = await startVerso(engine)
    const folder = temporaryFolder()
    const { body: first } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
    await exportFrom(verso, folder)
    await verso.delete(`/v1/posts/${first.id}?permanent=true`)
    const { body: second } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
    await verso.patch(`/v1/posts/${second.id}`, { slug: 'two' })
    expect((await verso.get('/v1/posts/one')).status).toBe(301)
    const { faults, posts } = await importExportInto(verso, folder, { force: true })
    expect({ faults, created: posts.created }).toEqual({ faults: [], created: 1 })
    expect((await verso.get('/v1/posts/one')).body.id).toBe(first.id)
    await verso.patch(`/v1/posts/${first.id}`, { status: 'archived' })
    expect((await verso.get('/v1/posts/one', { key: verso.public })).status).toBe(404)
  })
})

const [sqlite] = engines as readonly [TestEngine]

describe('an export', () => {
  it('writes only what has changed, and removes what is gone unless somebody edited it', async () => {
    const verso = await startVerso(sqlite)
    for (const title of ['A', 'B', 'C', 'D']) await verso.post('/v1/posts', { title })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    verso.context.travelTo('2026-06-02T00:00:00Z')
    expect(await exportFrom(verso, folder)).toMatchObject({ files: { written: 0, unchanged: 8, removed: 0 } })
    await verso.patch('/v1/posts/a', { title: 'New', slug: 'new' })
    await verso.delete('/v1/posts/b')
    await verso.delete('/v1/posts/c')
    await verso.patch('/v1/posts/d', { title: 'D2' })
    writeFileSync(join(folder, 'posts/c.md'), 'mine')
    writeFileSync(join(folder, 'posts/d.md'), 'mine')
    writeFileSync(join(folder, 'posts/z.md'), 'mine')
    expect(await exportFrom(verso, folder)).toMatchObject({
      files: { written: 1, unchanged: 4, removed: 2 },
      edited: ['posts/d.md', 'posts/c.md'],
    })
    expect(Object.keys(filesIn(folder)).filter((path) => path.startsWith('posts/'))).toEqual(
      ['c', 'd', 'new', 'z'].map((name) => `posts/${name}.md`),
    )
    expect(await exportFrom(verso, folder, { force: true })).toMatchObject({ files: { written: 1 }, edited: [] })
  })

  it('takes posts of some statuses, or those changed since; those alone remove nothing', async () => {
    const verso = await startVerso(sqlite)
    await verso.post('/v1/posts', { title: 'A' })
    verso.context.travelTo('2026-06-02T00:00:00Z')
    await verso.post('/v1/posts', { title: 'B', status: 'published' })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const since = '2026-06-02T00:00:00.000Z' as never
    expect(await exportFrom(verso, folder, { since })).toMatchObject({ posts: 1, files: { removed: 0 } })
    expect(await exportFrom(verso, folder, { statuses: ['published'] })).toMatchObject({ posts: 1, files: { removed: 1 } })
    expect(Object.keys(filesIn(folder))).not.toContain('posts/a.md')
  })

  it('refuses a folder that holds other things, unless it is told to', async () => {
    const verso = await startVerso(sqlite)
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.git'))
    await exportFrom(verso, folder)
    rmSync(join(folder, 'verso-export.json'))
    await expect(exportFrom(verso, folder)).rejects.toThrow('holds other files')
    await exportFrom(verso, folder, { force: true })
    writeFileSync(join(folder, 'verso-export.json'), '{"format":2,"files":{}}')
    await expect(exportFrom(verso, folder)).rejects.toThrow('another version')
  })

  it.each([false, true])('removes only files that an export can have, whatever the folder says of itself; force: %s', async (force) => {
    const verso = await startVerso(sqlite)
    const folder = join(temporaryFolder(), 'out')
    await exportFrom(verso, folder)
    const others = ['../mine.md', 'posts/../../mine.md', 'mine.md', 'posts/mine.txt', 'posts/sub/mine.md']
    mkdirSync(join(folder, 'posts/sub'), { recursive: true })
    for (const path of [...others, 'posts/old.md']) writeFileSync(join(folder, path), 'mine')
    const hash = createHash('sha256').update('mine').digest('hex')
    const files = Object.fromEntries([...others, 'posts/old.md'].map((path) => [path, hash]))
    writeFileSync(join(folder, 'verso-export.json'), JSON.stringify({ format: 1, files }))
    expect(await exportFrom(verso, folder, { force })).toMatchObject({ files: { removed: 1 } })
    expect(existsSync(join(folder, 'posts/old.md'))).toBe(false)
    for (const path of others) expect(readFileSync(join(folder, path), 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, 'verso-export.json'), 'utf8')).not.toContain('mine')
  })

  it('that was interrupted knows its own files', async () => {
    const verso = await startVerso(sqlite)
    await verso.post('/v1/posts', { title: 'A' })
    const folder = temporaryFolder()
    const interrupt = () =>
      exportFrom(verso, folder, {
        reached: () => {
          throw new Error('killed')
        },
      })
    await expect(interrupt()).rejects.toThrow('killed')
    // A full disk.
    appendFileSync(join(folder, '.verso-export.journal'), '\n["posts/a.md","ab')
    await verso.patch('/v1/posts/a', { content: 'x' })
    await expect(interrupt()).rejects.toThrow('killed')
    await verso.patch('/v1/posts/a', { content: 'y' })
    expect(await exportFrom(verso, folder)).toMatchObject({ edited: [], files: { written: 1 } })
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('that was interrupted leaves alone what was edited since, also once its post is gone', async () => {
    const verso = await startVerso(sqlite)
    for (const title of ['A', 'B']) await verso.post('/v1/posts', { title })
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    for (const name of ['a', 'b']) appendFileSync(join(folder, `posts/${name}.md`), 'mine')
    const interrupted = exportFrom(verso, folder, {
      reached: () => {
        throw new Error('killed')
      },
    })
    await expect(interrupted).rejects.toThrow('killed')
    await verso.delete('/v1/posts/b')
    expect((await exportFrom(verso, folder)).edited).toEqual(['posts/a.md', 'posts/b.md'])
    expect(readFileSync(join(folder, 'posts/b.md'), 'utf8')).toMatch(/mine$/)
  })

  it('brings back lists that are longer than what strangers may send', async () => {
    const verso = await startVerso(sqlite)
    const picture = {
      url: 'https://a.example/a.png',
      filename: 'a.png',
      mimeType: 'image/png',
      size: 1,
      width: 2,
      height: 2,
      alt: 'x'.repeat(1_000),
    }
    const { body } = await verso.post('/v1/media', picture)
    const folder = temporaryFolder()
    await exportFrom(verso, folder)
    const list = join(folder, 'media.yml')
    const record = readFileSync(list, 'utf8')
    const copies = Array.from({ length: 2_500 }, (_, i) => record.replace(body.id, `${body.id.slice(0, -4)}${4_000 + i}`))
    writeFileSync(list, ['# Pictures\n', ...copies].join(''))
    const copy = await startVerso(sqlite)
    expect(await importExportInto(copy, folder)).toMatchObject({ faults: [], made: { media: 2_500 } })
    appendFileSync(list, '- [\n')
    const line = readFileSync(list, 'utf8').split('\n').length
    expect((await importExportInto(copy, folder)).faults).toMatchObject([{ path: 'media.yml', line }])
  })

  it('is for its owner alone: the folder is made with the mode 0700', async () => {
    const verso = await startVerso(sqlite)
    const folder = join(temporaryFolder(), 'new')
    await exportFrom(verso, folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('of hostile titles, tags and texts comes back as it was', async () => {
    const nasty = fc.constantFrom(
      '---',
      '- ',
      ': ',
      ' #',
      '"',
      "'",
      '\\',
      '\n',
      '\r',
      '\t',
      '{',
      '[',
      '*',
      '&',
      '!',
      '%',
      '@',
      '`',
      '\u0085',
      '\u2028',
      '\uFEFF',
      '\uFFFE',
      '\u007f',
      '\u0001',
      'é',
      '🎉',
      '𐀀',
      'null',
      'no',
      '1e3',
      '0x1',
      '~',
      ' ',
      '2020-01-01',
    )
    const text = (maxLength: number) =>
      fc.array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength }).map((parts) => parts.join(''))
    const storable = (value: string) => !value.includes('\0') && value.isWellFormed()
    const line = text(8).filter((value) => value.trim() !== '' && storable(value))
    const post = fc.record({
      title: line,
      content: text(30).filter(storable),
      excerpt: fc.option(line),
      tags: fc.array(
        line.filter((value) => value.trim() === value && [...value].length <= 80),
        { maxLength: 3 },
      ),
      seo: fc.record({ title: fc.option(line), description: fc.option(line) }),
    })
    const verso = await startVerso(sqlite)
    const sent: unknown[] = []
    for (const body of fc.sample(post, { numRuns: 150, seed: 11 })) {
      const { status } = await verso.post('/v1/posts', body)
      if (status === 201) sent.push(body)
    }
    expect(sent.length).toBeGreaterThan(50)
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    await exportFrom(verso, one)
    const copy = await startVerso(sqlite)
    expect(await importExportInto(copy, one)).toMatchObject({ posts: { created: sent.length, failed: 0 }, faults: [] })
    await exportFrom(copy, two)
    expect(filesIn(two)).toEqual(filesIn(one))
    const shown = async (from: typeof verso) => (await from.get('/v1/posts?limit=100&sort=slug')).body.data
    expect(await shown(copy)).toEqual(await shown(verso))
  })
})

const sources = [
  ...realBlogs.map(([name, , root]) => [name, (verso: TestApp) => importInto(verso, root)] as const),
  ...realExports.map(([name, path]) => [name, (verso: TestApp) => importFile(verso, path, { siteUrl: 'https://site.example' })] as const),
]

describe.each(engines)('export → empty project → export on $name', { tags: ['soak'] }, (engine) => {
  if (sources.length === 0) it.skip(`real sources are exported: ${withoutBlogs}`)
  it.each(sources.filter((_, index) => index % soakStride === 0))('%s: 0 differing bytes', async (_, importSource) => {
    const verso = await startVerso(engine)
    await importSource(verso)
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    const { posts } = await exportFrom(verso, one)
    const copy = await startVerso(engine)
    expect(await importExportInto(copy, one)).toMatchObject({ posts: { created: posts, failed: 0 } })
    await exportFrom(copy, two)
    expect(filesIn(two)).toEqual(filesIn(one))
  })
})
