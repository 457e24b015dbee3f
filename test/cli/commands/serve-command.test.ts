import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEngine } from '../../../src/app/installation.ts'
import { insertInstallation } from '../../../src/resources/projects/project-store.ts'
import { toInstant } from '../../../src/values/instant.ts'
import { unobserved } from '../../../src/values/observations.ts'
import { migratedDatabase } from '../../harness/given-database.ts'
import { engines, requestsTo, testContext } from '../../harness/harness.ts'
import { addressText, main, serve, start, temporaryFolder, verso } from '../../harness/program.ts'

const newDatabase = () => `sqlite:${join(temporaryFolder(), 'verso.db')}`

describe('verso serve', () => {
  it('an unknown variable VERSO_… is named in one warning with the nearest known name, and the start goes on', async () => {
    const { stderr, signal, ended } = await serve(newDatabase(), {
      env: { VERSO_DATABSE: 'sqlite:x', VERSO_PORT: '1', VERSO_ZZZZZZZZ: '1', VERSO_LOG_LEVEL: 'warn' },
    })
    const warnings = stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(warnings).toMatchObject([
      { level: 'warn', msg: 'VERSO_DATABSE is not a setting of Verso and has no effect. Did you mean VERSO_DATABASE?' },
      { level: 'warn', msg: 'VERSO_PORT is not a setting of Verso and has no effect. Did you mean PORT?' },
      { level: 'warn', msg: 'VERSO_ZZZZZZZZ is not a setting of Verso and has no effect.' },
    ])
    signal('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it('other commands name an unknown variable on standard error', async () => {
    const { code, stdout, stderr } = await verso(['migrate', '--database', newDatabase()], { env: { VERSO_DATABSE: 'sqlite:x' } })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: VERSO_DATABSE is not a setting of Verso and has no effect. Did you mean VERSO_DATABASE?\n',
    })
    expect(stdout).toContain('applied 0001-')
  })

  it('goes on when nobody reads what it says at its start, and stops in order', async () => {
    const args = [main, 'serve', '--database', newDatabase(), '--port', '0']
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '' } })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'close')
    child.stdout.destroy()
    let log = ''
    const told = new Promise<void>((found) => {
      child.stderr.on('data', (chunk) => {
        log += chunk
        if (log.includes('standard output cannot be written: write EPIPE')) found()
      })
    })
    await Promise.race([told, ended])
    const [, url] = /listening at (http:[^"]+)/.exec(log) ?? []
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(log).toContain('"stopped"')
  })

  it.each(['json', 'pretty'])('goes on when nobody reads its log (%s) any more, and stops in order', async (format) => {
    const env = { PATH: process.env.PATH ?? '', VERSO_LOG_FORMAT: format }
    const child = spawn(process.execPath, [main, 'serve', '--database', newDatabase(), '--port', '0'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const url = await new Promise<string>((found) => {
      child.stdout.on('data', (chunk) => {
        const [, address] = /listening on (\S+)/.exec(String(chunk)) ?? []
        if (address) found(address)
      })
    })
    child.stderr.destroy()
    for (let times = 0; times < 3; times++) expect((await fetch(`${url}/v1/posts`)).status).toBe(401)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('the first start prints the address at which it can be reached, and how to tell it to other commands', async () => {
    const running = await serve(newDatabase(), { env: { HOST: '0.0.0.0' } })
    const port = new URL(running.url).port
    expect(running.stdout()).toContain(`http://127.0.0.1:${port}/docs`)
    expect(running.stdout()).toContain(`export VERSO_URL=http://127.0.0.1:${port}\n`)
    expect(running.stdout()).not.toContain('4400')
  })

  /** Runs a command that the first start has printed, as somebody does in a new terminal. */
  const runPrinted = (printed: string, name: string) => {
    const [line = ''] = new RegExp(`^.*npx verso ${name}.*?(?= {3})`, 'm').exec(printed) ?? []
    const command = line.replace('npx verso', `"${process.execPath}" "${main}"`)
    return execFileSync('sh', ['-c', command], { cwd: temporaryFolder(), env: { PATH: process.env.PATH }, encoding: 'utf8' })
  }

  it.each([{}, { VERSO_PUBLIC_URL: 'https://example.com/content' }])('the first invitation leads to its service: %o', async (env) => {
    const running = await serve(newDatabase(), { env })
    const address = env.VERSO_PUBLIC_URL ?? running.url.replace('127.0.0.1', 'localhost')
    expect(runPrinted(running.stdout(), 'person invite')).toContain(`${address}/studio/welcome#`)
  })

  it('the first start prints no invitation where the studio is off', async () => {
    expect((await serve(newDatabase(), { env: { VERSO_STUDIO: 'off' } })).stdout()).not.toContain('studio')
  })

  it('the commands that the first start prints reach its database from a new shell, whatever its path', async () => {
    const cwd = join(temporaryFolder(), "Ada's blog")
    mkdirSync(cwd)
    const running = await serve('sqlite:of its own.db', { cwd })
    runPrinted(running.stdout(), 'author create')
    const secret = /verso_live_\w+/.exec(running.stdout())?.[0] ?? ''
    expect((await requestsTo(running.url, secret).get('/v1/authors')).body.data).toMatchObject([{ name: 'Ada Lovelace' }])
  })

  it('the commands that the first start prints name no database where it is the default one', async () => {
    expect((await serve('sqlite:data/verso.db', { cwd: temporaryFolder() })).stdout()).not.toContain('--database')
  })

  for (const engine of engines.filter(({ name }) => name !== 'SQLite'))
    it(`the first start says to set VERSO_DATABASE and does not print its address, on ${engine.name}`, async () => {
      const { address, drop } = await engine.createEmpty()
      onTestFinished(drop)
      const printed = (await serve(addressText(address))).stdout()
      expect(printed).toContain('Next, with VERSO_DATABASE set to the database of this service:\n')
      expect(printed).not.toMatch(/postgres(ql)?:/)
    })

  for (const engine of engines)
    it(`the service stops with exit code 1 where the first project cannot be made, on ${engine.name}`, async () => {
      const address = await migratedDatabase(engine)
      const seam = await openEngine(address, testContext(), unobserved)
      await seam.alone(async (tx) => {
        await insertInstallation(tx, 'epoch', toInstant(testContext().now()))
        await tx.updateTable('installation').set({ state: 'moved' }).execute()
      })
      await seam.close()
      const { code, stdout, stderr } = await start(['serve', '--port', '0', '--database', addressText(address)]).ended
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^error: The installation has moved/m)
    })

  it.each([
    ['no address', '256.1.1.1', '256.1.1.1 is neither an address nor a name that resolves to one'],
    ['an address of another machine', '192.0.2.1', '192.0.2.1 is not an address of this machine'],
  ])('HOST: %s is said in one line, exit code 1', async (_, HOST, words) => {
    const { code, stdout, stderr } = await verso(['serve', '--port', '0'], { env: { HOST }, cwd: temporaryFolder() })
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `error: ${words}; choose another (--host, HOST).\n` })
  })

  it('PORT: one that is in use is said in one line, exit code 1', async () => {
    const taken = createServer()
    const port = await new Promise<number>((found) => taken.listen(0, '127.0.0.1', () => found((taken.address() as { port: number }).port)))
    onTestFinished(() => void taken.close())
    const ended = await verso(['serve', '--port', String(port)], { cwd: temporaryFolder() })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(new RegExp(`^error: 127.0.0.1:${port} is in use .*\n$`)) })
  })

  it.runIf(process.getuid !== undefined && process.getuid() !== 0)(
    'PORT: one without permission is said in one line, exit code 1',
    async () => {
      const { code, stderr } = await verso(['serve', '--port', '1'], { cwd: temporaryFolder() })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'error: this user may not listen on 127.0.0.1:1; choose a port from 1024 up (--port, PORT).\n',
      })
    },
  )
})
