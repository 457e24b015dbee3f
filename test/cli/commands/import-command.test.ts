import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, requestsTo } from '../../harness/harness.ts'
import { addressText, serve, temporaryFolder, verso } from '../../harness/program.ts'
import { blogOf, writeFiles } from '../../import/blog-fixture.ts'

const [engine] = engines

/** A database with the project `default`, and the import into it. */
async function start() {
  const made = await engine?.create()
  if (!made) throw new Error('there is no engine')
  onTestFinished(made.drop)
  const database = addressText(made.address)
  expect((await verso(['project', 'create', 'default', '--database', database])).code).toBe(0)
  return { database, run: (path: string, ...more: string[]) => verso(['import', path, '--database', database, ...more]) }
}

describe('verso import', () => {
  it('0 and a summary on standard output alone; the second time it says that nothing has changed', async () => {
    const { run } = await start()
    const root = await blogOf({
      '_posts/2020-01-02-a.md': '---\nauthors: [ada, bob]\ncategory: x\ntags: [y, z]\n---\n# A\n',
      '_posts/2999-01-02-b.md': '# B\n',
      'about.md': '# About\n',
    })
    const first = await run(root)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^Imported \S+ into the project default in [\d.]+ s \([\d,]+ posts\/s\)\.\n\nIMPORTED +COUNT\n/)
    for (const [label, count] of [
      ['posts created', 2],
      ['  created or updated as scheduled', 1],
      ['authors created', 2],
      ['categories created', 1],
      ['tags created', 2],
      ['files skipped: page', 1],
    ])
      expect(first.stdout).toMatch(new RegExp(`^${label} +${count}$`, 'm'))
    expect(first.stdout).toContain(
      '\n  2 × no title is given; it was taken from the first heading or the file name (_posts/2020-01-02-a.md)\n',
    )
    expect(first.stdout).toContain('\n  1 × a post keeps one author; left out: "bob" (_posts/2020-01-02-a.md)\n')
    const second = await run(root)
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout).toMatch(/^posts unchanged +2$/m)
    expect(second.stdout).toContain('\nNothing has changed since the last import.\n')
  })

  it('says why posts are archived: readers were kept out, or they were archived there already, as in an export', async () => {
    const { database, run } = await start()
    expect((await run(await blogOf({ 'a.md': '---\ntitle: A\ndate: 2020-01-02\narchived: true\n---\n' }))).stdout).toContain(
      '\n\nArchived, as they were archived or had expired where they come from:\n  A (a.md)\n',
    )
    const folder = join(temporaryFolder(), 'out')
    expect((await verso(['export', folder, '--database', database])).code).toBe(0)
    expect((await verso(['project', 'create', 'copy', '--database', database])).code).toBe(0)
    const copied = await run(folder, '--project', 'copy')
    expect(copied.stdout).toMatch(/^ {2}created or updated as archived +1$/m)
    expect(copied.stdout).toContain('\n\nArchived, as they were archived or had expired where they come from:\n  A (posts/a.md)')

    const posts = [
      { id: '1', title: 'B', slug: 'b', html: '<p>B</p>', status: 'published', visibility: 'members', published_at: '2020-01-02' },
    ]
    const ghost = await blogOf({ 'ghost.json': JSON.stringify({ db: [{ meta: { version: '5.0.0' }, data: { posts } }] }) })
    expect((await run(join(ghost, 'ghost.json'), '--site-url', 'https://blog.example')).stdout).toContain(
      '\n\nArchived, because not everybody could read them where they come from:\n  B (',
    )
  })

  it('1 where a file fails: path, line and reason on standard error, and the others are imported', async () => {
    const { run } = await start()
    const root = await blogOf({ 'a.md': '# A\n', 'b.md': '---\ntitle: B\ndate: 2020-02-30\n---\n', 'c.md': Buffer.from([0xff]) })
    const ended = await run(root)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toBe('b.md:3: the date "2020-02-30" does not exist or cannot be read\nc.md:1: the text is not valid UTF-8\n')
    expect(ended.stdout).toMatch(/^posts created +1$/m)
    expect(ended.stdout).toMatch(/^files failed +2$/m)
  })

  it('1 where a post was changed on both sides, beside a service that is running; --force takes the source', async () => {
    const { database, run } = await start()
    const served = await serve(database)
    const key = await verso(['key', 'create', '--database', database, '--kind', 'secret', '--name', 'test'])
    const api = requestsTo(served.url, key.stdout.trim())
    const root = await blogOf({ 'a.md': '# A\n', 'b.md': '# B\n' })
    expect((await run(root)).code).toBe(0)
    expect((await api.patch('/v1/posts/a', { title: 'Here' })).status).toBe(200)
    expect((await api.delete('/v1/posts/b')).status).toBe(204)
    await writeFiles(root, { 'a.md': '# There\n', 'b.md': '# There too\n' })
    const ended = await run(root)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toBe(
      'a.md: changed here and in the source; left alone (--force overwrites it)\nb.md: deleted here and changed in the source; left out (--force creates it again)\n',
    )
    expect((await run(root, '--force')).code).toBe(0)
    expect((await api.get('/v1/posts/a')).body).toMatchObject({ title: 'There', version: 3 })
    expect((await api.get('/v1/posts/b')).body.title).toBe('There too')
  })

  it('--dry-run --json: the report of the real run, and nothing is written', async () => {
    const { database, run } = await start()
    const root = await blogOf({ 'a.md': '---\nauthor: ada\ndraft: true\n---\n# A\n', 'b.md': '---\n- x\n---\n' })
    const dry = await run(root, '--dry-run', '--json')
    expect(dry).toMatchObject({ code: 1, stderr: '' })
    const foreseen = JSON.parse(dry.stdout)
    expect(foreseen).toMatchObject({
      path: root,
      project: 'default',
      dryRun: true,
      posts: { created: 1, updated: 0, unchanged: 0, conflicting: 0, failed: 1 },
      drafts: 1,
      made: { authors: 1, categories: 0, tags: 0, media: 0 },
      faults: [{ path: 'b.md', line: 2 }],
    })
    expect(JSON.parse((await verso(['author', 'list', '--database', database, '--json'])).stdout)).toEqual([])
    const { durationMs, ...real } = JSON.parse((await run(root, '--json')).stdout)
    expect(real).toEqual({ ...foreseen, dryRun: false, durationMs: undefined })
    expect((await run(root, '--dry-run')).stdout).toMatch(/^Dry run: importing .* Nothing was written\./)
  })

  it('--timezone and --verbose: dates without an offset are of that zone, and every note is printed', async () => {
    const { database, run } = await start()
    const root = await blogOf({ 'a.md': '---\ndate: 2020-07-01 12:00\n---\n', 'b.md': '---\ndate: 2020-07-01 12:00Z\n---\n' })
    const ended = await run(root, '--timezone', 'Europe/Berlin', '--verbose')
    expect(ended.stdout).toContain('\nNotes:\n  a.md: no title is given;')
    expect(ended.stdout).toContain('\n  b.md: no title is given;')
    const served = await serve(database)
    const key = await verso(['key', 'create', '--database', database, '--kind', 'secret', '--name', 'test'])
    const { data } = (await requestsTo(served.url, key.stdout.trim()).get('/v1/posts?sort=slug')).body
    expect(data.map(({ publishedAt }: { publishedAt: string }) => publishedAt)).toEqual([
      '2020-07-01T10:00:00.000Z',
      '2020-07-01T12:00:00.000Z',
    ])
  })

  it('1 where there are no posts, and names the folders that it skipped; --verbose and --json name every file', async () => {
    const { run } = await start()
    const root = await blogOf({ 'a.txt': 'text', '_layouts/post.html': '<html>', 'node_modules/x/a.md': '# A\n' })
    const ended = await run(root)
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toContain(`\nThere are no posts in ${root}. Folders that were skipped: _layouts, node_modules.\n`)
    expect((await run(root, '--verbose')).stdout).toContain('\nSkipped:\n  _layouts: folder\n  a.txt: other\n  node_modules: folder\n')
    expect(JSON.parse((await run(root, '--json')).stdout).skips).toContainEqual({ path: 'a.txt', reason: 'other' })
    const file = join(root, 'a.txt')
    expect(await run(file)).toMatchObject({ code: 1, stdout: expect.stringContaining(`\nThere are no posts in ${file}.\n`) })
  })

  it.runIf(existsSync('/proc/self/mem'))('1 for a file that the system does not read: one line, and one of JSON', async () => {
    const { run } = await start()
    const why = '/proc/self/mem: the file cannot be read (EIO)'
    expect(await run('/proc/self/mem')).toEqual({ code: 1, stdout: '', stderr: `error: ${why}\n` })
    const asJson = await run('/proc/self/mem', '--json')
    expect([asJson.code, JSON.parse(asJson.stderr)]).toEqual([1, { error: { code: 'failed', detail: why } }])
  })

  // The superuser may open everything.
  it.skipIf(process.getuid?.() === 0)('1 for an export that this user may not read: one line', async () => {
    const { run } = await start()
    const root = await blogOf({ 'a.json': '{"db":[]}', 'b.xml': '<rss/>' })
    for (const name of ['a.json', 'b.xml']) {
      await chmod(join(root, name), 0o000)
      const stderr = `error: ${join(root, name)}: the file cannot be read (EACCES)\n`
      expect(await run(join(root, name))).toEqual({ code: 1, stdout: '', stderr })
    }
  })

  it('2 for a path, a time zone or a project that does not exist', async () => {
    const { run } = await start()
    const root = await blogOf({ 'a.md': '# A\n' })
    expect(await run(join(root, 'elsewhere'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('there is no such file or folder'),
    })
    expect(await run(root, '--timezone', 'Europe/Nowhere')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('IANA') })
    expect(await run(root, '--project', 'other')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('no project other'),
    })
    expect((await verso(['import'])).code).toBe(2)
  })
})
