import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../harness/program.ts'

const root = resolve(import.meta.dirname, '../..')
/** What these tests fetch stays here from run to run. */
const tools = join(tmpdir(), 'verso-registry-tools')

export interface Ran {
  readonly output: string
  readonly seconds: number
}

/** Runs a command to its end; one that fails says what it printed. */
export function run(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const start = performance.now()
  return new Promise((done, failed) => {
    const options = { cwd, env: { ...process.env, NODE_ENV: '', VITEST: '', ...env }, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr
      if (error) failed(new Error(`${command} ${args.join(' ')} failed: ${error.message}\n${output}`))
      else done({ output, seconds: (performance.now() - start) / 1000 })
    })
  })
}

/** Packages of the registry, in a folder of their own. */
export async function installed(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(tools, name)
  const done = join(folder, 'node_modules/.installed')
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages], folder)
    writeFileSync(done, '')
  }
  return folder
}

/** An environment with a Node.js of its own. */
type NodeEnv = Readonly<Record<'PATH' | 'npm_config_nodedir', string>>

/** The environment in which `node` is of this major version, from npm, and native packages are compiled with its headers. */
export async function nodeOf(major: number): Promise<NodeEnv> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = await installed(`node-${major}`, [`${name}@${major}`])
  const node = join(folder, 'node_modules', name)
  return { PATH: `${join(node, 'bin')}${delimiter}${process.env.PATH}`, npm_config_nodedir: node }
}

/** What these tests use of Playwright, which is no dependency of Verso. */
interface Browser {
  newPage(options: {
    readonly viewport: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'dark' | 'light'
  }): Promise<Page>
  close(): Promise<void>
}

interface Page {
  goto(url: string): Promise<unknown>
  url(): string
  title(): Promise<string>
  on(event: 'pageerror', listener: (error: Error) => void): void
  evaluate<Result>(script: string): Promise<Result>
  screenshot(options: { readonly path: string }): Promise<unknown>
  waitForURL(url: RegExp): Promise<unknown>
}

export async function startBrowser(): Promise<Browser> {
  const folder = await installed('browser', ['playwright-core', '@sparticuz/chromium'])
  const load = (name: string) => import(join(folder, 'node_modules', name))
  const { chromium } = (await load('playwright-core/index.mjs')) as { readonly chromium: { launch(options: object): Promise<Browser> } }
  const packed = (await load('@sparticuz/chromium/build/esm/index.js')) as {
    readonly default: { executablePath(): Promise<string>; readonly args: string[] }
  }
  const browser = await chromium.launch({
    executablePath: await packed.default.executablePath(),
    args: packed.default.args,
    headless: true,
  })
  onTestFinished(() => browser.close())
  return browser
}

/** A copy of an example beside the packages that it uses, as in a clone, with what it depends on. */
export async function installExample(
  name: string,
  env: { readonly PATH: string },
  clone = temporaryFolder(),
): Promise<{ readonly folder: string; readonly seconds: number }> {
  const isOurs = (path: string) => !['node_modules', '.astro', '.next', '_site'].includes(basename(path))
  for (const each of ['packages/client', 'packages/astro', `examples/${name}`])
    cpSync(join(root, each), join(clone, each), {
      recursive: true,
      filter: (path) => isOurs(path) && !(each.startsWith('examples') && basename(path) === 'dist'),
    })
  const folder = join(clone, 'examples', name)
  const { seconds } = await run('npm', ['install', '--no-audit', '--no-fund'], folder, env)
  return { folder, seconds }
}

/** Starts a program that says where it listens, until the test is over. */
export async function startServer(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, { cwd, env: { HOME: process.env.HOME ?? '', ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  return new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
        const [, url] = /(http:\/\/(?:127\.0\.0\.1|localhost):\d+)/.exec(said) ?? []
        if (url) found(url)
      })
    child.on('close', () => failed(new Error(`${command} ${args.join(' ')} ended: ${said}`)))
  })
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort()
}

/** The links of pages to addresses of the same site under which no file lies. */
export function brokenLinks(folder: string): readonly string[] {
  const files = new Set(filesIn(folder))
  const isThere = (path: string) =>
    ['', '.html', '/index.html'].some((end) => files.has(`${path.replace(/^\/|\/$/g, '')}${end}`.replace(/^\//, '')))
  return [...files]
    .filter((file) => file.endsWith('.html'))
    .flatMap((file) =>
      [...chromeOf(readFileSync(join(folder, file), 'utf8')).matchAll(/\bhref="(\/[^"#?]*)/g)].map(([, path = '']) => ({ file, path })),
    )
    .filter(({ path }) => !isThere(path))
    .map(({ file, path }) => `${dirname(file)}: ${path}`)
}

/** A page without the text of its post, whose links are those of another site. */
function chromeOf(html: string): string {
  return html.replace(/<article>[\s\S]*?<\/article>/, (article) =>
    [...article.matchAll(/<p class="(?:meta|tags)">[\s\S]*?<\/p>/g)].join(''),
  )
}
