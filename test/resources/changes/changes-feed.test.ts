import { describe, expect, it } from 'vitest'
import { operator } from '../../../src/actions/caller.ts'
import { createPost } from '../../../src/resources/posts/post-actions.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { type Answer, engines, type Requests, startVerso, type TestApp } from '../../harness/harness.ts'

interface Entry {
  readonly action: 'upsert' | 'delete'
  readonly type: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: a resource of any type.
  readonly data?: any
}

const entriesOf = ({ body }: Answer): readonly Entry[] => body.data
/** What an answer tells, in a form to compare: the action and what is told of the resource. */
const said = (answer: Answer) =>
  entriesOf(answer).map(({ action, type, id, data }) => `${action} ${type} ${data?.title ?? data?.name ?? data?.filename ?? id}`)

/** The cursor behind everything that is there now. */
async function cursorAtEnd(verso: Requests, key: string): Promise<string> {
  let answer = await verso.get('/v1/changes', { key })
  while (answer.body.hasMore) answer = await since(verso, key, answer.body.nextCursor)
  return answer.body.nextCursor
}

function since(verso: Requests, key: string, cursor: string, more = ''): Promise<Answer> {
  return verso.get(`/v1/changes?since=${cursor}${more}`, { key })
}

/** Lets a millisecond pass, so that what is made next has a greater id. */
function tick({ context }: TestApp): void {
  context.travelTo(new Date(context.now().getTime() + 1).toISOString())
}

const picture = { url: 'https://cdn.example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }

/** A key for everything and one of each resource. */
async function furnished(verso: TestApp) {
  const all = await verso.keyWith(
    'admin',
    'posts:publish',
    'posts:write',
    'posts:delete',
    'authors:read_email',
    'media:write',
    'changes:read',
  )
  const asAdmin = { key: all }
  const author = (await verso.post('/v1/admin/authors', { name: 'Ada', email: 'ada@example.com' }, asAdmin)).body
  const category = (await verso.post('/v1/admin/categories', { name: 'News' }, asAdmin)).body
  const media = (await verso.post('/v1/media', picture)).body
  return { all, asAdmin, author, category, media }
}

for (const engine of engines)
  describe(`the changes feed on ${engine.name}`, () => {
    it('GET /v1/changes: 200, everything that is there first, then what changes, in order', async () => {
      const verso = await startVerso(engine)
      const { all, author, category, media } = await furnished(verso)
      const post = (await verso.post('/v1/posts', { title: 'One', authorId: author.id, categoryId: category.id })).body
      const first = await verso.get('/v1/changes', { key: all })
      expect(first.headers.get('cache-control')).toBe('no-store')
      const { postCount: _, ...toldAuthor } = author
      const { postCount: __, ...toldCategory } = category
      const nobody = { actor: null, actorName: null }
      expect(first.body).toEqual({
        data: [
          { action: 'upsert', type: 'author', id: author.id, ...nobody, data: toldAuthor },
          { action: 'upsert', type: 'category', id: category.id, ...nobody, data: toldCategory },
          { action: 'upsert', type: 'media', id: media.id, ...nobody, data: media },
          { action: 'upsert', type: 'post', id: post.id, ...nobody, data: post },
        ],
        nextCursor: expect.any(String),
        hasMore: false,
      })
      expect((await since(verso, all, first.body.nextCursor)).body).toEqual({ ...first.body, data: [] })

      await verso.post('/v1/posts', { title: 'Two' })
      await verso.patch(`/v1/posts/${post.id}`, { title: 'One, changed' })
      await verso.delete(`/v1/media/${media.id}`)
      await verso.delete('/v1/posts/two')
      const next = await since(verso, all, first.body.nextCursor)
      expect(said(next)).toEqual(['upsert post One, changed', `delete media ${media.id}`, expect.stringMatching(/^delete post post_/)])
      expect(next.body.hasMore).toBe(false)
    })

    it('GET /v1/changes: a walk in pages loses nothing while resources change', async () => {
      const verso = await startVerso(engine)
      for (let i = 0; i < 5; i++) {
        tick(verso)
        await verso.post('/v1/posts', { title: `Post ${i}`, status: 'published' })
      }
      const first = await verso.get('/v1/changes?limit=2', { key: verso.public })
      expect(said(first)).toEqual(['upsert post Post 0', 'upsert post Post 1'])
      expect(first.body.hasMore).toBe(true)
      await verso.delete('/v1/posts/post-1')
      await verso.delete('/v1/posts/post-3')
      await verso.patch('/v1/posts/post-0', { title: 'Changed' })
      tick(verso)
      await verso.post('/v1/posts', { title: 'Late', status: 'published' })
      const heard: string[] = []
      let answer = first
      while (answer.body.hasMore) {
        answer = await since(verso, verso.public, answer.body.nextCursor, '&limit=2')
        heard.push(...said(answer))
      }
      expect(heard).toEqual([
        'upsert post Post 2',
        'upsert post Post 4',
        'upsert post Late',
        expect.stringMatching(/^delete post/),
        expect.stringMatching(/^delete post/),
        'upsert post Changed',
        'upsert post Late',
      ])
    })

    it('GET /v1/changes?types=…: 200, these types alone, and posts whose author has changed', async () => {
      const verso = await startVerso(engine)
      const { all, asAdmin, author } = await furnished(verso)
      await verso.post('/v1/posts', { title: 'One', authorId: author.id })
      const posts = await verso.get('/v1/changes?types=post', { key: all })
      expect(said(posts)).toEqual(['upsert post One'])
      const both = await verso.get('/v1/changes?types=media&types=author', { key: all })
      expect(said(both)).toEqual(['upsert author Ada', 'upsert media a.png'])
      await verso.post('/v1/media', { ...picture, url: 'https://cdn.example.com/b.png' })
      await verso.patch(`/v1/admin/authors/${author.id}`, { name: 'Ada L.' }, asAdmin)
      expect(said(await since(verso, all, posts.body.nextCursor, '&types=post'))).toEqual(['upsert post One'])
      expect(said(await since(verso, all, both.body.nextCursor, '&types=author,media'))).toEqual([
        'upsert media a.png',
        'upsert author Ada L.',
      ])
      const other = await since(verso, all, posts.body.nextCursor, '&types=author')
      expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
    })

    it('GET /v1/changes?types=…: 400 for no type, 403 for one without its scope', async () => {
      const verso = await startVerso(engine)
      for (const types of ['', 'posts', 'post,', 'post,elephant']) {
        const { status, body } = await verso.get(`/v1/changes?types=${types}`)
        expect([status, body.code], types).toEqual([400, 'invalid_parameter'])
      }
      const { status, body } = await verso.get('/v1/changes?types=media', { key: verso.public })
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
      expect(body.detail).toContain('media:read')
    })

    it('GET /v1/changes: each key is told of what it may see', async () => {
      const verso = await startVerso(engine)
      const { author } = await furnished(verso)
      const keys = {
        public: verso.public,
        publicMedia: await verso.publicKeyWith('media:read', 'changes:read'),
        secret: verso.secret,
        nothing: await verso.keyWith('changes:read'),
        emails: await verso.keyWith('changes:read', 'authors:read_email'),
      }
      const cursors = Object.fromEntries(
        await Promise.all(Object.entries(keys).map(async ([name, key]) => [name, await cursorAtEnd(verso, key)])),
      )
      await verso.post('/v1/posts', { title: 'Draft' })
      await verso.post('/v1/posts', { title: 'Seen', status: 'published', authorId: author.id })
      await verso.post('/v1/media', { ...picture, filename: 'b.png' })
      const heard: Record<string, readonly string[]> = {}
      for (const [name, key] of Object.entries(keys)) heard[name] = said(await since(verso, key, cursors[name]))
      expect(heard).toEqual({
        public: ['upsert post Seen'],
        publicMedia: ['upsert media b.png'],
        secret: ['upsert post Draft', 'upsert post Seen', 'upsert media b.png'],
        nothing: [],
        emails: [],
      })
      const [told] = entriesOf(await verso.get('/v1/changes', { key: verso.public }))
      expect(told).toMatchObject({ type: 'author', data: { name: 'Ada', email: null } })
      const [toldMore] = entriesOf(await verso.get('/v1/changes', { key: keys.emails }))
      expect(toldMore).toMatchObject({ type: 'author', data: { email: 'ada@example.com' } })
      expect((await verso.get('/v1/changes', { key: await verso.keyWith('posts:read') })).body).toMatchObject({
        code: 'insufficient_scope',
        scope: 'changes:read',
      })
    })

    it('GET /v1/changes: to a public key a post begins when it is published and ends when it is not', async () => {
      const verso = await startVerso(engine)
      const start = await cursorAtEnd(verso, verso.public)
      const { id } = (await verso.post('/v1/posts', { title: 'Post' })).body
      expect((await since(verso, verso.public, start)).body).toEqual({ data: [], nextCursor: start, hasMore: false })
      const steps = [
        [{ status: 'published' }, 'upsert post Post'],
        [{ status: 'archived' }, `delete post ${id}`],
        [{ title: 'Hidden' }, undefined],
        [{ status: 'published' }, 'upsert post Hidden'],
      ] as const
      let cursor = start
      for (const [patch, expected] of steps) {
        await verso.patch(`/v1/posts/${id}`, patch)
        const answer = await since(verso, verso.public, cursor)
        expect(said(answer)).toEqual(expected === undefined ? [] : [expected])
        cursor = answer.body.nextCursor
      }
      await verso.delete(`/v1/posts/${id}`)
      expect(said(await since(verso, verso.public, cursor))).toEqual([`delete post ${id}`])
      expect(said(await since(verso, verso.public, start))).toEqual([`delete post ${id}`])
    })

    it('GET /v1/changes: the posts of an author or category come again when it is renamed, on as many pages as it takes', async () => {
      const verso = await startVerso(engine)
      const { asAdmin, author, category } = await furnished(verso)
      for (let i = 0; i < 5; i++) {
        tick(verso)
        await verso.post('/v1/posts', { title: `Post ${i}`, status: i === 4 ? 'draft' : 'published', authorId: author.id })
      }
      await verso.post('/v1/posts', { title: 'Filed', status: 'published', categoryId: category.id })
      const start = await cursorAtEnd(verso, verso.public)
      await verso.patch(`/v1/admin/authors/${author.id}`, { name: 'Ada L.' }, asAdmin)
      await verso.patch(`/v1/admin/categories/${category.id}`, { slug: 'all-news' }, asAdmin)
      const pages: (readonly string[])[] = []
      const posts: Entry[] = []
      let cursor = start
      for (let hasMore = true; hasMore; ) {
        const answer = await since(verso, verso.public, cursor, '&limit=2')
        pages.push(said(answer))
        posts.push(...entriesOf(answer).filter(({ type }) => type === 'post'))
        hasMore = answer.body.hasMore
        cursor = answer.body.nextCursor
      }
      expect(pages).toEqual([
        ['upsert author Ada L.', 'upsert post Post 0'],
        ['upsert post Post 1', 'upsert post Post 2'],
        ['upsert post Post 3', 'upsert category News'],
        ['upsert post Filed'],
      ])
      expect(posts.slice(0, 4).map(({ data }) => data.author.name)).toEqual(Array(4).fill('Ada L.'))
      expect(posts.at(-1)?.data.category.slug).toBe('all-news')
    })

    it('GET /v1/changes?wait=30: answers when something comes, and to a public key not before it is published', async () => {
      const verso = await startVerso(engine)
      const cursors = { public: await cursorAtEnd(verso, verso.public), secret: await cursorAtEnd(verso, verso.secret) }
      const isPublicAnswered = { yes: false }
      const publicly = since(verso, verso.public, cursors.public, '&wait=30').finally(() => {
        isPublicAnswered.yes = true
      })
      const secretly = since(verso, verso.secret, cursors.secret, '&wait=30')
      await verso.post('/v1/posts', { title: 'Post' })
      expect(said(await secretly)).toEqual(['upsert post Post'])
      expect(isPublicAnswered.yes).toBe(false)
      await verso.patch('/v1/posts/post', { status: 'published' })
      expect(said(await publicly)).toEqual(['upsert post Post'])
    })

    it('GET /v1/changes?wait=30: 401 to a key that was revoked while it waited, and nothing of what was written since', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: key } = await verso.post('/v1/admin/keys', { name: 'short', kind: 'secret' }, admin)
      const cursor = await cursorAtEnd(verso, key.token)
      const waiting = since(verso, key.token, cursor, '&wait=30')
      expect((await verso.delete(`/v1/admin/keys/${key.id}`, admin)).status).toBe(204)
      await verso.post('/v1/posts', { title: 'Written since' })
      const answer = await waiting
      expect([answer.status, answer.body.code, answer.text.includes('Written since')]).toEqual([401, 'invalid_key', false])
    })

    it('GET /v1/changes?wait=20: a response that need not wait leaves no timer behind', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Here', status: 'published' })
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const before = timers()
      for (let i = 0; i < 50; i++) await verso.get('/v1/changes?wait=20', { key: verso.public })
      expect(timers() - before).toBeLessThan(25)
    })

    it('GET /v1/changes?wait=1: 200 and nothing, once the time is over', async () => {
      const verso = await startVerso(engine)
      const cursor = await cursorAtEnd(verso, verso.public)
      expect((await since(verso, verso.public, cursor, '&wait=1')).body).toEqual({ data: [], nextCursor: cursor, hasMore: false })
    })

    it('GET /v1/changes?wait=30: a due post comes while one waits', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      const cursor = await cursorAtEnd(verso, verso.public)
      const answer = since(verso, verso.public, cursor, '&wait=30')
      verso.context.travelTo('2026-06-02T00:00:00.000Z')
      await verso.app.jobs.find(({ name }) => name === 'watch')?.runOnce()
      expect(said(await answer)).toEqual(['upsert post Due'])
    })

    it('GET /v1/changes?wait=30: hears of what another process wrote', async () => {
      const verso = await startVerso(engine)
      const cursor = await cursorAtEnd(verso, verso.secret)
      const answer = since(verso, verso.secret, cursor, '&wait=30')
      const { engine: past } = verso.app.installation
      const [project] = await past.db.selectFrom('project_state').selectAll().where('project_id', '=', verso.projectId).execute()
      expect(project?.revision).toBe(0)
      // Past `perform`, as another process writes: nobody here is told.
      const caller = operator(verso.projectId, 'cli', toInstant(verso.context.now()))
      await past.write((tx) => createPost.run(tx, caller, { body: { ok: true, value: { title: 'Elsewhere' } } }, verso.context.random))
      await verso.app.jobs.find(({ name }) => name === 'watch')?.runOnce()
      expect(said(await answer)).toEqual(['upsert post Elsewhere'])
    })
  })
