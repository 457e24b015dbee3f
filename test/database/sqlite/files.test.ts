import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { requireWritable, requireWritableFolder } from '../../../src/database/sqlite/database-files.ts'
import { UnsupportedDatabase } from '../../../src/database/unsupported-database.ts'
import { type Requests, requestsTo, testSecret } from '../../harness/harness.ts'
import { serve, temporaryFolder, verso } from '../../harness/program.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('the files of SQLite', () => {
  it('the database, its log and its folder are made for their owner alone; a wider mode is warned of at the start', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const path = join(folder, 'verso.db')
    const first = await serve(`sqlite:${path}`)
    expect([folder, path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(['700', '600', '600', '600'])
    expect(first.stderr()).not.toContain('mode')
    first.signal('SIGTERM')
    expect((await first.ended).code).toBe(0)
    const wide = [path, `${path}.secret`]
    writeFileSync(`${path}.secret`, testSecret.VERSO_SECRET)
    for (const file of wide) chmodSync(file, 0o644)
    const second = await serve(`sqlite:${path}`)
    for (const file of [...wide, `${path}-shm`]) await expect.poll(second.stderr).toContain(`${file} has mode 644`)
  })

  it('a folder that cannot be made: one line, exit code 1', async () => {
    const { code, stderr } = await verso(['migrate', '--database', 'sqlite:/proc/nowhere/verso.db'])
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(stderr).toContain('/proc/nowhere')
  })

  it.each(['', '-wal', '-shm'])('a file %s that this user may not write: named, with what to do', (end) => {
    const path = join(temporaryFolder(), 'verso.db')
    for (const each of ['', '-wal', '-shm']) writeFileSync(path + each, '')
    const access = (file: string) => {
      if (file === path + end) throw Object.assign(new Error(), { code: 'EACCES', path: file })
    }
    expect(() => requireWritable(path, access)).toThrow(
      new UnsupportedDatabase(
        `The file ${path}${end} cannot be written: this user may not write there. Verso must be able to read and write the database and its log: run it as the owner of the files, with mode 600 (chmod 600 ${path}${end}).`,
      ),
    )
    expect(() => requireWritable(path)).not.toThrow()
  })

  it('a folder in which this user may not make a log: named, with what to do', () => {
    const path = join(temporaryFolder(), 'verso.db')
    const access = (file: string) => {
      throw Object.assign(new Error(), { code: 'EACCES', path: file })
    }
    expect(() => requireWritableFolder(path, access)).toThrow(
      new UnsupportedDatabase(
        `The folder ${dirname(path)} cannot be written: this user may not write there. SQLite keeps the log of the database in it: run Verso as the owner of the folder, with mode 700 (chmod 700 ${dirname(path)}).`,
      ),
    )
    for (const end of ['-wal', '-shm']) writeFileSync(path + end, '')
    expect(() => requireWritableFolder(path, access)).not.toThrow()
  })

  // The superuser may write to everything.
  it.skipIf(process.getuid?.() === 0)('a database that this user may not write: one line, exit code 1, and no log is left', async () => {
    const cwd = temporaryFolder()
    const database = ['--database', 'sqlite:verso.db']
    expect((await verso(['project', 'create', 'default', ...database], { cwd })).code).toBe(0)
    chmodSync(join(cwd, 'verso.db'), 0o444)
    const before = readdirSync(cwd).sort()
    for (const command of ['check', 'serve'])
      expect(await verso([command, ...database], { cwd })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^error: The file \S+verso\.db cannot be written: [^\n]*chmod 600[^\n]*\n$/),
      })
    expect(readdirSync(cwd).sort()).toEqual(before)
    chmodSync(join(cwd, 'verso.db'), 0o600)
    expect((await verso(['check', ...database], { cwd })).code).toBe(0)
  })

  it('verso check says that a copy made with cp lacks its log, verso backup refuses it; check says nothing of a database in order', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'verso.db')
    const service = await serve(`sqlite:${path}`)
    const key = /verso_live_\w+/.exec(service.stdout())?.[0] ?? ''
    expect((await requestsTo(service.url, key).post('/v1/posts', { title: 'One' })).status).toBe(201)
    const copy = join(folder, 'copy.db')
    copyFileSync(path, copy)
    const beside = await verso(['check', '--database', `sqlite:${path}`])
    expect([beside.code, beside.stderr]).toEqual([0, ''])
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await verso(['check', '--json', '--database', `sqlite:${copy}`])
      expect([code, JSON.parse(stdout)]).toEqual([1, { ok: false, findings: [expect.stringContaining('its log (-wal) is not there')] }])
    }
    const backup = join(folder, 'b.gz')
    expect(await verso(['backup', backup, '--database', `sqlite:${copy}`])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: sqlite:\S+copy\.db: [^\n]*its log \(-wal\) is not there[^\n]*\n$/),
    })
    expect(existsSync(backup)).toBe(false)
    const onCopy = await serve(`sqlite:${copy}`)
    await expect.poll(onCopy.stderr).toContain('its log (-wal) is not there')
    service.signal('SIGTERM')
    await service.ended
    expect(existsSync(`${path}-wal`)).toBe(false)
    const stopped = await verso(['check', '--database', `sqlite:${path}`])
    expect([stopped.code, stopped.stderr]).toEqual([0, ''])
  })

  it('verso check says nothing of a missing log where the service was killed and a command was the last to use the file', async () => {
    const path = join(temporaryFolder(), 'verso.db')
    const service = await serve(`sqlite:${path}`)
    const beside = await verso(['check', '--database', `sqlite:${path}`])
    expect(beside.code).toBe(0)
    service.signal('SIGKILL')
    await service.ended
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await verso(['check', '--database', `sqlite:${path}`])
      expect([code, stdout]).toEqual([0, 'Everything is as it should be.\n'])
    }
    expect((await serve(`sqlite:${path}`)).stderr()).not.toContain('-wal')
  })

  it('commands that only read or change what is there refuse a file that is not, and do not make it', async () => {
    const cwd = temporaryFolder()
    const commands = [
      ['check'],
      ['export', 'out'],
      ['project', 'list'],
      ['project', 'edit', 'default', '--name', 'x'],
      ['key', 'create', '--kind', 'secret', '--name', 'x'],
      ['author', 'list'],
      ['person', 'list'],
      ['redirects', '--format', 'netlify'],
      ['webhook', 'reseal'],
    ]
    for (const command of commands) {
      const { code, stdout, stderr } = await verso([...command, '--database', 'sqlite:typo.db'], { cwd })
      expect([command.join(' '), code, stdout]).toEqual([command.join(' '), 2, ''])
      expect(stderr).toMatch(/^error: there is no database at .*typo\.db\.\n$/)
    }
    expect(readdirSync(cwd)).toEqual([])
    expect((await verso(['project', 'create', 'blog', '--database', 'sqlite:new.db'], { cwd })).code).toBe(0)
  })

  it('?permanent=true leaves no byte of the content in any file once the service has stopped, even if it was killed in between', async () => {
    const path = join(temporaryFolder(), 'verso.db')
    const first = await serve(`sqlite:${path}`)
    const key = /verso_live_\w+/.exec(first.stdout())?.[0] ?? ''
    const requests = requestsTo(first.url, key)
    for (let i = 0; i < 20; i++) await requests.post('/v1/posts', { title: `Other ${i}`, content: 'x'.repeat(3_000), tags: ['t'] })
    await eraseAPost(requests, 'Kanarienvogel zwitschert')
    first.signal('SIGKILL')
    await first.ended
    const second = await serve(`sqlite:${path}`)
    second.signal('SIGTERM')
    expect((await second.ended).code).toBe(0)
    expect(wordsIn(path, ['kanarienvogel', 'zwitschert'])).toEqual([])
    const third = await serve(`sqlite:${path}`)
    await eraseAPost(requestsTo(third.url, key), 'Rotkehlchen tiriliert')
    third.signal('SIGTERM')
    expect((await third.ended).code).toBe(0)
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(wordsIn(path, ['kanarienvogel', 'zwitschert', 'rotkehlchen', 'tiriliert'])).toEqual([])
    const stopped = new Database(path, { readonly: true })
    expect(stopped.prepare('select has_erased from installation').pluck().get()).toBe(0)
    stopped.close()
  })
})

async function eraseAPost(requests: Requests, words: string): Promise<void> {
  const headers = { 'idempotency-key': `of ${words.length} letters` }
  const { body } = await requests.post('/v1/posts', { title: words, excerpt: words, content: `${words} ${'y'.repeat(9_000)}` }, { headers })
  await requests.patch(`/v1/posts/${body.id}`, { content: `${words}, again` })
  expect((await requests.delete(`/v1/posts/${body.id}?permanent=true`)).status).toBe(204)
}

function wordsIn(path: string, words: readonly string[]): readonly string[] {
  const bytes = readFileSync(path, 'latin1').toLowerCase()
  return words.filter((word) => bytes.includes(word))
}
