// Makes a release: node scripts/release.js [folder]. Writes the package, the list of its parts (CycloneDX) and their SHA-256 sums.
// The same sources give the same bytes, wherever and whenever it runs. Needs dist/: npm run build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'release'))

/** What an installation needs; the sources are in the repository. */
const packed = ['dist', 'docs', 'scripts/prepare.js', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md']

if (!existsSync(join(root, 'dist/built'))) {
  process.stderr.write('There is no dist/. Run npm run build first.\n')
  process.exit(1)
}
mkdirSync(target, { recursive: true })
const files = [writePackage(), writeParts()]
const sums = files.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(target, name)))
      .digest('hex')}  ${name}\n`,
)
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
process.stdout.write([...files, 'SHA256SUMS'].map((name) => `${join(target, name)}\n`).join(''))

/** npm packs with one fixed time and one owner. The lock file goes along under the name that npm publishes: `npm ci --omit=dev` installs exactly it. */
function writePackage() {
  const staging = mkdtempSync(join(tmpdir(), 'verso-release-'))
  try {
    for (const name of packed) cpSync(join(root, name), join(staging, name), { recursive: true })
    const { manifest, lock } = withoutWorkspaces()
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    writeFileSync(join(staging, 'npm-shrinkwrap.json'), `${JSON.stringify(lock, null, 2)}\n`)
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', target], staging))
    return filename
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The packages that are installed with it, as the lock file has them. npm would put in the time, a random number and the name of this folder. */
function writeParts() {
  const parts = JSON.parse(sbom())
  delete parts.serialNumber
  delete parts.metadata.timestamp
  parts.metadata.component.name = readJson('package.json').name
  parts.metadata.component.type = 'application'
  const name = 'sbom.cdx.json'
  writeFileSync(join(target, name), `${JSON.stringify(parts, null, 2)}\n`)
  return name
}

/** `npm sbom --omit=dev` also leaves out what the service shares with tools, such as ajv and pg. So npm gets a lock file without the tools. */
function sbom() {
  const staging = mkdtempSync(join(tmpdir(), 'verso-sbom-'))
  try {
    const { manifest: whole, lock } = withoutWorkspaces()
    const { devDependencies: _, ...manifest } = whole
    const { devDependencies: __, ...itself } = lock.packages['']
    const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true))
    writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(staging, 'package-lock.json'), JSON.stringify({ ...lock, packages: { ...packages, '': itself } }))
    return npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], staging)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** The clients are packages of their own: an installation of the service has none. */
function withoutWorkspaces() {
  const { workspaces: _, ...manifest } = readJson('package.json')
  const lock = readJson('package-lock.json')
  const { workspaces: __, ...itself } = lock.packages['']
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => link !== true && !path.startsWith('packages/'))
  return { manifest, lock: { ...lock, packages: { ...Object.fromEntries(packages), '': itself } } }
}

function readJson(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'))
}

function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`)
  return stdout
}
