import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { unknownVariables } from '../src/app/config.ts'
import { temporaryFolder } from './harness/program.ts'

const root = resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const files = readdirSync(join(root, 'deploy'))

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[]
}

const compose: { readonly services: Readonly<Record<string, Service>>; readonly volumes: Readonly<Record<string, null>> } = parse(
  read('compose.yaml'),
)
const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions()
const argumentsOf = (keyword: string) =>
  instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArguments().map((argument) => argument.getValue()))
/** The words of an instruction in JSON form. */
const wordsOf = (text: readonly string[]): string[] => JSON.parse(text.join(' '))

describe('the files to run Verso with', () => {
  it('name no setting that Verso does not have', () => {
    const named = files
      .flatMap((name) => [...read(name).matchAll(/\bVERSO_[A-Z_]+/g)].map(([variable]) => variable))
      .filter((name) => name !== 'VERSO_UPSTREAM')
    expect(named.length).toBeGreaterThan(3)
    expect(unknownVariables(Object.fromEntries(named.map((name) => [name, 'x'])))).toEqual([])
  })

  it('are all named in the documentation', () => {
    const page = readFileSync(join(root, 'docs/how-to/run-as-a-service.md'), 'utf8')
    expect(files.filter((name) => !name.endsWith('.dockerignore') && !page.includes(`deploy/${name}`))).toEqual([])
  })

  it('Dockerfile: a linter finds nothing, and what it copies is there and not ignored', () => {
    expect(validate(read('Dockerfile')).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
    const copied = argumentsOf('COPY')
      .map((names) => names.slice(0, -1))
      .filter(([name]) => !name?.startsWith('/'))
    const ignored = read('Dockerfile.dockerignore').trim().split('\n')
    for (const name of copied.flat()) expect([name, existsSync(join(root, name)), ignored.includes(`!${name}`)]).toEqual([name, true, true])
  })

  it('Dockerfile: its steps make a service that answers, is healthy, and stops in order', { timeout: 180_000 }, async () => {
    const [build, image, data] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    for (const name of argumentsOf('COPY')
      .flatMap((names) => names.slice(0, -1))
      .filter((each) => !each.startsWith('/')))
      cpSync(join(root, name), join(build, name), { recursive: true })
    // In place of the install, which needs a registry. It builds, too.
    symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
    execFileSync(process.execPath, ['scripts/prepare.js'], { cwd: build, env: { PATH: process.env.PATH ?? '' } })
    for (const [from = '', to = ''] of argumentsOf('COPY').filter(([name]) => name?.startsWith('/app/'))) {
      const target = join(image, to)
      if (from.endsWith('node_modules')) symlinkSync(join(root, 'node_modules'), target)
      else
        cpSync(join(build, from.replace('/app/', '')), to.endsWith('/') ? join(target, from.replace('/app/', '')) : target, {
          recursive: true,
        })
    }
    mkdirSync(join(data, 'data'))
    const [environment = []] = argumentsOf('ENV').slice(-1)
    const env: Record<string, string> = { PATH: process.env.PATH ?? '', PORT: '0' }
    for (const pair of environment)
      env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1).replace('/data/', `${data}/data/`)
    expect(env).toMatchObject({ HOST: '0.0.0.0', NODE_ENV: 'production' })

    const [, ...args] = [...wordsOf(argumentsOf('ENTRYPOINT')[0] ?? []), ...wordsOf(argumentsOf('CMD')[0] ?? [])]
    const child = spawn(process.execPath, args, { cwd: image, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    const ended = new Promise<number | null>((end) => child.on('close', end))
    await expect.poll(() => said, { timeout: 20_000 }).toMatch(/listening on http:\/\/0\.0\.0\.0:\d+/)
    const port = /0\.0\.0\.0:(\d+)/.exec(said)?.[1] ?? ''
    const [, check = ''] = /HEALTHCHECK[^\n]*\\\n *CMD (\[.*\])\n/.exec(read('Dockerfile')) ?? []
    const [, ...healthy] = (JSON.parse(check) as string[]).map((word) => word.replace('4400', port))
    execFileSync(process.execPath, healthy)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(existsSync(join(data, 'data/verso.db'))).toBe(true)
    expect(() => execFileSync(process.execPath, healthy, { stdio: 'ignore' })).toThrow()
  })

  it('compose.yaml: every file, volume and service that it names is there', () => {
    const places = Object.values(compose.services)
    expect(Object.keys(compose.services).sort()).toEqual(['backup', 'caddy', 'verso'])
    for (const { build, image, volumes = [], depends_on = [] } of places) {
      expect(Boolean(build) !== Boolean(image)).toBe(true)
      if (build) expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true)
      for (const volume of volumes) {
        const [source = ''] = volume.split(':')
        expect([volume, source.startsWith('.') ? existsSync(join(root, 'deploy', source)) : source in compose.volumes]).toEqual([
          volume,
          true,
        ])
      }
      for (const name of depends_on) expect(compose.services).toHaveProperty(name)
    }
  })

  it.each(files.filter((name) => /\.(service|timer)$/.test(name)))('%s: sections and settings as systemd reads them', (name) => {
    const lines = read(name)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.filter((line) => !/^\[(Unit|Service|Timer|Install)\]$|^[A-Z]\w+=\S.*$/.test(line))).toEqual([])
    const [, started] = lines.map((line) => /^ExecStart=\/usr\/bin\/node (\S+) (serve|backup)\b/.exec(line)).find(Boolean) ?? []
    if (name.endsWith('.service')) expect([started, dirname(started ?? '')]).toEqual(['dist/cli/main.js', 'dist/cli'])
  })

  it('verso.service: systemd starts it again however often it has failed, but not with a wrong setting', () => {
    const [unit = '', service = ''] = read('verso.service')
      .split(/^\[(?:Unit|Service|Install)\]$/m)
      .slice(1)
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(service).toMatch(/^Restart=on-failure$/m)
    expect(service).toMatch(/^RestartPreventExitStatus=2$/m)
  })

  it('compose.yaml: the first backup is made at once, and one that fails is tried again', () => {
    const [command = ''] = compose.services.backup?.command ?? []
    const run = (isDone: boolean) => {
      const shell = command
        .replace(/node dist\S+/, isDone ? 'true' : 'false')
        .replace('while true', 'for turn in 1 2')
        .replaceAll('sleep', 'echo')
      return execFileSync('sh', ['-c', shell], { encoding: 'utf8' })
    }
    expect(run(true)).toBe('86400\n86400\n')
    expect(run(false)).toBe('60\n60\n')
  })

  it('nginx.conf and Caddyfile: every block is closed, and they pass on what Verso allows', () => {
    for (const name of ['nginx.conf', 'Caddyfile']) {
      const text = read(name)
        .replaceAll(/#.*/g, '')
        .replaceAll(/\{\$[^}]*\}/g, '')
      expect([name, text.split('{').length]).toEqual([name, text.split('}').length])
    }
    expect(read('nginx.conf')).toMatch(/client_max_body_size 3m;[\s\S]*large_client_header_buffers 4 32k;[\s\S]*proxy_read_timeout 60s;/)
  })
})
