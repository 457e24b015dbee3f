// Builds dist/: every module by itself, for scripts and benchmarks, and in the place of its entry the program in few files (docs/decisions/0023-few-files.md).
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))

// Files of an older build must not stay.
await rm(path('dist'), { recursive: true, force: true })
const compiled = spawnSync(process.execPath, [path('node_modules/typescript/bin/tsc'), '-p', path('tsconfig.build.json')], {
  stdio: 'inherit',
})
if (compiled.status === 0) {
  await bundle()
  await copyThreads()
  // Its time says when a build was complete (scripts/prepare.js).
  await writeFile(path('dist/built'), '')
} else process.exitCode = compiled.status ?? 1

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
  await program.write({ dir: path('dist'), entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', sourcemap: true })
  await program.close()
  // npm makes it executable only when it links it first; npx and npm link would fail after the next build.
  await chmod(path('dist/cli/main.js'), 0o755)
}
