import { describe, expect, it } from 'vitest'
import { operator } from '../../src/actions/caller.ts'
import { openFolder } from '../../src/import/markdown/read-folder.ts'
import { runImport } from '../../src/import/run-import.ts'
import { engines, startVerso } from '../harness/harness.ts'
import { blogOf, writeFiles } from './blog-fixture.ts'
import { blogFor, importInto, logOf, revisionsOf } from './import-fixture.ts'
import { testNow } from './post-fixture.ts'

const dated = (title: string, more = '') => `---\ntitle: ${title}\ndate: 2020-01-02\n${more}---\nThe text of ${title}.\n`

for (const engine of engines) {
  describe(`importing again into ${engine.name}`, () => {
    it('updates what changed in the source and not here: one version, one post.updated', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A'), 'b.md': dated('B') })
      await blog.import()
      const { id } = (await verso.get('/v1/posts/a')).body
      const [revision] = await revisionsOf(verso)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      await blog.write({ 'a.md': dated('A, corrected', 'tags: [new]\nauthor: ada\ncategory: x\n') })
      expect(await blog.import()).toMatchObject({ posts: { updated: 1, unchanged: 1 }, made: { authors: 1, categories: 1, tags: 1 } })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({
        id,
        title: 'A, corrected',
        content: 'The text of A, corrected.\n',
        tags: ['new'],
        author: { name: 'ada' },
        category: { name: 'x' },
        publishedAt: '2020-01-02T00:00:00.000Z',
        updatedAt: '2026-06-02T00:00:00.000Z',
        version: 2,
      })
      expect((await logOf(verso)).slice(revision)).toEqual([
        [revision + 1, 'author.created', 1, 'import'],
        [revision + 2, 'category.created', 1, 'import'],
        [revision + 3, 'post.updated', 2, 'import'],
      ])
      expect((await blog.import()).posts).toMatchObject({ updated: 0, unchanged: 2 })
    })

    it('clears what the source does not say any more, and follows its status', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, {
        'a.md': dated('A', 'tags: [x]\nauthor: ada\ncategory: c\nexcerpt: E\nimage: https://example.com/a.png\n'),
      })
      await blog.import()
      await blog.write({ 'a.md': '---\ntitle: A\ndraft: true\n---\n' })
      expect(await blog.import()).toMatchObject({ posts: { updated: 1 }, drafts: 1 })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({
        content: '',
        excerpt: null,
        status: 'draft',
        publishedAt: null,
        author: null,
        category: null,
        tags: [],
        seo: { ogImage: null },
      })
      expect((await logOf(verso)).at(-1)?.[1]).toBe('post.unpublished post.updated')
      await blog.write({ 'a.md': dated('A') })
      await blog.import()
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({
        status: 'published',
        publishedAt: '2020-01-02T00:00:00.000Z',
        version: 3,
      })
    })

    it('knows a source by its new hash where nothing of the post has changed', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A') })
      await blog.import()
      const before = await revisionsOf(verso)
      await blog.write({ 'a.md': dated('A', 'layout: wide\n') })
      expect((await blog.import()).posts).toMatchObject({ updated: 0, unchanged: 1 })
      expect(await revisionsOf(verso)).toEqual(before)
      await verso.patch('/v1/posts/a', { title: 'Here' })
      expect((await blog.import()).posts).toMatchObject({ unchanged: 1, conflicting: 0 })
    })

    it('gives a post back a slug that it had before, and that redirects to it, but not one of another post', async () => {
      const verso = await startVerso(engine)
      const file = (slug: string) => dated('A', `slug: ${slug}\n`)
      const blog = await blogFor(verso, { 'a.md': file('first'), 'b.md': dated('B') })
      for (const slug of ['first', 'second']) {
        await blog.write({ 'a.md': file(slug) })
        await blog.import()
      }
      expect((await verso.get('/v1/posts/first')).status).toBe(301)
      await blog.write({ 'a.md': file('first'), 'b.md': dated('B', 'slug: second\n') })
      const slugs = (await blog.import({ dryRun: true })).notes.map(({ note }) => note)
      expect((await blog.import()).notes.map(({ note }) => note)).toEqual(slugs)
      expect(slugs).toEqual(['the slug "second" is taken; the post has "second-2"'])
      expect((await verso.get('/v1/posts/first')).body).toMatchObject({ title: 'A', slug: 'first' })
      expect((await verso.get('/v1/posts/second')).headers.get('location')).toBe('/v1/posts/first')
    })

    it('keeps the date of a post without one', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': '# A\n' })
      await blog.import()
      verso.context.travelTo('2026-06-02T00:00:00Z')
      await blog.write({ 'a.md': '# A\n\nMore.\n' })
      expect((await blog.import()).notes.map(({ note }) => note)).not.toContainEqual(expect.stringContaining('no date'))
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({ publishedAt: '2026-06-01T12:00:00.000Z', version: 2 })
    })

    it('leaves a post alone that changed on both sides, whatever came between, and takes the source when forced', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A'), 'b.md': dated('B') })
      await blog.import()
      await verso.patch('/v1/posts/a', { title: 'Here' })
      await verso.patch('/v1/posts/a', { title: 'A' })
      const before = (await verso.get('/v1/posts/a')).text
      await blog.write({ 'a.md': dated('There'), 'b.md': dated('B2') })
      expect(await blog.import()).toMatchObject({
        posts: { updated: 1, conflicting: 1 },
        conflicts: [{ path: 'a.md', reason: 'changed here' }],
      })
      expect((await verso.get('/v1/posts/a')).text).toBe(before)
      expect((await blog.import()).posts).toMatchObject({ unchanged: 1, conflicting: 1 })
      expect((await blog.import({ force: true })).posts).toMatchObject({ updated: 1, unchanged: 1, conflicting: 0 })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({ title: 'There', version: 4 })
      expect((await blog.import()).posts).toMatchObject({ unchanged: 2 })
    })

    it('leaves a post as it was changed here while its source is the same, forced or not', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A') })
      await blog.import()
      await verso.patch('/v1/posts/a', { title: 'Here' })
      expect((await blog.import({ force: true })).posts).toMatchObject({ unchanged: 1, conflicting: 0 })
      expect((await verso.get('/v1/posts/a')).body.title).toBe('Here')
    })

    it.each([
      ['in the trash', ''],
      ['erased', '?permanent=true'],
    ])('brings no post back that is %s, and reports it once its source has changed', async (_, query) => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('posts:write', 'posts:publish', 'posts:delete')
      const blog = await blogFor(verso, { 'a.md': dated('A') })
      await blog.import()
      const { id } = (await verso.get('/v1/posts/a')).body
      expect((await verso.delete(`/v1/posts/${id}${query}`, { key })).status).toBe(204)
      expect((await blog.import()).posts).toMatchObject({ created: 0, unchanged: 1 })
      await blog.write({ 'a.md': dated('A again') })
      expect(await blog.import()).toMatchObject({ posts: { conflicting: 1 }, conflicts: [{ path: 'a.md', reason: 'deleted here' }] })
      expect((await verso.get('/v1/posts/a')).status).toBe(404)
      expect((await blog.import({ force: true })).posts).toMatchObject({ created: 1, conflicting: 0 })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({ title: 'A again', version: 1 })
      expect((await blog.import()).posts).toMatchObject({ unchanged: 1 })
    })

    it('brings no post back that was purged from the trash', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A') })
      await blog.import()
      await verso.delete('/v1/posts/a')
      verso.context.travelTo('2026-08-01T00:00:00Z')
      await verso.app.jobs.find(({ name }) => name === 'purge')?.runOnce()
      expect((await blog.import()).posts).toMatchObject({ created: 0, unchanged: 1 })
    })

    it('takes the publication of a scheduled post for no change of anybody', async () => {
      const verso = await startVerso(engine)
      const text = (more: string) => `---\ntitle: Soon\ndate: 2026-06-02\n---\n${more}`
      const blog = await blogFor(verso, { 'a.md': text('') })
      await blog.import()
      verso.context.travelTo('2026-06-03T00:00:00Z')
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({ status: 'published', version: 2 })
      expect((await blog.import()).posts).toMatchObject({ unchanged: 1 })
      await blog.write({ 'a.md': text('Corrected.\n') })
      expect((await blog.import()).posts).toMatchObject({ updated: 1, conflicting: 0 })
      expect((await verso.get('/v1/posts/a')).body).toMatchObject({
        content: 'Corrected.\n',
        status: 'published',
        publishedAt: '2026-06-02T00:00:00.000Z',
        version: 3,
      })
      await verso.patch('/v1/posts/a', { title: 'Here' })
      await blog.write({ 'a.md': text('Again.\n') })
      expect((await blog.import()).posts).toMatchObject({ conflicting: 1 })
    })

    it('takes it so when it was a command that published what was due', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': '---\ndate: 2026-06-02\n---\n' })
      await blog.import()
      verso.context.travelTo('2026-06-03T00:00:00Z')
      const { engine: database, publishDue } = verso.app.installation
      await publishDue(operator(verso.projectId, 'cli', await database.now()))
      await blog.write({ 'a.md': '---\ndate: 2026-06-02\n---\nCorrected.\n' })
      expect((await blog.import()).posts).toMatchObject({ updated: 1, conflicting: 0 })
    })

    it('keeps the slug of a post until its source names another, and redirects then', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { '1/a.md': dated('One'), '2/a.md': dated('Two'), 'c.md': dated('C', 'slug: c\n') })
      await blog.import()
      await blog.write({ '1/a.md': dated('One, corrected'), '2/a.md': dated('Two, corrected'), 'c.md': dated('C', 'slug: a\n') })
      const report = await blog.import()
      expect(report.posts).toMatchObject({ updated: 3 })
      expect(report.notes).toEqual([{ path: 'c.md', note: 'the slug "a" is taken; the post has "a-3"' }])
      expect((await verso.get('/v1/posts/a')).body.title).toBe('One, corrected')
      expect((await verso.get('/v1/posts/a-2')).body.title).toBe('Two, corrected')
      expect((await verso.get('/v1/posts/c')).headers.get('location')).toBe('/v1/posts/a-3')
    })

    it('leaves posts alone whose files are gone, and counts them', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'a.md': dated('A'), 'b.md': dated('B'), 'c.md': dated('C') })
      await blog.import()
      await blog.write({ 'a.md': null, 'b.md': null, 'c.md': '---\n- broken\n---\n' })
      expect(await blog.import()).toMatchObject({ posts: { unchanged: 0, failed: 1 }, vanished: 2 })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(3)
    })

    it('knows authors and categories again that were renamed here, and does not touch them', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const blog = await blogFor(verso, { 'a.md': dated('A', 'author: ada\ncategory: News\n') })
      await blog.import()
      const { author, category } = (await verso.get('/v1/posts/a')).body
      await verso.patch(`/v1/admin/authors/${author.id}`, { name: 'Ada Lovelace' }, { key: admin })
      await verso.patch(`/v1/admin/categories/${category.id}`, { name: 'Noticias' }, { key: admin })
      await blog.write({ 'b.md': dated('B', 'author: ada\ncategory: News\n') })
      expect((await blog.import()).made).toMatchObject({ authors: 0, categories: 0 })
      expect((await verso.get('/v1/posts/b')).body).toMatchObject({
        author: { id: author.id, name: 'Ada Lovelace' },
        category: { id: category.id, name: 'Noticias' },
      })
    })

    it('finds authors and categories that are here by their very name, and shares one among keys that mean it', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const ada = (await verso.post('/v1/admin/authors', { name: 'Ada Lovelace', bio: 'Mine.' }, { key: admin })).body
      const news = (await verso.post('/v1/admin/categories', { name: 'News', slug: 'neues' }, { key: admin })).body
      const blog = await blogFor(verso, {
        'a.md': dated('A', 'author: ada\ncategory: News\n'),
        'b.md': dated('B', 'author: Ada Lovelace\ncategory: news\n'),
        'c.md': dated('C', 'author: Bob\n'),
        'd.md': dated('D', 'author: {name: Bob, key: bobby}\n'),
        'authors.yml': 'ada: {name: Ada Lovelace, bio: Theirs.}\n',
      })
      expect((await blog.import()).made).toEqual({ authors: 1, categories: 1, tags: 0, media: 0 })
      const authorOf = async (slug: string) => (await verso.get(`/v1/posts/${slug}`)).body.author
      expect([await authorOf('a'), await authorOf('b')]).toEqual([
        { id: ada.id, name: 'Ada Lovelace' },
        { id: ada.id, name: 'Ada Lovelace' },
      ])
      expect((await authorOf('c')).id).toBe((await authorOf('d')).id)
      expect((await verso.get(`/v1/authors/${ada.id}`)).body).toMatchObject({ bio: 'Mine.', version: 1 })
      expect((await verso.get('/v1/posts/a')).body.category.id).toBe(news.id)
      expect((await verso.get('/v1/posts/b')).body.category).toMatchObject({ name: 'news', slug: 'news' })
    })

    it('makes an author again who was removed here, once a changed post names them', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const blog = await blogFor(verso, { 'a.md': dated('A', 'authors: [ada, bob]\n') })
      await blog.import()
      const bob = (await verso.get('/v1/authors')).body.data[1]
      expect((await verso.delete(`/v1/admin/authors/${bob.id}`, { key: admin })).status).toBe(204)
      expect((await blog.import()).made.authors).toBe(0)
      await blog.write({ 'a.md': dated('A2', 'authors: [ada, bob]\n') })
      expect(await blog.import()).toMatchObject({ posts: { updated: 1 }, made: { authors: 1 } })
    })

    it('tells files from the authors and categories that are known beside them', async () => {
      const verso = await startVerso(engine)
      const blog = await blogFor(verso, { 'author:a.md': dated('A', 'author: a.md\n'), 'category:b.md': dated('B', 'category: b.md\n') })
      expect(await blog.import()).toMatchObject({ posts: { created: 2 }, made: { authors: 1, categories: 1 } })
      expect(await blog.import()).toMatchObject({ posts: { unchanged: 2 }, vanished: 0 })
    })

    it('counts no post as gone that is in a language which is not asked for this time', async () => {
      const verso = await startVerso(engine)
      const root = await blogOf({ 'content/en/a.md': dated('A'), 'content/fr/a.md': dated('A'), 'content/fr/b.md': dated('B') })
      await importInto(verso, root)
      await writeFiles(root, { 'content/fr/b.md': null })
      const source = await openFolder(root, { now: testNow, language: 'en' })
      const plain = { force: false, dryRun: false, isStopped: () => false, onProgress: () => undefined }
      expect(await runImport(verso.app.installation, verso.projectId, source, plain)).toMatchObject({
        posts: { unchanged: 1 },
        skipped: { language: 1 },
        vanished: 1,
      })
    })

    it('a dry run says what the real one does, and writes nothing', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Taken', slug: 'post-7', tags: ['Here'] })
      const many = Array.from({ length: 230 }, (_, index) => {
        const more = `authors: [author ${index % 7}, second]\ncategory: category ${index % 3}\ntags: [tag ${index % 11}, here, TAG ${index % 5}]\n`
        return [`${index % 2}/post-${index >> 1}.md`, dated(`Post ${index}`, `${index % 10 === 0 ? 'draft: true\n' : ''}${more}`)]
      })
      const blog = await blogFor(verso, {
        ...Object.fromEntries(many),
        'broken.md': '---\n- x\n---\n',
        'later.md': '---\ndate: 2030-01-01\n---\n',
      })
      const untouched = [await revisionsOf(verso), await countRows()]
      const foreseen = await blog.import({ dryRun: true })
      expect(foreseen).toMatchObject({
        posts: { created: 231, failed: 1 },
        made: { authors: 8, categories: 3, tags: 11 },
        drafts: 23,
        scheduled: 1,
      })
      expect(foreseen.notes.filter(({ note }) => note.includes('is taken')).length).toBeGreaterThan(100)
      expect([await revisionsOf(verso), await countRows()]).toEqual(untouched)
      expect(await blog.import()).toEqual(foreseen)

      await verso.patch('/v1/posts/post-1', { title: 'Here' })
      await verso.delete('/v1/posts/post-2')
      await blog.write({
        '0/post-1.md': dated('x'),
        '0/post-2.md': dated('y'),
        '0/post-3.md': dated('z', 'tags: [fresh]\nauthor: fresh\n'),
        '0/post-4.md': null,
      })
      for (const force of [false, true]) {
        const again = await blog.import({ dryRun: true, force })
        expect(again).toMatchObject(
          force
            ? { posts: { created: 1, updated: 1, conflicting: 0 }, vanished: 1 }
            : { posts: { updated: 1, conflicting: 2, unchanged: 227 }, made: { authors: 1, tags: 1 }, vanished: 1 },
        )
        expect(await blog.import({ force })).toEqual(again)
      }

      async function countRows() {
        const { db } = verso.app.installation
        const tables = ['posts', 'authors', 'categories', 'tags', 'sources', 'contents', 'post_revisions', 'changes'] as const
        const count = (table: (typeof tables)[number]) => db.selectFrom(table).select('project_id').execute()
        return (await Promise.all(tables.map(count))).map((rows) => rows.length)
      }
    })
  })
}
