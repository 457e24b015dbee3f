import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engines, requestsTo } from '../harness/harness.ts'
import { addressText, main, serve, temporaryFolder, verso } from '../harness/program.ts'
import { openBrowser } from '../harness/studio-browser.ts'

/** Slim images have no curl; the lines are then tried elsewhere. */
const hasCurl = spawnSync('curl', ['--version']).status === 0

for (const engine of engines)
  describe(`verso on ${engine.name}`, () => {
    async function database(create = engine.create): Promise<string> {
      const { address, drop } = await create()
      onTestFinished(drop)
      return addressText(address)
    }

    it.runIf(hasCurl)(
      'serve: the first start prints one secret and one public key and an owner’s link, once, with curl lines that work when pasted',
      async () => {
        const address = await database(engine.createEmpty)
        const first = await serve(address)
        const secret = /verso_live_\w+/.exec(first.stdout())?.[0] ?? ''
        const open = /verso_pub_\w+/.exec(first.stdout())?.[0] ?? ''
        const lines = first
          .stdout()
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line.startsWith('curl '))
        const answers = lines.map((line) => JSON.parse(execFileSync('sh', ['-c', line.replace('curl ', 'curl -s ')], { encoding: 'utf8' })))
        expect(answers[0]).toMatchObject({ title: 'Hello, world', slug: 'hello-world', status: 'published' })
        expect(answers[1].data).toMatchObject([{ slug: 'hello-world' }])
        expect((await requestsTo(first.url, open).get('/v1/posts?status=draft')).status).toBe(403)
        const [, link = ''] = /http:\/\/localhost:\d+\/studio\/welcome#(verso_link_\w+)\n/.exec(first.stdout()) ?? []
        expect(await openBrowser(first.url).post('/welcome', { token: link })).toMatchObject({ status: 200, body: { name: 'owner' } })
        expect(first.stderr()).not.toContain('verso_link_')
        first.signal('SIGTERM')
        expect((await first.ended).code).toBe(0)

        const second = await serve(address)
        expect(second.stdout()).not.toMatch(/verso_(live|pub|link)_/)
        expect((await requestsTo(second.url, secret).get('/v1/posts/hello-world')).status).toBe(200)
      },
    )

    it('key create: the token alone on standard output, good at once on a service that is running', async () => {
      const address = await database()
      const running = await serve(address)
      const made = await verso([
        'key',
        'create',
        '--database',
        address,
        '--kind',
        'secret',
        '--scopes',
        'posts:read,posts:write',
        '--name',
        'ci',
        '--expires',
        '90d',
      ])
      expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verso_live_[0-9A-Za-z]{49}\n$/) })
      const api = requestsTo(running.url, made.stdout.trim())
      expect((await api.post('/v1/posts', { title: 'From a key' })).status).toBe(201)
      expect((await api.post('/v1/posts', { title: 'No', status: 'published' })).body).toMatchObject({
        code: 'insufficient_scope',
        scope: 'posts:publish',
      })

      const listed = await verso(['key', 'list', '--database', address, '--json'])
      const key = JSON.parse(listed.stdout).find((each: { name: string }) => each.name === 'ci')
      expect(key).toMatchObject({ kind: 'secret', scopes: ['posts:read', 'posts:write'], last4: made.stdout.trim().slice(-4) })
      expect(listed.stdout).not.toContain(made.stdout.trim())
      const rotated = await verso(['key', 'rotate', key.id, '--database', address, '--grace', '0'])
      expect((await requestsTo(running.url, rotated.stdout.trim()).get('/v1/posts')).status).toBe(200)
      expect((await api.get('/v1/posts')).status).toBe(401)
      const newest = JSON.parse((await verso(['key', 'list', '--database', address, '--json'])).stdout)[0]
      expect((await verso(['key', 'revoke', newest.id, '--database', address])).code).toBe(0)
      expect((await requestsTo(running.url, rotated.stdout.trim()).get('/v1/posts')).status).toBe(401)
    })

    it('project, author, category: create, list, edit, remove, as JSON where asked', async () => {
      const address = await database()
      const run = async (...args: string[]) => verso([...args, '--database', address, '--json'])
      expect((await run('project', 'create', 'blog', '--site-url', 'https://example.com', '--permalink', '/blog/{slug}')).code).toBe(0)
      expect((await run('project', 'create', 'blog')).code).toBe(1)
      expect(JSON.parse((await run('project', 'edit', 'blog', '--permalink', 'none')).stdout)).toMatchObject({
        siteUrl: 'https://example.com',
        permalink: null,
        feedContent: 'html',
        feedUrl: null,
        timeZone: 'UTC',
      })
      expect((await run('project', 'edit', 'blog', '--timezone', 'Europe/Atlantis')).stderr).toContain('time zone')
      const feeds = ['--feed-content', 'excerpt', '--feed-url', 'https://example.com/feeds', '--timezone', 'Asia/Tokyo']
      expect(JSON.parse((await run('project', 'edit', 'blog', ...feeds)).stdout)).toMatchObject({
        feedContent: 'excerpt',
        feedUrl: feeds[3],
        timeZone: feeds[5],
      })
      expect(JSON.parse((await run('project', 'edit', 'blog', '--notes', '# Style\n\nBe short.')).stdout).notes).toBe(
        '# Style\n\nBe short.',
      )
      expect(JSON.parse((await run('project', 'edit', 'blog', '--name', 'Blog')).stdout).notes).toBe('# Style\n\nBe short.')
      expect(JSON.parse((await run('project', 'edit', 'blog', '--notes', '')).stdout).notes).toBeNull()
      expect((await run('project', 'edit', 'blog', '--notes', 'x'.repeat(20_001))).code).toBe(2)
      expect(JSON.parse((await run('project', 'list')).stdout)).toHaveLength(1)
      const ada = JSON.parse((await run('author', 'create', 'Ada', '--project', 'blog', '--email', 'ada@example.com')).stdout)
      expect(JSON.parse((await run('author', 'edit', ada.id, '--project', 'blog', '--email', 'none')).stdout)).toMatchObject({
        email: null,
        version: 2,
      })
      expect(JSON.parse((await run('author', 'list', '--project', 'blog')).stdout)).toMatchObject([{ name: 'Ada' }])
      expect((await run('author', 'remove', ada.id, '--project', 'blog')).code).toBe(0)
      expect(JSON.parse((await run('category', 'create', 'Release notes', '--project', 'blog')).stdout)).toMatchObject({
        slug: 'release-notes',
      })
      expect((await run('category', 'remove', 'release-notes', '--project', 'blog')).code).toBe(0)
      expect(await run('check')).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok": true') })
    })

    it('migrate: applies once, then says that all is up to date', async () => {
      const address = await database(engine.createEmpty)
      expect(await verso(['migrate', '--database', address])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('applied 0001-first-schema'),
      })
      expect(await verso(['migrate', '--database', address])).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' })
      expect(await verso(['migrate', '--reindex', '--database', address])).toMatchObject({
        code: 0,
        stdout: 'The schema is up to date.\nThe search index was rebuilt.\n',
      })
    })

    it('serve: SIGTERM finishes what was begun, and the log holds no key, body or search text', async () => {
      const address = await database()
      const running = await serve(address, { env: { VERSO_LOG_LEVEL: 'trace' } })
      const secret = /verso_live_\w+/.exec(running.stdout())?.[0] ?? ''
      const api = requestsTo(running.url, secret)
      await api.get('/v1/posts?search=xyzzy-searched')
      await api.get('/v1/posts/xyzzy-slug')
      const writes = Array.from({ length: 20 }, (_, i) => api.post('/v1/posts', { title: `xyzzy-body ${i}` }))
      await api.get('/healthz')
      running.signal('SIGTERM')
      const answers = await Promise.allSettled(writes)
      const { code, stderr } = await running.ended
      expect(code).toBe(0)
      const accepted = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 201).length
      const again = await serve(address)
      const total = (await requestsTo(again.url, secret).get('/v1/posts?search=xyzzy-body')).body.pagination.total
      expect(total).toBeGreaterThanOrEqual(accepted)
      expect(stderr).not.toMatch(/verso_(live|pub)_|xyzzy/)
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines).toContainEqual(
        expect.objectContaining({
          method: 'GET',
          route: '/v1/posts',
          status: 200,
          durationMs: expect.any(Number),
          requestId: expect.stringMatching(/^req_/),
        }),
      )
    })
  })

describe('verso', () => {
  it('serve: ends with the script runner that started it, whose shell passes no signal on', async () => {
    const runner = spawn('sh', ['-c', `"${process.execPath}" "${main}" serve --port 0; true`], {
      cwd: temporaryFolder(),
      env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
    })
    let said = ''
    for (const stream of [runner.stdout, runner.stderr]) stream.on('data', (chunk) => (said += chunk))
    const closed = new Promise((resolve) => runner.on('close', resolve))
    await new Promise<void>((resolve) => runner.stdout.on('data', () => said.includes('listening on') && resolve()))
    runner.kill('SIGKILL')
    await closed
    expect(said).toContain('stopped')
  })

  it('writes to a database that is named by a symbolic link', async () => {
    const [folder, cwd] = [temporaryFolder(), temporaryFolder()]
    await symlink(join(folder, 'verso.db'), join(cwd, 'link.db'))
    const { code, stderr } = await verso(['project', 'create', 'blog', '--database', 'sqlite:link.db', '--json'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('wrong usage: exit code 2 and one line that helps', async () => {
    for (const args of [
      ['nonsense'],
      ['key', 'create'],
      ['key', 'create', '--kind', 'odd', '--name', 'x'],
      ['serve', '--port', 'x'],
      ['serve', '--host', ''],
      ['serve', '--database', 'mysql://x'],
    ]) {
      const { code, stdout, stderr } = await verso(args, { cwd: temporaryFolder() })
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: /)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })

  it.each([
    [['check', '--database', 'verso.db'], {}, '--database must be sqlite:<path> or '],
    [['check'], { VERSO_DATABASE: 'verso.db' }, 'VERSO_DATABASE must be sqlite:<path> or '],
    [['check'], { DATABASE_URL: 'mysql://db.example.com/site' }, 'DATABASE_URL must be sqlite:<path> or '],
    [['check', '--database', 'postgres://a:b#c@db.example.com/verso'], {}, '--database is not a valid postgres:// URL; '],
    [['move', '--to', 'verso.db'], {}, '--to must be sqlite:<path> or '],
    [['serve', '--port', 'x'], {}, '--port must be a whole number '],
    [['serve'], { PORT: 'x' }, 'PORT must be a whole number '],
    [['serve', '--host', ''], {}, '--host must be the address '],
    [['sync', 'site', '--key', 'verso_pub_1', '--url', 'here'], {}, '--url must be an http or https URL '],
  ])('a wrong value is named as it was given: %j %j', async (args, env, words) => {
    const { code, stderr } = await verso(args, { cwd: temporaryFolder(), env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(`^error: ${words}`) })
  })

  it('edit without an option that changes something: exit code 2, and the options that do', async () => {
    const whole = 'error: nothing to change: name one or more of --slug, --description, --name\n'
    expect(await verso(['category', 'edit', 'news', '--project', 'blog'])).toEqual({ code: 2, stdout: '', stderr: whole })
    for (const [command, option] of [
      ['author', '--avatar-url'],
      ['person', '--sign-out'],
      ['project', '--notes'],
      ['webhook', '--disable'],
    ] as const) {
      const { code, stderr } = await verso([command, 'edit', 'x', '--json'])
      const { error } = JSON.parse(stderr)
      expect({ code, error }).toEqual({
        code: 2,
        error: { code: 'wrong_usage', detail: expect.stringMatching(`^nothing to change: .*${option}`) },
      })
    }
  })

  it('webhook edit --enable --disable: exit code 2, whichever comes first', async () => {
    for (const both of [
      ['--enable', '--disable'],
      ['--disable', '--enable'],
    ])
      expect(await verso(['webhook', 'edit', 'x', ...both])).toMatchObject({
        code: 2,
        stderr: "error: option '--enable' cannot be used with option '--disable'\n",
      })
  })

  it('help of a command that is not there: exit code 2, and a hint', async () => {
    for (const [args, hint] of [
      [['help', 'persn'], "unknown command 'persn'\n(Did you mean person?)\n(verso --help lists the commands)"],
      [['nonsense', '--help'], "unknown command 'nonsense'\n(verso --help lists the commands)"],
      [['help', 'key', 'lst'], "unknown command 'lst'\n(Did you mean list?)\n(verso key --help lists the commands)"],
      [['key', 'help', 'nonsense'], "unknown command 'nonsense'\n(verso key --help lists the commands)"],
      [['key', 'nonsense'], "unknown command 'nonsense'\n(verso key --help lists the commands)"],
    ] as const)
      expect({ args, ...(await verso(args)) }).toEqual({ args, code: 2, stdout: '', stderr: `error: ${hint}\n` })
    for (const [args, usage] of [
      [['help'], 'verso'],
      [['help', 'key'], 'verso key'],
      [['help', 'key', 'list'], 'verso key list'],
      [['key', 'help', 'list'], 'verso key list'],
    ] as const)
      expect({ args, ...(await verso(args)) }).toMatchObject({
        args,
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`Usage: ${usage} [`),
      })
  })

  it('--json: errors and warnings are lines of JSON on standard error', async () => {
    const cwd = temporaryFolder()
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await verso([...args, '--json'], { cwd, env: { VERSO_TYPO: 'x' } })
      const [last = '', ...before] = stderr.trimEnd().split('\n').reverse()
      return { code, stdout, warned: before.map((line) => Object.keys(JSON.parse(line))), ...JSON.parse(last) }
    }
    const warned = [['warning']]
    expect((await verso(['project', 'create', 'blog'], { cwd })).code).toBe(0)
    expect(await run('project', 'create', 'blog')).toMatchObject({
      code: 1,
      stdout: '',
      warned,
      error: { code: 'slug_conflict', errors: [] },
    })
    expect(await run('project', 'create', 'No', '--timezone', 'no')).toMatchObject({
      code: 2,
      error: { code: 'validation_failed', detail: '2 fields are not valid.', errors: [{ pointer: '/slug' }, { pointer: '/timeZone' }] },
    })
    expect(await run('key', 'list', '--project', 'nope')).toMatchObject({
      code: 2,
      error: { code: 'wrong_usage', detail: expect.stringMatching(/^there is no project nope/) },
    })
    expect(await run('key', 'list', '--nope')).toEqual({
      code: 2,
      stdout: '',
      warned: [],
      error: { code: 'wrong_usage', detail: "unknown option '--nope'" },
    })
    expect(await run('nonsense')).toMatchObject({ code: 2, error: { code: 'wrong_usage' } })
  })

  it.each([
    [['import', '']],
    [['backup', '']],
    [['export', '']],
    [['sync', '', '--key', 'verso_pub_x']],
    [['author', 'create', '']],
    [['author', 'list', '--project', '']],
  ])('%j: exit code 2 for what is empty, as an unset variable of a shell is', async (args) => {
    const cwd = temporaryFolder()
    await verso(['project', 'create', 'default'], { cwd })
    const { code, stdout, stderr } = await verso(args, { cwd })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: (argument|option) '(path|target|dir|name|--project)' must not be empty\n$/),
    })
  })

  it('names with control characters: shown escaped, so that no name writes to the terminal of an operator, and as they are in JSON', async () => {
    const cwd = temporaryFolder()
    const run = (...args: readonly string[]) => verso(args, { cwd })
    const name = 'A\u001b]0;title\u0007\u009b2J\r\nB'
    await run('project', 'create', 'default')
    for (const noun of ['author', 'category']) {
      expect((await run(noun, 'create', name)).stdout).toContain('A\\u001b]0;title\\u0007\\u009b2J\\u000d\nB\n')
      expect((await run(noun, 'list')).stdout).toContain('A\\u001b]0;title\\u0007\\u009b2J\\u000d\\u000aB')
      expect(JSON.parse((await run(noun, 'list', '--json')).stdout)).toMatchObject([{ name }])
    }
    expect((await run('project', 'edit', 'no\u001bpe', '--name', 'x')).stderr).toContain('no\\u001bpe')
  })

  it('exit codes: 2 for what is never right and for a project that is not there, 1 for what fails by what is stored', async () => {
    const cwd = temporaryFolder()
    const run = (...args: readonly string[]) => verso(args, { cwd })
    expect((await run('project', 'create', 'blog')).code).toBe(0)
    for (const args of [
      ['project', 'edit', 'nope', '--name', 'x'],
      ['author', 'list', '--project', 'nope'],
      ['project', 'create', 'No Slug'],
      ['project', 'edit', 'blog', '--site-url', 'nope'],
      ['author', 'create', 'Ada', '--slug', 'No Slug', '--project', 'blog'],
      ['category', 'create', ' ', '--project', 'blog'],
      ['key', 'create', '--kind', 'secret', '--name', ' ', '--project', 'blog'],
      ['webhook', 'create', 'nope', '--project', 'blog'],
      ['person', 'invite', 'Ada', '--project', 'blog'],
    ])
      expect({ args, ...(await run(...args)) }).toMatchObject({ args, code: 2, stdout: '', stderr: expect.stringMatching(/^error: /) })
    for (const args of [
      ['project', 'create', 'blog'],
      ['author', 'remove', 'nobody', '--project', 'blog'],
      ['key', 'revoke', 'nope', '--project', 'blog'],
      ['person', 'remove', 'Nobody', '--project', 'blog'],
    ])
      expect({ args, ...(await run(...args)) }).toMatchObject({ args, code: 1, stdout: '', stderr: expect.stringMatching(/^error: /) })
  })

  it('a wrong value in the environment stops the start with one clear line', async () => {
    const cwd = temporaryFolder()
    for (const env of [
      { PORT: '99999' },
      { VERSO_PUBLIC_URL: 'ftp://x' },
      { VERSO_LOG_LEVEL: 'loud' },
      { VERSO_TRUST_PROXY: 'maybe' },
      { VERSO_TRUST_PROXY: '10.0.0.0/99' },
      { VERSO_TRUST_PROXY: '127.0.0.1, ::1/200' },
      { VERSO_SEND_TIMEOUT: '0' },
      { VERSO_SEND_BUFFER: '0' },
      { VERSO_PG_POOL: '0' },
      { VERSO_PG_PREPARE: 'maybe' },
      { VERSO_PUBLIC_URL: 'https://user:password@example.com' },
      { VERSO_PUBLIC_URL: 'https://example.com/content?' },
      { VERSO_PUBLIC_URL: 'https://example.com/#' },
      { VERSO_UPGRADE_BACKUP: 's3:foo' },
      { VERSO_SHARED_MAX_AGE: '-1' },
      { VERSO_DATABASE: 'x' },
    ]) {
      const { code, stderr } = await verso(['serve'], { env, cwd })
      expect(code).toBe(2)
      expect(stderr).toMatch(new RegExp(`^error: ${Object.keys(env)[0]} .*\n$`))
      expect(stderr).not.toContain('password@')
    }
    const folder = await verso(['serve'], { env: { VERSO_DATABASE: `sqlite:${cwd}` }, cwd })
    expect([folder.code, folder.stderr]).toEqual([1, expect.stringMatching(`^error: ${cwd} is a folder; .*\n$`)])
  })

  it('help: every command explains itself, exit code 0', async () => {
    const commands = [
      [],
      ['serve'],
      ['migrate'],
      ['project'],
      ['project', 'create'],
      ['key'],
      ['key', 'create'],
      ['author', 'create'],
      ['import'],
      ['check'],
      ['move'],
      ['openapi'],
    ]
    for (const command of commands) {
      const { code, stdout } = await verso([...command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain('Usage: verso')
    }
  })

  it('openapi: the document on standard output', async () => {
    const { code, stdout } = await verso(['openapi'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: 'Verso' } })
  })
})
