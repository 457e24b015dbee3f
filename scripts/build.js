// Builds dist/: every module by itself, for scripts and benchmarks, and in the place of its entry the program in few files (docs/decisions/0023-few-files.md).
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStudio } from './build-studio.js'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))

/** Each becomes few files beside its types (docs/decisions/0055-packages-for-websites.md). */
const packages = { client: ['client', 'webhooks'], astro: ['astro'] }

// With --program, only the program is made anew, in a dist/ that is there, and no types are checked: planted faults are tried so.
if (process.argv.includes('--program')) {
  compile('tsconfig.build.json', ['--noCheck'])
  await bundle()
  await copyThreads()
} else {
  // Files of an older build must not stay.
  await rm(path('dist'), { recursive: true, force: true })
  if (compile('tsconfig.build.json')) await buildAll()
}

async function buildAll() {
  await bundle()
  await copyThreads()
  for (const [name, entries] of Object.entries(packages)) await buildPackage(name, entries)
  await buildStudio()
  // Its time says when a build was complete (scripts/prepare.js).
  if (process.exitCode === undefined) await writeFile(path('dist/built'), '')
}

function compile(project, options = ['--checkers', '2']) {
  const { status } = spawnSync(process.execPath, [path('node_modules/typescript/bin/tsc'), ...options, '-p', path(project)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = status ?? 1
  return status === 0
}

/** A thread is started from a file of its own, which lies beside the module that starts it: that module is built by itself and into a chunk. */
async function copyThreads() {
  const from = path('src/database/sqlite')
  const threads = (await readdir(from)).filter((name) => name.endsWith('-thread.js'))
  for (const folder of ['database/sqlite', 'chunks'])
    for (const name of threads) await copyFile(`${from}/${name}`, path(`dist/${folder}/${name}`))
}

/** The packages are in it, too; a native one cannot be, and the metrics' is loaded by its file names. */
async function bundle() {
  const { rolldown } = await import('rolldown')
  const program = await rolldown({
    input: { 'cli/main': path('src/cli/main.ts') },
    platform: 'node',
    external: ['better-sqlite3', /^prom-client/],
    logLevel: 'warn',
  })
  await program.write({
    dir: path('dist'),
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'values', test: /src\/values\//, minShareCount: 2 }] },
    sourcemap: true,
  })
  await program.close()
  // These threads are started by their names (package.json), from the sources, too.
  for (const source of ['resources/posts/rendering/threads/rendering-thread', 'import/threads/reading-thread']) {
    const thread = await rolldown({ input: path(`src/${source}.ts`), platform: 'node', logLevel: 'warn' })
    const file = path(`dist/chunks/${basename(source)}.js`)
    await thread.write({ file, codeSplitting: false, sourcemap: true })
    await thread.close()
  }
  // npm makes it executable only when it links it first; npx and npm link would fail after the next build.
  await chmod(path('dist/cli/main.js'), 0o755)
}

async function buildPackage(name, entries) {
  const folder = `packages/${name}`
  await rm(path(`${folder}/dist`), { recursive: true, force: true })
  if (!compile(`${folder}/tsconfig.json`)) return
  const { rolldown } = await import('rolldown')
  const input = Object.fromEntries(entries.map((entry) => [entry, path(`${folder}/src/${entry}.ts`)]))
  const made = await rolldown({ input, platform: 'neutral', external: /^[^./]/, logLevel: 'warn' })
  await made.write({ dir: path(`${folder}/dist`), entryFileNames: '[name].js', minify: true, sourcemap: true })
  await made.close()
}
