import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { engines } from '../test/harness/databases.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

const root = resolve(import.meta.dirname, '..')
const mostPackages = 100

/** What a build and a release read. */
const sources = [
  ...['src', 'studio', 'scripts', 'packages', 'docs', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'],
]

trial({
  name: 'what-it-is-built-on',
  promise: 'What runs is known: few packages, each pinned, all listed in every release, and the same bytes from every build.',
  over: 'once',
  covers: 'both engines',
  sizes: { short: { builds: 2 }, full: { builds: 4 } },
  minutes: { short: 5, full: 10 },

  async run({ size, random, figure, note }) {
    const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const loaded = await loadedPackages()
    const unpinned = notPinned(lock)
    const fromDevelopment = loaded.filter((name) => isForDevelopment(lock, name))
    for (const name of [...unpinned, ...fromDevelopment]) note(name)
    figure('packages loaded at run time', loaded.length, { atMost: mostPackages })
    figure('packages above 100', Math.max(0, loaded.length - mostPackages), { exactly: 0 })
    figure('packages loaded that are there for development only', fromDevelopment.length, { exactly: 0 })
    figure('packages in the lock file', Object.keys(lock.packages).length - 1)
    figure('packages without one version and a hash, or with an address', unpinned.length, { exactly: 0 })

    const releases = []
    for (let i = 0; i < size.builds; i += 1) releases.push(await buildSomewhere(random))
    const [first = new Map(), ...others] = releases
    const differing = others.flatMap((each) => differences(first, each))
    for (const name of new Set(differing)) note(`differs between builds: ${name}`)
    figure('builds', releases.length)
    figure('files of a build and its release', first.size)
    figure('files that differ', differing.length, { exactly: 0 })

    const listed = partsOf(first.get('release/sbom.cdx.json') ?? Buffer.from('{}'))
    const unlisted = loaded.filter((name) => !listed.has(name))
    for (const name of unlisted) note(`not in the list of parts: ${name}`)
    figure('parts listed in the release', listed.size)
    figure('packages loaded that the release does not list', unlisted.length, { exactly: 0 })
    figure('sums that do not match', wrongSums(first).length, { exactly: 0 })
  },

  controls: {
    async 'a package with a range, without a hash, with an address or from another folder is seen'() {
      const integrity = 'sha512-AAAA'
      const packages = {
        '': {},
        'node_modules/a': { version: '^1.0.0', integrity },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0', integrity, resolved: 'https://example.com/c.tgz' },
        'node_modules/d': { version: '1.0.0', integrity },
        'node_modules/@verso/e': { resolved: 'packages/e', link: true },
        'packages/e': { version: '1.0.0' },
        'node_modules/f': { resolved: '../f', link: true },
      }
      const seen = notPinned({ packages }).length
      return seen === 4 ? seen : 0
    },

    async 'a release that holds its time is seen to differ'({ random }) {
      const stamped = { 'scripts/release.js': (text: string) => text.replace('delete parts.metadata.timestamp', '') }
      return differences(await releaseSomewhere(random, stamped), await releaseSomewhere(random, stamped)).length
    },

    async 'a package for development that a module of the program loads is seen, and is not in the list of parts'({ random }) {
      const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
      const planted = await loadedWith("import 'standardwebhooks'")
      const listed = partsOf((await releaseSomewhere(random, {})).get('release/sbom.cdx.json') ?? Buffer.from('{}'))
      const seen = planted.filter((name) => isForDevelopment(lock, name))
      return seen.filter((name) => !listed.has(name)).length
    },
  },
})

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  /** It leads to a workspace, `packages/…`. */
  readonly link?: boolean
  /** It comes within another package, whose hash covers it. */
  readonly inBundle?: boolean
}

/** The packages of which the lock file does not say exactly which bytes they are, or says where to get them. */
function notPinned({ packages }: Lock): readonly string[] {
  const isPinned = ({ version = '', integrity = '', resolved, inBundle }: LockedPackage) =>
    /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) && (inBundle === true || /^sha512-/.test(integrity)) && resolved === undefined
  const isOurs = (path: string, { link, resolved = '' }: LockedPackage) => /^(packages\/\w+)?$/.test(link === true ? resolved : path)
  return Object.entries(packages).flatMap(([path, each]) => (isOurs(path, each) || isPinned(each) ? [] : [`not pinned: ${path}`]))
}

function isForDevelopment({ packages }: Lock, name: string): boolean {
  const found = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`))
  return found.length > 0 && found.every(([, { dev }]) => dev === true)
}

/** Of a service over each engine and of every command. */
async function loadedPackages(folder = root, over = engines): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const engine of over) {
    const { address, drop } = await engine.createEmpty()
    const database = address.kind === 'sqlite' ? `sqlite:${address.path}` : address.url
    const printed = execFileSync(process.execPath, [join(folder, 'scripts/loaded-packages.js'), database], { encoding: 'utf8' })
    for (const name of JSON.parse(printed) as readonly string[]) names.add(name)
    await drop()
  }
  return [...names]
}

/** The same over one engine, in a copy of what is built, one module of which begins with this line. */
async function loadedWith(line: string): Promise<readonly string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'verso-build-'))
  try {
    for (const entry of ['dist', 'scripts', 'package.json']) cpSync(join(root, entry), join(copy, entry), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const module = join(copy, 'dist/values/bounded-map.js')
    writeFileSync(module, `${line}\n${readFileSync(module, 'utf8')}`)
    return await loadedPackages(copy, engines.slice(0, 1))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

type Changes = Readonly<Record<string, (text: string) => string>>

/** Builds and releases a copy in a new folder, with other times, another time zone and language. Returns the bytes of every file. */
function buildSomewhere(random: SeededRandom): Promise<ReadonlyMap<string, Buffer>> {
  return inSomeFolder(random, sources, {}, async (folder, env) => {
    const time = new Date(Date.UTC(2001 + random.int(20), random.int(12), 1 + random.int(28)))
    for (const file of filesIn(join(folder, 'src'))) utimesSync(join(folder, 'src', file), time, time)
    linkPackages(folder)
    await run(folder, env, 'scripts/build.js')
  })
}

/** The same with what is built already, and with changed scripts. */
function releaseSomewhere(random: SeededRandom, changes: Changes): Promise<ReadonlyMap<string, Buffer>> {
  return inSomeFolder(random, [...sources, 'dist'], changes, async () => undefined)
}

async function inSomeFolder(
  random: SeededRandom,
  copied: readonly string[],
  changes: Changes,
  build: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<ReadonlyMap<string, Buffer>> {
  const parent = mkdtempSync(join(tmpdir(), 'verso-build-'))
  const folder = join(parent, ...Array.from({ length: 1 + random.int(3) }, (_, i) => `${i}${'x'.repeat(1 + random.int(20))}`))
  try {
    for (const entry of copied) cpSync(join(root, entry), join(folder, entry), { recursive: true })
    for (const [file, change] of Object.entries(changes))
      writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')))
    const env = {
      ...process.env,
      TZ: random.pick(['UTC', 'Asia/Tokyo', 'America/St_Johns']),
      LANG: random.pick(['C', 'de_DE.UTF-8', 'tr_TR.UTF-8']),
    }
    await build(folder, env)
    await run(folder, env, 'scripts/release.js', join(folder, 'release'))
    const made = ['dist', 'release'].flatMap((name) => filesIn(join(folder, name)).map((file) => `${name}/${file}`))
    return new Map(made.map((file) => [file, readFileSync(join(folder, file))]))
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

/** Hard links where it can be: a symbolic link would lead every build to one folder. */
function linkPackages(folder: string): void {
  const packages = realpathSync(join(root, 'node_modules'))
  try {
    execFileSync('cp', ['-al', packages, join(folder, 'node_modules')], { stdio: 'ignore' })
  } catch {
    cpSync(packages, join(folder, 'node_modules'), { recursive: true })
  }
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(folder, file)).isFile())
}

function run(cwd: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    child.on('close', (code) => (code === 0 ? done() : failed(new Error(`${args[0]} ended with ${code}: ${said}`))))
  })
}

/** The names of files that only one build has, or that have other bytes. */
function differences(one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>): readonly string[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => !one.get(name)?.equals(other.get(name) ?? Buffer.from('absent')))
}

/** The names of the packages in a CycloneDX list. */
function partsOf(bytes: Buffer): ReadonlySet<string> {
  const { components = [] }: { readonly components?: readonly { readonly name: string }[] } = JSON.parse(bytes.toString())
  return new Set(components.map(({ name }) => name))
}

function wrongSums(files: ReadonlyMap<string, Buffer>): readonly string[] {
  const lines = (files.get('release/SHA256SUMS')?.toString() ?? '').split('\n').filter(Boolean)
  const wrong = lines.filter((line) => {
    const [sum, name] = line.split('  ')
    const bytes = files.get(`release/${name}`)
    return bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sum
  })
  return lines.length === 2 ? wrong : ['SHA256SUMS']
}
