import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { releasedMigrations } from '../../../src/database/migrate.ts'
import { movedTables } from '../../../src/maintenance/move/moved-tables.ts'
import { emptyDatabase, migratedDatabase, startOn } from '../../harness/given-database.ts'
import { engines, requestsTo, type TestEngine } from '../../harness/harness.ts'
import { addressText, serve, start, temporaryFolder, verso } from '../../harness/program.ts'
import { withEngine } from '../move/move-fixture.ts'
import { linesOf, namesIn, verify, writeLines } from './backup-fixture.ts'

const sqlite = engines[0] as TestEngine

for (const engine of engines)
  describe(`verso backup and verso restore on ${engine.name}`, () => {
    it('beside a service: what was acknowledged before is there; into a served database it is refused', async () => {
      const cwd = temporaryFolder()
      const [from, to] = [addressText(await migratedDatabase(engine)), addressText(await emptyDatabase(engine))]
      const service = await serve(from, { cwd })
      const secret = /verso_live_\w+/.exec(service.stdout())?.[0] ?? ''
      const { body } = await requestsTo(service.url, secret).post('/v1/posts', { title: 'kept', status: 'published' })
      const made = await verso(['backup', 'b.gz', '--database', from], { cwd })
      expect(made).toEqual({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^/.*b\\.gz: \\d+ rows of ${movedTables.length} tables written and verified\\.\\n$`)),
        stderr: '',
      })
      expect(await verso(['restore', 'b.gz', '--database', from], { cwd })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: .* holds an installation already; [^\n]*\n$/),
      })
      expect((await verso(['restore', 'b.gz', '--database', to, '--json'], { cwd })).stderr).toBe('')
      const restored = await serve(to, { cwd })
      expect((await requestsTo(restored.url, secret).get(`/v1/posts/${body.id}`)).body).toEqual(body)
    })

    it('verso epoch renew: another epoch, and nothing else', async () => {
      const address = await migratedDatabase(engine)
      await startOn(address)
      const epochOf = () => withEngine(address, ({ db }) => db.selectFrom('installation').selectAll().executeTakeFirstOrThrow())
      const { epoch, ...rest } = await epochOf()
      expect(await verso(['epoch', 'renew', '--database', addressText(address)])).toMatchObject({ code: 0, stderr: '' })
      const renewed = await epochOf()
      expect(renewed).toMatchObject(rest)
      expect(renewed.epoch).not.toBe(epoch)
      const empty = await emptyDatabase(engine)
      const nothing = await verso(['epoch', 'renew', '--database', addressText(empty)])
      const [code, message] = empty.kind === 'sqlite' ? [2, /there is no database at/] : [1, /holds no installation\.\n$/]
      expect(nothing).toMatchObject({ code, stderr: expect.stringMatching(message) })
    })

    it('verso epoch renew of what a restore did not finish: refused as by serve, and nothing is changed', async () => {
      const address = await migratedDatabase(engine)
      await startOn(address)
      await withEngine(address, (open) =>
        open.alone((tx) => tx.updateTable('installation').set({ state: 'incomplete', epoch: '' }).execute()),
      )
      expect(await verso(['epoch', 'renew', '--database', addressText(address)])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: The database holds an incomplete copy of an installation\. [^\n]*\n$/),
      })
      const found = await withEngine(address, ({ db }) => db.selectFrom('installation').select(['state', 'epoch']).execute())
      expect(found).toEqual([{ state: 'incomplete', epoch: '' }])
    })
  })

/** A small installation and a folder, in which commands run. */
async function prepared() {
  const cwd = temporaryFolder()
  const address = await migratedDatabase(sqlite)
  const source = await startOn(address)
  for (const title of ['one', 'two']) await source.post('/v1/posts', { title, status: 'published' })
  const database = ['--database', addressText(address)]
  return { cwd, source, database, run: (...args: string[]) => verso(args, { cwd }) }
}

it('verso restore of webhooks into another file: says which key they need, and with it the service starts', async () => {
  const [cwd, allowed] = [temporaryFolder(), { VERSO_SECRET: '', VERSO_WEBHOOK_ALLOW: '127.0.0.1' }]
  const run = (...args: string[]) => verso(args, { cwd, env: allowed })
  await run('project', 'create', 'default', '--name', 'Default', '--database', 'sqlite:old.db')
  expect((await run('webhook', 'create', 'http://127.0.0.1:9/', '--database', 'sqlite:old.db')).code).toBe(0)
  expect((await run('backup', 'b.gz', '--database', 'sqlite:old.db')).code).toBe(0)
  const restored = await run('restore', 'b.gz', '--database', 'sqlite:new.db')
  expect(restored).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /copy the old <database>\.secret to \S+new\.db\.secret, or set VERSO_SECRET\. .* verso webhook reseal --renew-lost\./,
    ),
  })
  const without = await run('serve', '--port', '0', '--database', 'sqlite:new.db')
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('new.db.secret is missing') })
  copyFileSync(join(cwd, 'old.db.secret'), join(cwd, 'new.db.secret'))
  const service = await serve(`sqlite:${join(cwd, 'new.db')}`, { cwd, env: allowed })
  service.signal('SIGTERM')
  expect((await service.ended).code).toBe(0)
})

describe('verso backup', () => {
  it('--keep: removes what is older when the new one is verified, never the newest, nothing else', async () => {
    const { cwd, database, run } = await prepared()
    expect((await run('backup', 'f/', ...database)).code).toBe(0)
    const old = ['verso-2020-01-01T00-00-00.000Z.ndjson.gz', 'verso-2021-01-01T00-00-00.000Z.ndjson.gz']
    const killed = '.verso-2020-01-01T00-00-00.000Z.ndjson.gz.0123456789ab.part'
    for (const name of [...old, killed, 'verso-notes.gz']) writeFileSync(join(cwd, 'f', name), 'x')
    const made = await run('backup', 'f', '--keep', '7d', '--json', ...database)
    expect(JSON.parse(made.stdout)).toMatchObject({
      removed: [...old, killed],
      program: expect.any(String),
      migrations: releasedMigrations.map(({ name }) => name),
    })
    const names = namesIn(join(cwd, 'f'))
    expect(names).toEqual([expect.stringMatching(/^verso-2/), expect.stringMatching(/^verso-2/), 'verso-notes.gz'])
    expect((await run('restore', 'f', '--database', 'sqlite:r.db')).stderr).toBe(
      `error: f is a folder; the newest backup in it is f/${names[1]}\n`,
    )
    expect((await run('backup', '--keep', '1h', names[0] ?? '', ...database)).code).toBe(0)
    for (const [keep, said] of [
      ['24h', '1 day'],
      ['1h', '1 hour'],
      ['36h', '36 hours'],
      ['0d', '0 days'],
    ] as const) {
      writeFileSync(join(cwd, 'f', old[0] ?? ''), 'x')
      expect((await run('backup', 'f', '--keep', keep, ...database)).stdout).toMatch(new RegExp(`Removed \\d+ older than ${said}\\.\n$`))
    }
  })

  it('SIGKILL: an older backup of that name stays whole', async () => {
    const { cwd, database, run } = await prepared()
    const file = join(cwd, 'b.gz')
    await run('backup', 'b.gz', ...database)
    const before = readFileSync(file)
    const running = start(['backup', file, ...database])
    running.signal('SIGKILL')
    expect((await running.ended).code).toBe(null)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('wrong usage: exit code 2, one line, and no file is touched', async () => {
    const { cwd, database, run } = await prepared()
    writeFileSync(join(cwd, 'mine.txt'), 'mine')
    writeFileSync(join(cwd, 'mine.tar.gz'), gzipSync('another archive'))
    for (const [args, message] of [
      [['backup', ...database], /missing required argument/],
      [['backup', 'mine.txt', ...database], /mine\.txt exists and is not a backup/],
      [['backup', 'mine.tar.gz', ...database], /mine\.tar\.gz exists and is not a backup/],
      [['backup', 'mine.txt', '--keep', '7d', ...database], /--keep needs a folder/],
      [['backup', 'x.gz', '--keep', 'week', ...database], /such as 12h, 7d or 8w/],
      [['backup', '--verify', 'x.gz', '--keep', '7d'], /give one of them/],
      [['backup', 'x.gz', '--database', 'sqlite:none.db'], /there is no database at/],
      [['backup', '--verify', 'none.gz'], /there is no file none\.gz/],
      [['restore', 'none.gz', '--database', 'sqlite:r.db'], /there is no file none\.gz/],
      [['restore', 'mine.txt/b.gz', '--database', 'sqlite:r.db'], /there is no file mine\.txt\/b\.gz/],
    ] as const) {
      const { code, stdout, stderr } = await run(...args)
      expect([args, code, stdout, stderr]).toEqual([args, 2, '', expect.stringMatching(message)])
    }
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine')
    expect(namesIn(cwd)).toEqual(['mine.tar.gz', 'mine.txt'])
  })

  it('a pipe or a device: exit code 2, one line', async () => {
    const { cwd, database, run } = await prepared()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    for (const target of ['pipe', '/dev/stdout', '/dev/null'])
      expect(await run('backup', target, ...database)).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: ${target} is neither a file nor a folder; a backup is written to one of these.\n`,
      })
  })

  it('verso restore of a pipe, which cannot be read twice: exit code 2, one line, and no database is made', async () => {
    const { cwd, run } = await prepared()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    expect(await run('restore', 'pipe', '--database', 'sqlite:r.db')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: pipe is not a file; a restore reads the backup twice, so save it as a file first.\n',
    })
    expect(namesIn(cwd)).not.toContain('r.db')
  })

  it('a folder that cannot be made: one line, exit code 1', async () => {
    const { database, run } = await prepared()
    const { code, stderr } = await run('backup', '/proc/nowhere/at/all/b.gz', ...database)
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
  })
})

describe('verso backup --verify', () => {
  it('says when and by what it was made, and what is in it', async () => {
    const { database, run } = await prepared()
    await run('backup', 'b.gz', ...database)
    const { code, stdout } = await run('backup', '--verify', 'b.gz')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(
          `^b\\.gz: whole, \\d+ rows of ${movedTables.length} tables, made .*Z by Verso .*, schema ${releasedMigrations.at(-1)?.name}\\.\\n$`,
        ),
      ),
    ])
    expect(JSON.parse((await run('backup', '--verify', 'b.gz', '--json')).stdout).tables).toContainEqual({
      table: 'posts',
      rows: 2,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('names what is wrong with every kind of damage, and restore refuses it and leaves nothing', async () => {
    const { cwd, database, run } = await prepared()
    await run('backup', 'whole.gz', ...database)
    const file = join(cwd, 'b.gz')
    const [whole, lines] = [readFileSync(join(cwd, 'whole.gz')), await linesOf(join(cwd, 'whole.gz'))]
    const edited = (edit: (lines: string[]) => void) => () => {
      const copy = [...lines]
      edit(copy)
      return writeLines(file, copy)
    }
    const changed = (at: number, change: (line: string) => string) => () =>
      writeLines(
        file,
        lines.map((line, i) => (i === at ? change(line) : line)),
      )
    const posts = lines.findIndex((line) => line.startsWith('{"table":"posts"'))
    const withHeader = (change: object) => changed(0, (line) => JSON.stringify({ ...JSON.parse(line), ...change }))
    const raw = (bytes: Buffer | string) => async () => writeFileSync(file, bytes)
    const flipped = Buffer.from(whole)
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 16
    for (const [damage, message] of [
      [raw(''), 'The backup is damaged: it is cut off.'],
      [raw('{}'), 'This is not a backup of Verso: it is not compressed by gzip.'],
      [raw(gzipSync('hello\n')), 'The backup is damaged: a line of it cannot be read.'],
      [raw(gzipSync('{"name":"package"}\n')), 'This is not a backup of Verso.'],
      [raw(whole.subarray(0, whole.length - 20)), 'The backup is damaged: it is cut off.'],
      [raw(whole.subarray(0, 600)), 'The backup is damaged: it is cut off.'],
      [raw(flipped), /^The backup is damaged: .*\.$/],
      [edited((copy) => void copy.pop()), 'The backup is damaged: it ends too early.'],
      [edited((copy) => void copy.splice(posts + 1, 1)), 'The backup is damaged: the table posts has 1 rows instead of 2.'],
      [
        edited((copy) => void copy.splice(posts + 1, 0, copy[posts + 2] ?? '')),
        'The backup is damaged: the table posts has 3 rows instead of 2.',
      ],
      [changed(posts + 1, (line) => line.replace(/"(one|two)"/, '"$1 more"')), /the rows of the table posts do not have the hash/],
      [edited((copy) => void copy.reverse()), 'This is not a backup of Verso.'],
      [edited((copy) => void copy.push('{}')), 'The backup is damaged: something follows its end.'],
      [edited((copy) => void copy.splice(posts, 4)), /^The backup is damaged: the table posts is missing\.$/],
      [
        withHeader({ createdAt: '2000-01-01T00:00:00.000Z' }),
        'The backup is damaged: its lines do not have the hash that was written with them.',
      ],
      [withHeader({ formatVersion: 2 }), 'The backup has the format 2, which this version of Verso does not know. Use a newer Verso.'],
      [withHeader({ tables: [{ name: 'posts; drop', key: [], rows: 1 }] }), 'The backup is damaged: its header is not complete.'],
    ] as const) {
      await damage()
      await expect(verify(file), String(message)).rejects.toThrow(message)
    }
    await edited((copy) => void copy.pop())()
    expect(await run('backup', '--verify', 'b.gz')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: The backup is damaged: it ends too early.\n',
    })
    expect((await run('restore', 'b.gz', '--database', 'sqlite:r.db')).stderr).toBe('error: The backup is damaged: it ends too early.\n')
    expect(namesIn(cwd).filter((name) => name.startsWith('r.db'))).toEqual([])
  })
})
