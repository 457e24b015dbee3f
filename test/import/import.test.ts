import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { blogFor, logOf, revisionsOf } from './import-fixture.ts'

const whole = `---
title: "  Hello, world "
slug: hello
date: 2020-01-02T03:04:05+01:00
authors: [ada, Bob]
categories: [News, Other]
tags: [Node.js, c++]
excerpt: In short.
description: In shorter.
seo: { title: For engines }
canonical_url: https://example.com/hello
image: https://example.com/a.png
---

# Hello\r
  two spaces  \u00e9 🎉
`

for (const engine of engines) {
  describe(`importing into ${engine.name}`, () => {
    it('GET /v1/posts/{slug}: 200 with every field of the file, and the very bytes behind its front matter', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        'hello.md': whole,
        'authors.yml': 'ada:\n  name: Ada Lovelace\n  email: ada@example.com\n  bio: Engines.\n  image_url: https://example.com/ada.png\n',
      })
      expect(await blog.import()).toMatchObject({
        posts: { created: 1, updated: 0, unchanged: 0, conflicting: 0, failed: 0 },
        made: { authors: 2, categories: 2, tags: 2 },
        skipped: { data: 1 },
        faults: [],
      })
      const authors = (await verso.get('/v1/authors')).body.data
      expect(authors).toMatchObject([
        { name: 'Ada Lovelace', bio: 'Engines.', avatarUrl: 'https://example.com/ada.png' },
        { name: 'Bob', bio: null, avatarUrl: null },
      ])
      const key = await verso.keyWith('authors:read_email')
      expect((await verso.get(`/v1/authors/${authors[0].id}`, { key })).body.email).toBe('ada@example.com')
      const categories = (await verso.get('/v1/categories')).body.data
      expect(categories).toMatchObject([
        { name: 'News', slug: 'news', postCount: 1 },
        { name: 'Other', slug: 'other', postCount: 0 },
      ])
      const { id, ...post } = (await verso.get('/v1/posts/hello', { key: verso.public })).body
      expect(id).toMatch(/^post_/)
      expect(post).toEqual({
        title: 'Hello, world',
        slug: 'hello',
        content: '\n# Hello\r\n  two spaces  \u00e9 🎉\n',
        excerpt: 'In short.',
        status: 'published',
        publishedAt: '2020-01-02T02:04:05.000Z',
        scheduledFor: null,
        author: { id: authors[0].id, name: 'Ada Lovelace' },
        category: { id: categories[0].id, name: 'News', slug: 'news' },
        tags: ['Node.js', 'c++'],
        tagSlugs: ['node-js', 'c'],
        aliases: [],
        hasPendingEdit: false,
        seo: {
          title: 'For engines',
          description: 'In shorter.',
          canonicalUrl: 'https://example.com/hello',
          ogImage: 'https://example.com/a.png',
        },
        createdAt: '2026-06-01T12:00:00.000Z',
        updatedAt: '2026-06-01T12:00:00.000Z',
        version: 1,
      })
      expect((await verso.get('/v1/tags')).body.data).toMatchObject([{ name: 'c++' }, { name: 'Node.js' }])
    })

    it('GET /v1/posts: 200 with drafts, scheduled and published posts as their dates say, and a note where there is none', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        '_posts/2020-01-02-past.md': '# Past\n',
        '_posts/2026-06-02-future.md': '# Future\n',
        '_posts/2026-06-01-draft.md': '---\ndraft: true\n---\n# Draft\n',
        '_posts/undated.md': '# Undated\n',
      })
      const report = await blog.import()
      expect(report).toMatchObject({ posts: { created: 4 }, drafts: 1, scheduled: 1 })
      expect(report.notes.filter(({ note }) => note.startsWith('no date'))).toEqual([
        { path: '_posts/undated.md', note: 'no date is given; the post is published as of its import' },
      ])
      const seen = (await verso.get('/v1/posts?sort=slug&fields=slug,status,publishedAt,scheduledFor')).body.data
      expect(seen.map(({ id, ...post }: { id: string }) => Object.values(post))).toEqual([
        ['draft', 'draft', null, null],
        ['future', 'scheduled', null, '2026-06-02T00:00:00.000Z'],
        ['past', 'published', '2020-01-02T00:00:00.000Z', null],
        ['undated', 'published', '2026-06-01T12:00:00.000Z', null],
      ])
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect((await verso.get('/v1/posts/future', { key: verso.public })).body.publishedAt).toBe('2026-06-02T00:00:00.000Z')
    })

    it.each([
      ['Jekyll', { '_posts/2020-01-02-a.markdown': '---\nlayout: post\ntitle: A\n---\nbody\n' }],
      [
        'Hugo',
        {
          'content/blog/_index.md': '---\ntitle: Blog\n---\n',
          'content/blog/a/index.md': '+++\ntitle = "A"\ndate = 2020-01-02\n+++\nbody\n',
        },
      ],
      ['Docusaurus', { 'blog/2020-01-02-x.mdx': '---\nslug: /a\ntitle: A\n---\nbody\n', 'blog/tags.yml': 'a: b\n' }],
      ['Astro', { 'src/content/blog/a.md': "---\ntitle: A\npubDate: 'Jan 02 2020'\n---\nbody\n" }],
      ['Eleventy', { 'blog/2020-01-02-a.md': '---json\n{"title": "A"}\n---\nbody\n', 'blog/blog.11tydata.json': '{"tags": "x"}' }],
    ])('GET /v1/posts/{slug}: 200 for a post as %s keeps it', async (_, files) => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, files as Record<string, string>)
      expect((await blog.import()).posts).toMatchObject({ created: 1, failed: 0 })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({
        title: 'A',
        content: 'body\n',
        publishedAt: '2020-01-02T00:00:00.000Z',
      })
    })

    it('a second time changes nothing, and says so', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': whole, 'b.md': '---\nauthor: ada\ntags: x\n---\n# B\n', 'c.md': 'no title\n' })
      await blog.import()
      const before = [await revisionsOf(verso), (await verso.get('/v1/posts')).text]
      verso.context.travelTo('2026-06-05T00:00:00Z')
      expect(await blog.import()).toEqual({
        posts: { created: 0, updated: 0, unchanged: 3, conflicting: 0, failed: 0 },
        drafts: 0,
        scheduled: 0,
        archived: [],
        made: { authors: 0, categories: 0, tags: 0, media: 0 },
        skipped: {},
        skips: [],
        losses: {},
        vanished: 0,
        conflicts: [],
        faults: [],
        notes: [],
        stopped: false,
      })
      expect([await revisionsOf(verso), (await verso.get('/v1/posts')).text]).toEqual(before)
    })

    it('leaves a gap-free log, in the order of paths, and keeps drafts from the public revision', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        'a.md': '---\ndate: 2020-01-01\nauthor: ada\ncategory: x\n---\n# A\n',
        'b.md': '---\ndraft: true\nauthor: ada\n---\n# B\n',
        'c.md': '---\ndate: 2030-01-01\n---\n# C\n',
      })
      await blog.import()
      expect(await logOf(verso)).toEqual([
        [1, 'author.created', 1, 'import'],
        [2, 'category.created', 1, 'import'],
        [3, 'post.created post.published', 1, 'import'],
        [4, 'post.created', 1, 'import'],
        [5, 'post.created post.scheduled', 1, 'import'],
      ])
      expect(await revisionsOf(verso)).toEqual([5, 3])
      const posts = (await verso.get('/v1/posts?sort=slug')).body.data
      const revisions = await verso.app.installation.db
        .selectFrom('post_revisions')
        .select(['post_id', 'version', 'actor'])
        .orderBy('post_id')
        .execute()
      expect(revisions).toEqual(posts.map(({ id }: { id: string }) => ({ post_id: id, version: 1, actor: 'import' })))
    })

    it('reports a broken file with its line and imports the others', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        'a.md': '# A\n',
        'b.md': '---\ntitle: "B\n---\n',
        'c.md': '---\ndate: 2020-02-30\n---\n',
        'd.md': '# D\n',
      })
      const report = await blog.import()
      expect(report.posts).toMatchObject({ created: 2, failed: 2 })
      expect(report.faults).toMatchObject([
        { path: 'b.md', line: 3 },
        { path: 'c.md', line: 2, message: expect.stringContaining('2020-02-30') },
      ])
      await blog.write({ 'b.md': '---\ntitle: "B"\n---\n', 'c.md': null })
      expect(await blog.import()).toMatchObject({ posts: { created: 1, unchanged: 2, failed: 0 }, vanished: 0 })
    })

    it('gives repeated slugs -2, -3, … in the order of paths, with a note, and never takes one from a post that is here', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Mine', slug: 'mine' })
      await verso.post('/v1/posts', { title: 'Moved', slug: 'old', status: 'published' })
      await verso.patch('/v1/posts/old', { slug: 'new' })
      const blog = await blogFor(verso, {
        '2019/news.md': '# 2019\n',
        '2020/news.md': '# 2020\n',
        '2021/news.md': '# 2021\n',
        'mine.md': '# Other\n',
        'news-2.md': '# Has the form of a suffix\n',
        'old.md': '# Where a redirect stands\n',
      })
      const slugNotes = (await blog.import()).notes.filter(({ note }) => note.includes('is taken'))
      expect(slugNotes).toEqual([
        { path: '2020/news.md', note: 'the slug "news" is taken; the post has "news-2"' },
        { path: '2021/news.md', note: 'the slug "news" is taken; the post has "news-3"' },
        { path: 'mine.md', note: 'the slug "mine" is taken; the post has "mine-2"' },
        { path: 'news-2.md', note: 'the slug "news-2" is taken; the post has "news-2-2"' },
        { path: 'old.md', note: 'the slug "old" is taken; the post has "old-2"' },
      ])
      const titleOf = async (slug: string) => (await verso.get(`/v1/posts/${slug}`)).body?.title
      expect(await Promise.all(['news', 'news-2', 'news-3', 'mine', 'old-2'].map(titleOf))).toEqual([
        '2019',
        '2020',
        '2021',
        'Mine',
        'Where a redirect stands',
      ])
      expect((await verso.get('/v1/posts/old')).status).toBe(301)
    })

    it('makes a slug from the title where the source has none', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { '新闻.md': '---\ntitle: Breaking News\n---\n', '你好.md': '# 你好\n' })
      await blog.import()
      const slugs = (await verso.get('/v1/posts?sort=slug')).body.data.map(({ slug }: { slug: string }) => slug)
      expect(slugs).toEqual(['breaking-news', expect.stringMatching(/^post-[a-z0-9]{6}$/)])
    })

    it('counts tags as the service tells them apart, spelled as the first post spells them', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        'a.md': '---\ntags: [release]\n---\n# A\n',
        'b.md': '---\ntags: [Release, RELEASE, minor]\n---\n# B\n',
        'c.md': '---\ntags: [Straße]\n---\n# C\n',
        'd.md': '---\ntags: [STRASSE]\n---\n# D\n',
      })
      expect((await blog.import()).made.tags).toBe(3)
      expect((await verso.get('/v1/tags')).body.data).toMatchObject([
        { name: 'minor', postCount: 1 },
        { name: 'release', postCount: 2 },
        { name: 'Straße', postCount: 2 },
      ])
      expect((await verso.get('/v1/posts/b')).body.tags).toEqual(['Release', 'minor'])
    })

    it('goes on where it was stopped, without a post twice', async () => {
      const verso = await startVerso(engine)
      const files = Array.from({ length: 250 }, (_, index) => [`${String(index).padStart(3, '0')}.md`, `# Post ${index}\n`])
      const blog = await blogFor(verso, Object.fromEntries(files))
      const progress: number[] = []
      const stopped = await blog.import({ onProgress: (done) => progress.push(done), isStopped: () => progress.length > 0 })
      expect(stopped).toMatchObject({ posts: { created: 100 }, vanished: 0, stopped: true })
      expect(await blog.import({ onProgress: (done) => progress.push(done) })).toMatchObject({
        posts: { created: 150, unchanged: 100 },
        stopped: false,
      })
      expect(progress).toEqual([100, 100, 200, 250])
      expect((await verso.get('/v1/posts?limit=1')).body.pagination.total).toBe(250)
    })

    it('costs a hundred posts, each with an author and a category of its own, no more statements than one', async () => {
      const verso = await startVerso(engine)
      const post = (index: number) =>
        `---\ndate: 2020-01-01\nauthor: ada ${index}\ncategory: x${index}\ntags: [x, y]\n---\n# Post ${index}\n`
      const blog = await blogFor(verso, { 'first.md': post(0) })
      await blog.import()
      await blog.write(Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`${index}.md`, post(index + 1)])))
      verso.statements.length = 0
      expect(await blog.import()).toMatchObject({ posts: { created: 99, unchanged: 1 }, made: { authors: 99, categories: 99 } })
      expect(verso.statements.filter((sql) => !/^(?:begin|commit|select now)/.test(sql)).length).toBeLessThanOrEqual(30)
    })

    it('takes in authors of any length and number, however many posts name them', async () => {
      const verso = await startVerso(engine)
      const authors = (post: number) => Array.from({ length: 45 }, (_, index) => `a${post}-${index}`).join(', ')
      const many = Array.from({ length: 90 }, (_, index) => [`${index}.md`, `---\nauthors: [${authors(index)}]\n---\n# Post ${index}\n`])
      const long = Array.from({ length: 2_000 }, (_, index) => ((index * 7_919 * 104_729) % 1e9).toString(36)).join(' ')
      const blog = await blogFor(verso, { ...Object.fromEntries(many), 'long.md': `---\nauthor: ${long}\n---\n# Long\n` })
      expect(await blog.import()).toMatchObject({ posts: { created: 91, failed: 0 }, made: { authors: 90 * 45 + 1 } })
      expect((await verso.get('/v1/posts/long')).body.author.name).toBe(long.slice(0, long.lastIndexOf(' ', 300)))
      expect((await blog.import()).posts).toMatchObject({ unchanged: 91 })
    })

    it('imports one blog into two projects, each for itself', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const blog = await blogFor(verso, { 'a.md': '---\nauthor: ada\ntags: x\n---\n# A\n' })
      await blog.import()
      expect((await other.get('/v1/posts')).body.data).toEqual([])
      expect((await other.get('/v1/authors')).body.data).toEqual([])
    })
  })
}
